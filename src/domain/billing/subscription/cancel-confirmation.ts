import type { Subscription } from '../../../../prisma/client/client.ts';
import type { SystemTime } from '../../../kit/clock.ts';
import { hourMs } from '../../../kit/duration.ts';
import type { Secrets } from '../../../kit/secrets.ts';

export const confirmationLifetimeMs = hourMs;

/**
 * Creates the token of the link by which a customer confirms a cancellation. The link is sent by email or
 * SMS, so the token proves access to the customer's address. It consists of an expiry time and an HMAC, so
 * nothing is stored. It is valid until the subscription's page links are replaced. `now` is the system time.
 */
export function createCancelConfirmation(
  secrets: Secrets,
  subscription: Subscription,
  now: SystemTime,
): string {
  const expiresAt = now.getTime() + confirmationLifetimeMs;
  const text = toSignedText(subscription, expiresAt);
  return `${expiresAt}.${secrets.sign('cancel-confirmation', subscription.mode, text)}`;
}

export function isCancelConfirmation(
  secrets: Secrets,
  subscription: Subscription,
  { text, now }: { text: string; now: SystemTime },
): boolean {
  const [expiryText = '', signature = ''] = text.split('.', 2);
  const expiresAt = Number(expiryText);
  if (!Number.isSafeInteger(expiresAt) || expiresAt < now.getTime()) return false;
  const { mode, merchantId } = subscription;
  const signed = { text: toSignedText(subscription, expiresAt), signature, merchantId };
  return text === `${expiresAt}.${signature}` && secrets.verify('cancel-confirmation', mode, signed);
}

function toSignedText({ id, linkVersion }: Subscription, expiresAt: number): string {
  return `${id} ${linkVersion} ${expiresAt}`;
}
