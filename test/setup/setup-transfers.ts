import type { Charge, Transfer } from '../../prisma/client/client.ts';
import type { OnCleanup } from './cleanup.ts';
import { getEventTypes } from './database-state.ts';
import { noon, seedCharge, seedMerchant } from './seed.ts';
import { setupService } from './service.ts';

/** A service and a merchant, with functions to create and reload charges and transfers. */
export async function setupTransfers(onCleanup: OnCleanup) {
  const service = await setupService(onCleanup);
  const merchant = await seedMerchant(service);
  let payerCount = 0;
  return {
    service,
    merchant,
    owner: { merchantId: merchant.merchant.id, mode: 'live' as const },
    /** A charge of HKD 128.50 for a new customer. */
    newCharge(now = noon): Promise<Charge> {
      return seedCharge(service, merchant, { now, input: { email: `payer${++payerCount}@example.com` } });
    },
    reload: ({ id }: Charge): Promise<Charge> => service.prisma.charge.findUniqueOrThrow({ where: { id } }),
    reloadTransfer: (id: string): Promise<Transfer> =>
      service.prisma.transfer.findUniqueOrThrow({ where: { id } }),
    /** The event types of an object, in order. */
    getEventTypes: (objectId: string): Promise<string[]> => getEventTypes(service, { objectId }),
  };
}
