import type { Charge, CheckoutSession, Prisma } from '../../../../prisma/client/client.ts';
import type { MerchantTime } from '../../../kit/clock.ts';
import type { Db } from '../../../kit/db.ts';
import { hourMs } from '../../../kit/duration.ts';
import { DomainError } from '../../../kit/errors.ts';
import type { MerchantScope } from '../../../kit/merchant-scope.ts';
import { getSessionStatusAt, pickCurrentCharge } from '../session/session-state.ts';

type SaleCharge = Pick<
  Charge,
  'id' | 'method' | 'receivingAccountId' | 'status' | 'version' | 'expiresAt' | 'completedAt'
>;

/** A session that a user created at the counter, with its current charge. */
export type CounterSale = CheckoutSession & { charge: SaleCharge | null };

type SaleRow = CheckoutSession & { charges: (SaleCharge & Pick<Charge, 'replacesId'>)[] };

type CounterSaleStatus = 'open' | 'paying' | 'paid' | 'cancelled' | 'expired';

/** A user sees only their own sales. */
export type Seller = MerchantScope & { sellerId: string };

const chargeFields = {
  charges: {
    select: {
      id: true,
      method: true,
      receivingAccountId: true,
      status: true,
      version: true,
      replacesId: true,
      expiresAt: true,
      completedAt: true,
    },
  },
} as const;

const recentMs = 24 * hourMs;
const recentMax = 50;
const olderUnpaidMax = 200;

/**
 * Returns the seller's sales of the last 24 hours, newest first: the newest of any status, and the older ones that can
 * still be paid.
 */
export async function findRecentSales(
  { prisma }: Pick<Db, 'prisma'>,
  { now, ...seller }: Seller & { now: Date },
): Promise<CounterSale[]> {
  const where = { ...seller, createdAt: { gt: new Date(now.getTime() - recentMs) } };
  const options = { include: chargeFields, orderBy: { id: 'desc' } } as const;
  const newest = await prisma.checkoutSession.findMany({ where, ...options, take: recentMax });
  if (newest.length < recentMax) return newest.map(toSale);
  const isUnpaid = [
    { status: { in: ['created', 'initiated'] }, expiresAt: { gte: now } },
    { charges: { some: { status: 'pending', expiresAt: { gte: now } } } },
  ] satisfies Prisma.CheckoutSessionWhereInput[];
  const olderUnpaid = await prisma.checkoutSession.findMany({
    where: { ...where, id: { lt: newest.at(-1)!.id }, OR: isUnpaid },
    ...options,
    take: olderUnpaidMax,
  });
  return [...newest, ...olderUnpaid].map(toSale);
}

/** Returns a sale of the seller, or null, also for the sale of another user. */
export async function findCounterSale(
  { prisma }: Pick<Db, 'prisma'>,
  options: Seller & { id: string },
): Promise<CounterSale | null> {
  const row = await prisma.checkoutSession.findFirst({ where: options, include: chargeFields });
  return row && toSale(row);
}

function toSale({ charges, ...session }: SaleRow): CounterSale {
  return { ...session, charge: pickCurrentCharge(charges) };
}

/** Like {@link findCounterSale}, but throws `session_not_found`. */
export async function getCounterSale(
  db: Pick<Db, 'prisma'>,
  options: Seller & { id: string },
): Promise<CounterSale> {
  const sale = await findCounterSale(db, options);
  if (!sale) throw new DomainError('session_not_found', `Sale not found: ${options.id}`);
  return sale;
}

export function getCounterSaleStatus(
  { charge, ...session }: CounterSale,
  now: MerchantTime,
): CounterSaleStatus {
  if (charge) {
    if (charge.status === 'completed') return 'paid';
    if (charge.status !== 'pending') return charge.status;
    return charge.expiresAt < now ? 'expired' : 'paying';
  }
  const status = getSessionStatusAt(session, now);
  return status === 'cancelled' || status === 'expired' ? status : 'open';
}
