import type { Charge, Mode } from '../../../../prisma/client/client.ts';
import type { Db } from '../../../kit/db.ts';

/** The columns by which the charges of one link, session, subscription or checkout URL are selected. */
type SourceTerms = Partial<
  Pick<
    Charge,
    | 'checkoutLinkId'
    | 'sessionId'
    | 'subscriptionId'
    | 'merchantAmount'
    | 'merchantCurrency'
    | 'notifyPayload'
    | 'notifyUrl'
  >
>;

/** Returns the newest of the charges `ids` that can still be paid, or null. `terms` selects those of one source. */
export async function findOpenCharge(
  { prisma }: Db,
  options: { ids: string[]; merchantId: string; mode: Mode; terms?: SourceTerms; now: Date },
): Promise<Charge | null> {
  const { ids, merchantId, mode, terms, now } = options;
  if (ids.length === 0) return null;
  return prisma.charge.findFirst({
    where: { ...terms, id: { in: ids }, merchantId, mode, status: 'pending', expiresAt: { gte: now } },
    orderBy: { id: 'desc' },
  });
}
