import { randomBytes } from 'node:crypto';
import { type EventType, eventTypes, isSubscribedTo } from '../../../event/catalog.ts';
import { invalidInputError } from '../../../kit/errors.ts';
import { checkInteger } from '../../../kit/integer.ts';
import { checkText, checkTrimmed } from '../../../kit/text.ts';
import { signingSecretPrefix } from '../../../notification/sign.ts';

const credentialLengthMax = 255;
const nameLengthMax = 80;
const concurrencyMax = 50;
const rateMax = 1_000;
/** 256 bits; Standard Webhooks requires 24 to 64 bytes. */
const signingSecretBytes = 32;

/** Returns the trimmed name; `''` if there is none. */
export function parseName(name: string | null | undefined): string {
  return checkTrimmed(name, '/name', nameLengthMax);
}

/** Basic authentication ends the username at the first colon (RFC 7617). */
export function parseUsername(text: string): string {
  if (text.includes(':')) throw invalidInputError('/username', 'must not contain a colon');
  return parseCredential(text, '/username');
}

export function parsePassword(text: string): string {
  return parseCredential(text, '/password');
}

function parseCredential(text: string, path: string): string {
  if (text === '') throw invalidInputError(path, 'must not be empty');
  if (/\p{Cc}/u.test(text)) throw invalidInputError(path, 'must not contain control characters');
  return checkText(text, path, credentialLengthMax);
}

/** Returns the unique event types. Throws 400 if the version does not support one of them. */
export function parseEventTypes(types: readonly EventType[], version: string): EventType[] {
  const versionTypes = (Object.keys(eventTypes) as EventType[]).filter((type) =>
    isSubscribedTo({ version, eventTypes: [] }, type),
  );
  for (const [i, type] of types.entries()) {
    if (versionTypes.includes(type)) continue;
    throw invalidInputError(
      `/eventTypes/${i}`,
      `must be an event type of notification version ${version}: ${versionTypes.join(', ')}`,
    );
  }
  return [...new Set(types)];
}

export function parseConcurrency(value: number | null): number | null {
  return parseLimit(value, '/concurrency', concurrencyMax);
}

export function parseRate(value: number | null): number | null {
  return parseLimit(value, '/ratePerSecond', rateMax);
}

function parseLimit(value: number | null, path: string, max: number): number | null {
  if (value === null) return null;
  return checkInteger(value, path, { min: 1, max });
}

/** Generates a secret in the Standard Webhooks format. */
export function generateSigningSecret(): string {
  return `${signingSecretPrefix}${randomBytes(signingSecretBytes).toString('base64')}`;
}

export function generateWebhookPassword(): string {
  return randomBytes(24).toString('base64url');
}
