import type { SubscriberArgs, SubscriberConfig } from '@medusajs/framework';
import { Modules, PaymentEvents } from '@medusajs/framework/utils';
import { settlePaymentSession } from '../settle.ts';

/** Updates the payment state in the order's metadata after a payment has been captured. */
export default async function notePayment({
  event,
  container,
}: SubscriberArgs<{ id: string }>): Promise<void> {
  const payment = await container
    .resolve(Modules.PAYMENT)
    .retrievePayment(event.data.id, { relations: ['payment_session'] });
  if (!payment.provider_id.startsWith('pp_causeway')) return;
  if (payment.payment_session) await settlePaymentSession(container, payment.payment_session.id);
}

export const config: SubscriberConfig = {
  event: PaymentEvents.CAPTURED,
  context: { subscriberId: 'causeway-payment-captured' },
};
