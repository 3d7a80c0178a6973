import type { Charge, Invoice, Subscription, SubscriptionPlan } from '../../../../prisma/client/client.ts';
import type { Tx } from '../../../kit/db.ts';
import { DomainError } from '../../../kit/errors.ts';
import type { ScopedId } from '../../../kit/merchant-scope.ts';

/** A subscription locked until the transaction ends, with its plan and open invoice. */
export type LockedSubscription = {
  subscription: Subscription;
  plan: SubscriptionPlan;
  openInvoice: Invoice | null;
};

/**
 * Locks a subscription and returns it. To avoid deadlocks, callers that also lock charges of the subscription
 * must lock them first. Throws `subscription_not_found`.
 */
export async function lockSubscription(tx: Tx, id: string): Promise<LockedSubscription> {
  await tx.$queryRaw`SELECT 1 FROM subscription WHERE id = ${id} FOR UPDATE`;
  return readLockedSubscription(tx, id);
}

/** Locks a subscription and, before it, its pending charges. Throws `subscription_not_found`. */
export async function lockSubscriptionAndCharges(
  tx: Tx,
  options: ScopedId,
): Promise<LockedSubscription & { pendingCharges: Charge[] }> {
  const { merchantId, mode, id } = options;
  await lockPendingCharges(tx, options);
  const rows = await tx.$queryRaw<unknown[]>`SELECT 1 FROM subscription
    WHERE id = ${id} AND merchant_id = ${merchantId} AND mode = ${mode}::mode FOR UPDATE`;
  if (rows.length === 0) throw subscriptionNotFoundError(id);
  // A charge may have been inserted between the two locks. If a payment has locked that charge and waits for
  // the subscription, PostgreSQL aborts one of the transactions, which is then retried.
  await lockPendingCharges(tx, options);
  const pendingCharges = await tx.charge.findMany({
    where: { subscriptionId: id, status: 'pending' },
    orderBy: { id: 'asc' },
  });
  return { ...(await readLockedSubscription(tx, id)), pendingCharges };
}

async function lockPendingCharges(tx: Tx, { merchantId, mode, id }: ScopedId): Promise<void> {
  await tx.$queryRaw`SELECT 1 FROM charge WHERE subscription_id = ${id} AND status = 'pending'
    AND merchant_id = ${merchantId} AND mode = ${mode}::mode ORDER BY id FOR UPDATE`;
}

async function readLockedSubscription(tx: Tx, id: string): Promise<LockedSubscription> {
  const [target] = await readLockedSubscriptions(tx, [id]);
  if (!target) throw subscriptionNotFoundError(id);
  return target;
}

/** Returns subscriptions that the caller has locked, in the order of their IDs. */
export async function readLockedSubscriptions(tx: Tx, ids: string[]): Promise<LockedSubscription[]> {
  const rows: (Subscription & { plan: SubscriptionPlan; invoices: Invoice[] })[] =
    await tx.subscription.findMany({
      where: { id: { in: ids } },
      include: { plan: true, invoices: { where: { status: 'open' } } },
      orderBy: { id: 'asc' },
    });
  return rows.map(({ plan, invoices, ...subscription }) => ({
    subscription,
    plan,
    openInvoice: invoices[0] ?? null,
  }));
}

export function subscriptionNotFoundError(id: string): DomainError {
  return new DomainError('subscription_not_found', `Subscription not found: ${id}`);
}
