import type { Subscription } from '../../../../prisma/client/client.ts';
import type { MachineTime } from '../../../kit/clock.ts';
import { hourMs } from '../../../kit/duration.ts';
import type { Secrets } from '../../../kit/secrets.ts';

/** How long the link is good. */
export const confirmationLifetimeMs = hourMs;

/**
 * Proves that who cancels on the page reads the customer's mail, or SMS: the time it ends and an HMAC over it, for this
 * state of the subscription alone. Nothing is stored; `now` is the machine's time.
 */
export function cancelConfirmation(secrets: Secrets, subscription: Subscription, now: MachineTime): string {
  const endsAt = now.getTime() + confirmationLifetimeMs;
  const text = signedText(subscription, endsAt);
  return `${endsAt}.${secrets.sign('cancel-confirmation', subscription.mode, text)}`;
}

export function isCancelConfirmation(
  secrets: Secrets,
  subscription: Subscription,
  { text, now }: { text: string; now: MachineTime },
): boolean {
  const [time = '', signature = ''] = text.split('.', 2);
  const endsAt = Number(time);
  if (!Number.isSafeInteger(endsAt) || endsAt < now.getTime()) return false;
  const signed = { text: signedText(subscription, endsAt), signature };
  return (
    text === `${endsAt}.${signature}` && secrets.verify('cancel-confirmation', subscription.mode, signed)
  );
}

function signedText({ id, pageGeneration }: Subscription, endsAt: number): string {
  return `${id} ${pageGeneration} ${endsAt}`;
}
