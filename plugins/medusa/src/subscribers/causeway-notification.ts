import type { SubscriberArgs, SubscriberConfig } from '@medusajs/framework';
import type { ProviderWebhookPayload } from '@medusajs/framework/types';
import { Modules, PaymentActions, PaymentWebhookEvents } from '@medusajs/framework/utils';
import { settlePaymentSession } from '../settle.ts';

/**
 * Handles the notifications that Medusa ignores: part payments, overpayments, expiry, cancellation and refunds. Also
 * cancels the order of a completed charge whose payment the bank has reversed.
 */
export default async function receiveNotification({
  event,
  container,
}: SubscriberArgs<ProviderWebhookPayload>): Promise<void> {
  const { provider, payload } = event.data;
  if (!/^(?:pp_)?causeway(?:_|$)/.test(provider)) return;
  const rawData = toBuffer(payload.rawData);
  const result = await container
    .resolve(Modules.PAYMENT)
    .getWebhookActionAndData({ provider, payload: { ...payload, rawData } });
  if (!result.data) return;
  // Medusa captures the payment, and then emits `payment.captured`.
  const canCapture = result.action !== PaymentActions.SUCCESSFUL;
  await settlePaymentSession(container, result.data.session_id, { canCapture });
}

/** An event bus on Redis serializes buffers as JSON. */
function toBuffer(rawData: unknown): string | Buffer {
  const { type, data } = rawData as { type?: string; data?: number[] };
  return type === 'Buffer' && data ? Buffer.from(data) : (rawData as string | Buffer);
}

export const config: SubscriberConfig = {
  event: PaymentWebhookEvents.WebhookReceived,
  context: { subscriberId: 'causeway-notification' },
};
