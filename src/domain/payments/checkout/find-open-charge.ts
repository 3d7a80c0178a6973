import type { Charge, Mode } from '../../../../prisma/client/client.ts';
import type { Db } from '../../../kit/db.ts';

/** Returns the newest of the charges `ids` that can still be paid, or null. */
export function findOpenCharge(
  { prisma }: Db,
  { ids, merchantId, mode, now }: { ids: string[]; merchantId: string; mode: Mode; now: Date },
): Promise<Charge | null> {
  return prisma.charge.findFirst({
    where: { id: { in: ids }, merchantId, mode, status: 'pending', expiresAt: { gte: now } },
    orderBy: { id: 'desc' },
  });
}
