import type { Subscription } from '../../../../prisma/client/client.ts';
import type { SystemTime } from '../../../kit/clock.ts';
import { hourMs, minuteMs } from '../../../kit/duration.ts';
import { isSameText, type Secrets } from '../../../kit/secrets.ts';

export const confirmationLifetimeMs = hourMs;

/**
 * Creates the token of the link by which a customer confirms a cancellation. The link is sent by email or SMS, so the
 * token proves access to the customer's address. It consists of an expiry time and an HMAC, so nothing is stored.
 */
export function createCancelConfirmation(
  secrets: Secrets,
  subscription: Subscription,
  now: SystemTime,
): string {
  return toConfirmation(secrets, subscription, now.getTime() + confirmationLifetimeMs);
}

function toConfirmation(secrets: Secrets, subscription: Subscription, expiresAt: number): string {
  const text = toSignedText(subscription, expiresAt);
  return `${expiresAt}.${secrets.sign('cancel-confirmation', subscription.mode, text)}`;
}

/** The signature of a short token has 96 bits. */
const shortSignatureLength = 16;

/**
 * Creates a token for the short link in an SMS, of which a segment has few characters: the ID without its prefix, the
 * minute of the expiry in base 36, and a part of the signature.
 */
export function createShortConfirmation(
  secrets: Secrets,
  subscription: Subscription,
  now: SystemTime,
): string {
  const minute = Math.floor((now.getTime() + confirmationLifetimeMs) / minuteMs);
  const [, signature = ''] = toConfirmation(secrets, subscription, minute * minuteMs).split('.');
  return toShortConfirmation(subscription, minute, signature);
}

function toShortConfirmation({ id }: Subscription, minute: number, signature: string): string {
  return `${id.slice(idPrefix.length)}.${minute.toString(36)}.${signature.slice(0, shortSignatureLength)}`;
}

const idPrefix = 'sub_';

/** Returns the ID of the subscription in a short token, without verifying the token. */
export function getShortConfirmationId(token: string): string {
  return `${idPrefix}${token.split('.', 1)[0]}`;
}

/** Returns the long token for a short token, or undefined if its signature is invalid. Does not check the expiry. */
export function expandConfirmation(
  secrets: Secrets,
  subscription: Subscription,
  token: string,
): string | undefined {
  const minute = Number.parseInt(token.split('.')[1] ?? '', 36);
  const expiresAt = minute * minuteMs;
  if (!Number.isSafeInteger(expiresAt)) return undefined;
  const { mode, merchantId } = subscription;
  const text = toSignedText(subscription, expiresAt);
  const isValid = secrets
    .listSignatures('cancel-confirmation', mode, text, merchantId)
    .map((mac) => toShortConfirmation(subscription, minute, mac.toString('base64url')))
    .some((candidate) => isSameText(candidate, token));
  return isValid ? toConfirmation(secrets, subscription, expiresAt) : undefined;
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
