import { createHmac, randomBytes } from 'node:crypto';
import { isSameText } from './secrets.ts';

/**
 * Time-based one-time passwords (RFC 6238) as authenticator apps make them: HMAC-SHA-1, 6 digits, steps of 30 seconds.
 * Secrets are written in base 32 (RFC 4648) without padding.
 */
const stepSeconds = 30;
const digits = 6;
const secretBytes = 20;
const base32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** A secret of 160 random bits. */
export function newTotpSecret(): string {
  return toBase32(randomBytes(secretBytes));
}

/** How many steps have gone by since 1970. */
export function getTotpStep(now: Date): number {
  return Math.floor(now.getTime() / 1_000 / stepSeconds);
}

export function totpCode(secret: string, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', fromBase32(secret)).update(counter).digest();
  const offset = mac[mac.length - 1]! & 0x0f;
  const number = mac.readUInt32BE(offset) & 0x7fff_ffff;
  return String(number % 10 ** digits).padStart(digits, '0');
}

/** The step a code is of: the present one or one beside it, for clocks that run apart. Undefined: of none of them. */
export function findTotpStep(secret: string, code: string, now: Date): number | undefined {
  const currentStep = getTotpStep(now);
  return [currentStep, currentStep - 1, currentStep + 1].find(
    (step) => step >= 0 && isSameText(totpCode(secret, step), code),
  );
}

/** The address an app reads from a QR code, after the key URI format of Google Authenticator. */
export function totpUri(options: { secret: string; issuer: string; account: string }): string {
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
