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

/**
 * Returns the newest of the charges `ids` that can still be paid. With `withPaid`, returns the newest paid one if there
 * is none. Otherwise returns null. A payment that was reversed does not count. `terms` selects the charges of one
 * source.
 */
export async function findOpenCharge(
  { prisma }: Db,
  options: {
    ids: string[];
    merchantId: string;
    mode: Mode;
    terms?: SourceTerms;
    withPaid?: boolean;
    now: Date;
  },
): Promise<Charge | null> {
  const { ids, merchantId, mode, terms, withPaid = false, now } = options;
  if (ids.length === 0) return null;
  const open = { status: 'pending', expiresAt: { gte: now } } as const;
  const paid = { status: 'completed', NOT: { completedBy: 'transfer', amountReceived: { lte: 0 } } } as const;
  return prisma.charge.findFirst({
    where: { ...terms, id: { in: ids }, merchantId, mode, OR: withPaid ? [open, paid] : [open] },
    // The status sorts `pending` first, because an open charge is more urgent than a paid one.
    orderBy: [{ status: 'asc' }, { id: 'desc' }],
  });
}
