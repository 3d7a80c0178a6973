import type { SubscriberArgs, SubscriberConfig } from '@medusajs/framework';
import { ContainerRegistrationKeys, OrderWorkflowEvents } from '@medusajs/framework/utils';
import { createClients } from '../options.ts';
import { closeSession } from '../payment-state.ts';
import { settlePaymentSession } from '../settle.ts';

type PaymentSessions = { id: string; provider_id: string; data: Record<string, unknown> | null }[];
type LinkedCollection = { payment_collection?: { payment_sessions?: PaymentSessions } };

/** Ends the payment when staff cancel an unpaid order, so that the customer can no longer pay. */
export default async function endPayment({
  event,
  container,
}: SubscriberArgs<{ id: string }>): Promise<void> {
  const query = container.resolve(ContainerRegistrationKeys.QUERY);
  const { data } = await query.graph({
    entity: 'order_payment_collection',
    fields: [
      'payment_collection.payment_sessions.id',
      'payment_collection.payment_sessions.provider_id',
      'payment_collection.payment_sessions.data',
    ],
    filters: { order_id: event.data.id },
  });
  const collections = data as LinkedCollection[];
  const sessions = collections.flatMap((link) => link.payment_collection?.payment_sessions ?? []);
  const clients = createClients(container);
  for (const session of sessions) {
    const causeway = clients.get(session.provider_id);
    const id = session.data?.causeway_session_id;
    if (!causeway || !id) continue;
    await closeSession(causeway, String(id));
    await settlePaymentSession(container, session.id);
  }
}

export const config: SubscriberConfig = {
  event: OrderWorkflowEvents.CANCELED,
  context: { subscriberId: 'causeway-order-canceled' },
};
