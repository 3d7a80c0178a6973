import { type Invoice, Prisma, type Subscription } from '../../../../prisma/client/client.ts';
import type { Tx } from '../../../kit/db.ts';
import { chargeInclude } from '../../payments/charge/get-charge.ts';
import type { ChargeWithRefunds } from '../../payments/charge/read-charge.ts';
import { toChargeView } from '../../payments/charge/to-charge-view.ts';
import { toCustomerView } from '../../payments/customer/to-customer-view.ts';
import { toMetadataMember } from '../../platform/metadata.ts';
import type { Service } from '../../platform/service.ts';
import { toInvoiceView } from '../invoice/to-invoice-view.ts';
import { getSubscriptionPhase } from './subscription-state.ts';

/** The newest invoices and charges of a subscription, at most 50 each. */
export type SubscriptionParts = { invoices: Invoice[]; charges: ChargeWithRefunds[] };

const partsMax = 50;

/** Returns the subscription as the API documents it. */
export function toSubscriptionView(
  service: Pick<Service, 'secrets' | 'settings'>,
  subscription: Subscription,
  parts: SubscriptionParts,
) {
  return {
    id: subscription.id,
    subscriptionPlanId: subscription.planId,
    customer: toCustomerView(subscription),
    status: subscription.status,
    phase: getSubscriptionPhase(subscription),
    ...(subscription.notifyPayload !== null && { notifyPayload: subscription.notifyPayload }),
    ...toMetadataMember(subscription.metadata),
    createdAt: subscription.createdAt.toISOString(),
    updatedAt: subscription.updatedAt.toISOString(),
    invoices: parts.invoices.map((invoice) => toInvoiceView(service, invoice, subscription)),
    charges: parts.charges.map(toChargeView),
    nextPayment: subscription.nextPayment?.toISOString() ?? null,
    activeUntil: subscription.activeUntil?.toISOString() ?? null,
    numPaymentsComplete: subscription.numPaymentsComplete,
  };
}

/**
 * Loads the newest invoices and charges of several subscriptions, newest first, in a fixed number of
 * statements.
 */
export async function loadSubscriptionParts(
  prisma: Pick<Tx, '$queryRaw' | 'invoice' | 'charge'>,
  ids: readonly string[],
): Promise<Map<string, SubscriptionParts>> {
  const newestFirst = { orderBy: { id: 'desc' } } as const;
  const invoiceIds = await readNewestIds(prisma, Prisma.sql`invoice`, ids);
  const chargeIds = await readNewestIds(prisma, Prisma.sql`charge`, ids);
  const invoices = await prisma.invoice.findMany({ where: { id: { in: invoiceIds } }, ...newestFirst });
  const charges = await prisma.charge.findMany({
    where: { id: { in: chargeIds } },
    include: chargeInclude,
    ...newestFirst,
  });
  const invoicesBySubscription = Map.groupBy(invoices, (invoice) => invoice.subscriptionId);
  const chargesBySubscription = Map.groupBy(charges, (charge) => charge.subscriptionId);
  return new Map(
    ids.map((id) => [
      id,
      { invoices: invoicesBySubscription.get(id) ?? [], charges: chargesBySubscription.get(id) ?? [] },
    ]),
  );
}

async function readNewestIds(
  prisma: Pick<Tx, '$queryRaw'>,
  table: Prisma.Sql,
  ids: readonly string[],
): Promise<string[]> {
  const rows = await prisma.$queryRaw<{ id: string }[]>`
    SELECT row.id FROM unnest(${[...ids]}::text[]) AS parent(id) CROSS JOIN LATERAL
      (SELECT id FROM ${table} WHERE subscription_id = parent.id ORDER BY id DESC LIMIT ${partsMax}) AS row`;
  return rows.map(({ id }) => id);
}
