import type { Prisma, Subscription } from '../../../../prisma/client/client.ts';
import { foldEmail, toPhoneDigits } from '../../../kit/contact.ts';
import { type Db, readBatch } from '../../../kit/db.ts';
import type { MerchantScope, ScopedId } from '../../../kit/merchant-scope.ts';
import { createdBetween } from '../../platform/created-between.ts';
import { buildMetadataFilter, type MetadataFilter } from '../../platform/metadata.ts';
import { subscriptionNotFoundError } from './lock-subscription.ts';
import { loadSubscriptionParts, type SubscriptionParts } from './to-subscription-view.ts';

/**
 * A subscription must match all conditions. Dates are inclusive at both ends. `customerPhone` is ignored if
 * `customerEmail` is set.
 */
type SubscriptionFilter = MetadataFilter & {
  subscriptionPlanId?: string | undefined;
  startDate?: Date | undefined;
  endDate?: Date | undefined;
  customerCurrency?: string | undefined;
  customerEmail?: string | undefined;
  customerPhone?: string | undefined;
};

export type SubscriptionWithParts = { subscription: Subscription; parts: SubscriptionParts };

/** Returns one page of the merchant's subscriptions, newest first, with the exact total. */
export async function findSubscriptions(
  db: Db,
  options: MerchantScope & { filter: SubscriptionFilter; page: number; limit: number },
): Promise<{ subscriptions: SubscriptionWithParts[]; total: number }> {
  const { page, limit } = options;
  const where = buildSubscriptionFilter(options);
  const [total, rows] = await readBatch(db, [
    db.prisma.subscription.count({ where }),
    db.prisma.subscription.findMany({
      where,
      orderBy: { id: 'desc' },
      skip: (page - 1) * limit,
      take: limit,
    }),
  ]);
  const parts = await loadSubscriptionParts(
    db.prisma,
    rows.map(({ id }) => id),
  );
  return {
    subscriptions: rows.map((subscription) => ({ subscription, parts: parts.get(subscription.id)! })),
    total,
  };
}

/** Returns the filter as a Prisma condition, always limited to the merchant and mode. */
export function buildSubscriptionFilter(
  options: MerchantScope & { filter: SubscriptionFilter },
): Prisma.SubscriptionWhereInput {
  const { merchantId, mode, filter } = options;
  const { customerEmail, customerPhone } = filter;
  return {
    merchantId,
    mode,
    ...(filter.subscriptionPlanId !== undefined && { planId: filter.subscriptionPlanId }),
    ...(filter.customerCurrency !== undefined && { customerCurrency: filter.customerCurrency }),
    AND: createdBetween('subscription', filter),
    ...(filter.notifyPayload !== undefined && { notifyPayload: filter.notifyPayload }),
    ...buildMetadataFilter(filter.metadata),
    // Repeats the merchant and mode, so that the query can use the index of customers.
    // A subscription without an email does not match the email that its customer provided later.
    ...(customerEmail !== undefined && {
      customer: { merchantId, mode, email: foldEmail(customerEmail) },
      email: { not: null },
    }),
    ...(customerEmail === undefined &&
      customerPhone !== undefined && { phone: `+${toPhoneDigits(customerPhone)}` }),
  };
}

/** Returns one subscription with its newest invoices and charges. Throws `subscription_not_found`. */
export async function getSubscription(db: Db, options: ScopedId): Promise<SubscriptionWithParts> {
  const { merchantId, mode, id } = options;
  const subscription = await db.prisma.subscription.findFirst({ where: { id, merchantId, mode } });
  if (!subscription) throw subscriptionNotFoundError(id);
  const parts = await loadSubscriptionParts(db.prisma, [id]);
  return { subscription, parts: parts.get(id)! };
}

/**
 * Returns the IDs of those subscriptions of `ids` that have a paid charge whose money was reversed by the bank or
 * undone with its statement. Omits charges that were paid again, and transfers that the merchant has reviewed.
 */
export async function findReversedSubscriptions(
  { prisma }: Pick<Db, 'prisma'>,
  { merchantId, mode }: MerchantScope,
  ids: readonly string[],
): Promise<Set<string>> {
  const rows = await prisma.$queryRaw<{ id: string }[]>`
    SELECT DISTINCT charge.subscription_id AS id FROM charge JOIN allocation ON allocation.charge_id = charge.id
    JOIN transfer ON transfer.id = allocation.transfer_id
    WHERE charge.merchant_id = ${merchantId} AND charge.mode = ${mode}::mode
      AND charge.subscription_id = ANY(${[...ids]}) AND charge.status = 'completed'
      AND allocation.amount < 0 AND allocation.reason IN ('reversed', 'statement_undone')
      AND transfer.status = 'exception' AND transfer.reason = 'reversed'`;
  return new Set(rows.map(({ id }) => id));
}
