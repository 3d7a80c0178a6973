import type { Subscription } from '../../../prisma/client/client.ts';
import { hourMs } from '../../kit/duration.ts';
import { type Secrets, sameText } from '../../kit/secrets.ts';

/** How long the link is good. */
export const confirmationLifetimeMs = hourMs;

const purpose = 'cancel-subscription';

/**
 * Proves that who cancels on the page reads the customer's mail, or SMS: the time it ends and an HMAC over it, for this
 * state of the subscription alone. Nothing is stored; `now` is the machine's time.
 */
export function cancelConfirmation(secrets: Secrets, subscription: Subscription, now: Date): string {
  const endsAt = now.getTime() + confirmationLifetimeMs;
  return toText(endsAt, secrets.sign(purpose, signedText(subscription, endsAt)));
}

export function isCancelConfirmation(
  secrets: Secrets,
  subscription: Subscription,
  { text, now }: { text: string; now: Date },
): boolean {
  const endsAt = Number(text.slice(0, Math.max(text.indexOf('.'), 0)));
  if (!Number.isSafeInteger(endsAt) || endsAt < now.getTime()) return false;
  const signatures = secrets.signatures(purpose, signedText(subscription, endsAt));
  return signatures.some((signature) => sameText(text, toText(endsAt, signature)));
}

function signedText({ id, pageGeneration }: Subscription, endsAt: number): string {
  return `${id} ${pageGeneration} ${endsAt}`;
}

function toText(endsAt: number, signature: Buffer): string {
  return `${endsAt}.${signature.toString('base64url')}`;
}
