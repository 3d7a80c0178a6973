import type { NewMerchant } from '../../src/domain/merchant/create-merchant.ts';
import type { Service } from '../../src/domain/service.ts';
import { newId } from '../../src/kit/id.ts';
import { makeCharge, noon } from './makers.ts';

/** A charge that completed at a time, worth so many US cents: a copy of one that was made the usual way. */
export async function completedCharge(
  service: Service,
  merchant: NewMerchant,
  options: {
    at: Date;
    cents: bigint | null;
    createdAt?: Date;
    mode?: 'live' | 'sandbox';
    status?: 'expired';
  },
): Promise<void> {
  const { at, cents, createdAt = at, mode = 'live', status = 'completed' } = options;
  const { prisma } = service;
  const found = await prisma.charge.findFirst({ where: { merchantId: merchant.merchant.id, mode } });
  const model = found ?? (await makeCharge(service, merchant, { mode, now: noon }));
  await prisma.charge.create({
    data: {
      ...model,
      id: newId('charge', createdAt),
      status,
      destination: model.destination as object,
      orders: model.orders as object[],
      usdAmount: cents,
      completedAt: at,
      createdAt,
    },
  });
}
