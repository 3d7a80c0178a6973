import { createHmac, randomBytes } from 'node:crypto';
import { isSameText } from './secrets.ts';

/**
 * Time-based one-time passwords (RFC 6238) as authenticator apps create them: HMAC-SHA-1, 6 digits, steps of
 * 30 seconds. Secrets are in base 32 (RFC 4648) without padding.
 */
const stepSeconds = 30;
const digits = 6;
const secretBytes = 20;
const base32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Returns a secret of 160 random bits. */
export function newTotpSecret(): string {
  return toBase32(randomBytes(secretBytes));
}

/** Returns the number of steps since 1970. */
export function getTotpStep(now: Date): number {
  return Math.floor(now.getTime() / 1_000 / stepSeconds);
}

export function createTotpCode(secret: string, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', fromBase32(secret)).update(counter).digest();
  const offset = mac[mac.length - 1]! & 0x0f;
  const number = mac.readUInt32BE(offset) & 0x7fff_ffff;
  return String(number % 10 ** digits).padStart(digits, '0');
}

/**
 * Returns the time step to which a code belongs: the current one or, to allow for clock skew, the previous or next one.
 * Returns undefined if the code belongs to none of these.
 */
export function findTotpStep(secret: string, code: string, now: Date): number | undefined {
  const currentStep = getTotpStep(now);
  return [currentStep, currentStep - 1, currentStep + 1].find(
    (step) => step >= 0 && isSameText(createTotpCode(secret, step), code),
  );
}

/** Returns the URI for an authenticator app's QR code, in Google Authenticator's key URI format. */
export function createTotpUri(options: { secret: string; issuer: string; account: string }): string {
  const { secret, issuer, account } = options;
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(account)}`;
  return `otpauth://totp/${label}?secret=${secret}&issuer=${encodeURIComponent(issuer)}&algorithm=SHA1&digits=${digits}&period=${stepSeconds}`;
}

export function toBase32(bytes: Uint8Array): string {
  let bits = '';
  for (const byte of bytes) bits += byte.toString(2).padStart(8, '0');
  const groups = bits.match(/.{1,5}/g) ?? [];
  return groups.map((group) => base32[Number.parseInt(group.padEnd(5, '0'), 2)]).join('');
}

export function fromBase32(text: string): Buffer {
  let bits = '';
  for (const letter of text) bits += base32.indexOf(letter).toString(2).padStart(5, '0');
  const bytes = bits.match(/.{8}/g) ?? [];
  return Buffer.from(bytes.map((byte) => Number.parseInt(byte, 2)));
}
