import type { ChargeStatus, Prisma } from '../../../prisma/client/client.ts';
import { foldEmail, phoneDigits } from '../../kit/contact.ts';
import { type Db, readTogether } from '../../kit/db.ts';
import type { Owner } from '../../kit/owner.ts';
import { chargeInclude } from '../charge/get-charge.ts';
import type { ChargeWithRefunds } from '../charge/read-charge.ts';
import { after, madeBetween } from '../made-between.ts';
import type { CountedFilter } from './charge-conditions.ts';
import { findCountedPage } from './find-counted-page.ts';

/** Filters of the interface; dates are inclusive at both ends. The phone counts only without an e-mail. */
export type ChargeFilter = {
  method?: string | undefined;
  /** One, or any of several. */
  status?: ChargeStatus | readonly ChargeStatus[] | undefined;
  startDate?: Date | undefined;
  endDate?: Date | undefined;
  customerCurrency?: string | undefined;
  customerEmail?: string | undefined;
  customerPhone?: string | undefined;
  /** What was asked of the customer, in the merchant's currency; inclusive at both ends. */
  merchantAmount?: { currency: string; min?: bigint | undefined; max?: bigint | undefined } | undefined;
};

export type ChargePage = { charges: ChargeWithRefunds[]; total: number };

type Asked = Owner & { filter: ChargeFilter; page: number; limit: number };

/** One page of the merchant's charges, newest first, with the exact total of the same moment. */
export async function findCharges(db: Db, options: Asked): Promise<ChargePage> {
  const { page, limit, filter, ...owner } = options;
  const counted = countedFilter(filter);
  if (counted) return findCountedPage(db, owner, { filter: counted, skip: (page - 1) * limit, take: limit });
  return findPage(db, options);
}

/** By customer or amount: an index leads to the few that fit, so they are counted themselves. */
async function findPage(db: Db, options: Asked): Promise<ChargePage> {
  const { page, limit } = options;
  const where = chargeWhere(options);
  const [total, charges] = await readTogether(db, [
    db.prisma.charge.count({ where }),
    db.prisma.charge.findMany({
      where,
      include: chargeInclude,
      orderBy: { id: 'desc' },
      skip: (page - 1) * limit,
      take: limit,
    }),
  ]);
  return { charges, total };
}

/** The filter as the counts of charges know it; undefined where it asks for more than they tell. */
export function countedFilter(filter: ChargeFilter): CountedFilter | undefined {
  const { status, method, customerCurrency, startDate, endDate, ...others } = filter;
  if (Object.values(others).some((value) => value !== undefined)) return undefined;
  return {
    statuses: status && [status].flat(),
    method,
    customerCurrency,
    from: startDate ?? null,
    until: endDate ? after(endDate) : null,
  };
}

/** The filter as Prisma says it; every query starts from merchant and mode. */
export function chargeWhere(options: Owner & { filter: ChargeFilter }): Prisma.ChargeWhereInput {
  const { merchantId, mode, filter } = options;
  const { customerEmail, customerPhone, merchantAmount: amount } = filter;
  return {
    merchantId,
    mode,
    ...(filter.method !== undefined && { method: filter.method }),
    ...(filter.status !== undefined && { status: { in: [filter.status].flat() } }),
    ...(filter.customerCurrency !== undefined && { customerCurrency: filter.customerCurrency }),
    ...madeBetween('charge', filter),
    ...(amount && {
      merchantCurrency: amount.currency,
      // Exact as numbers (amounts are below 10^15 minor units), which a kept filter can hold as JSON.
      merchantAmount: {
        ...(amount.min !== undefined && { gte: Number(amount.min) }),
        ...(amount.max !== undefined && { lte: Number(amount.max) }),
      },
    }),
    // Whose customer it is, is said again for the index.
    ...(customerEmail !== undefined && { customer: { merchantId, mode, email: foldEmail(customerEmail) } }),
    ...(customerEmail === undefined &&
      customerPhone !== undefined && { phone: `+${phoneDigits(customerPhone)}` }),
  };
}
