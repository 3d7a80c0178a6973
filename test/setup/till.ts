import type { Charge, Transfer } from '../../prisma/client/client.ts';
import { makeCharge, makeMerchant, noon } from './makers.ts';
import { testService } from './service.ts';
import { told } from './told.ts';

/** For tests of money in: a service with a merchant, charges for it to come to, and what became of these. */
export async function makeTill() {
  const service = await testService();
  const merchant = await makeMerchant(service);
  let payers = 0;
  return {
    service,
    merchant,
    owner: { merchantId: merchant.merchant.id, mode: 'live' as const },
    /** Of HKD 128.50, each of another customer. */
    newCharge(now = noon): Promise<Charge> {
      return makeCharge(service, merchant, { now, input: { email: `payer${++payers}@example.com` } });
    },
    reload: ({ id }: Charge): Promise<Charge> => service.prisma.charge.findUniqueOrThrow({ where: { id } }),
    reloadTransfer: (id: string): Promise<Transfer> =>
      service.prisma.transfer.findUniqueOrThrow({ where: { id } }),
    /** What was told of an object, in order. */
    messagesOf: (objectId: string): Promise<string[]> => told(service, { objectId }),
  };
}
