import type { Subscription } from '../../../prisma/client/client.ts';
import { type Secrets, sameText } from '../../kit/secrets.ts';

/** How long the link is good. */
export const confirmationLifetimeMs = 3_600_000;

/**
 * Proves that who cancels on the page reads the customer's mail, or SMS: the time it ends and an HMAC over it, for this state of
 * the subscription alone. Nothing is stored; `now` is the machine's time.
 */
export function cancelConfirmation(secrets: Secrets, subscription: Subscription, now: Date): string {
  return confirmationAt(secrets, subscription, now.getTime() + confirmationLifetimeMs);
}

export function isCancelConfirmation(
  secrets: Secrets,
  subscription: Subscription,
  { text, now }: { text: string; now: Date },
): boolean {
  const endsAt = Number(text.slice(0, Math.max(text.indexOf('.'), 0)));
  if (!Number.isSafeInteger(endsAt) || endsAt < now.getTime()) return false;
  return sameText(text, confirmationAt(secrets, subscription, endsAt));
}

function confirmationAt(secrets: Secrets, subscription: Subscription, endsAt: number): string {
  const { id, pageGeneration } = subscription;
  const signature = secrets.sign('cancel-subscription', `${id} ${pageGeneration} ${endsAt}`);
  return `${endsAt}.${signature.toString('base64url')}`;
}
