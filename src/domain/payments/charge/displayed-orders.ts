import type { Charge } from '../../../../prisma/client/client.ts';
import type { Tx } from '../../../kit/db.ts';
import type { OrderLine } from '../../platform/order-line.ts';

/** The subscription of a charge, with the name of its plan. */
type SubscriptionWithPlanName = { plan: { name: string } } | null | undefined;

/** Returns the lines that the customer sees. A subscription without order lines shows the name of its plan. */
export function getDisplayedOrders(
  { orders }: Pick<Charge, 'orders'>,
  subscription: SubscriptionWithPlanName,
): OrderLine[] {
  const lines = orders as OrderLine[];
  return lines.length === 0 && subscription ? [{ name: subscription.plan.name }] : lines;
}

/** Returns the result of `getDisplayedOrders` for each of the charges, by ID. */
export async function findDisplayedOrders(
  tx: Tx,
  charges: readonly Pick<Charge, 'id' | 'orders' | 'subscriptionId'>[],
): Promise<Map<string, OrderLine[]>> {
  const ids = charges.flatMap(({ subscriptionId }) => subscriptionId ?? []);
  const subscriptions =
    ids.length === 0
      ? []
      : await tx.subscription.findMany({
          where: { id: { in: ids } },
          select: { id: true, plan: { select: { name: true } } },
        });
  const byId = new Map(subscriptions.map((subscription) => [subscription.id, subscription]));
  return new Map(
    charges.map((charge) => {
      const { id, subscriptionId } = charge;
      return [id, getDisplayedOrders(charge, subscriptionId === null ? null : byId.get(subscriptionId))];
    }),
  );
}
