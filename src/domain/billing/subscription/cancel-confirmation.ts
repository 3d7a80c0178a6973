import type { Subscription } from '../../../../prisma/client/client.ts';
import type { MachineTime } from '../../../kit/clock.ts';
import { hourMs } from '../../../kit/duration.ts';
import type { Secrets } from '../../../kit/secrets.ts';

export const confirmationLifetimeMs = hourMs;

/**
 * Creates a token that proves access to the customer's email or SMS: an expiry time with an HMAC. It is valid
 * only for the current page generation. Nothing is stored. `now` is the system time.
 */
export function createCancelConfirmation(
  secrets: Secrets,
  subscription: Subscription,
  now: MachineTime,
): string {
  const expiresAt = now.getTime() + confirmationLifetimeMs;
  const text = signedText(subscription, expiresAt);
  return `${expiresAt}.${secrets.sign('cancel-confirmation', subscription.mode, text)}`;
}

export function isCancelConfirmation(
  secrets: Secrets,
  subscription: Subscription,
  { text, now }: { text: string; now: MachineTime },
): boolean {
  const [time = '', signature = ''] = text.split('.', 2);
  const expiresAt = Number(time);
  if (!Number.isSafeInteger(expiresAt) || expiresAt < now.getTime()) return false;
  const signed = { text: signedText(subscription, expiresAt), signature };
  return (
    text === `${expiresAt}.${signature}` && secrets.verify('cancel-confirmation', subscription.mode, signed)
  );
}

function signedText({ id, linkVersion }: Subscription, expiresAt: number): string {
  return `${id} ${linkVersion} ${expiresAt}`;
}
