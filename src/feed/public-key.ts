import { createPublicKey, type KeyObject } from 'node:crypto';
import { FeedInputError } from './feed-input-error.ts';

const modulusBitsMin = 2_048;

/** Reads an RSA public key: a PEM of a key or certificate, or hexadecimal DER (PKCS #1). */
export function readPublicKey(text: string): KeyObject {
  const trimmed = text.trim();
  let key: KeyObject;
  try {
    key = /^[0-9a-f\s]+$/i.test(trimmed)
      ? createPublicKey({ key: Buffer.from(trimmed.replace(/\s/g, ''), 'hex'), format: 'der', type: 'pkcs1' })
      : createPublicKey(trimmed);
  } catch {
    throw new FeedInputError('must be an RSA public key or certificate in PEM format');
  }
  // A private key in PEM format also yields a public key; it must not be stored as one.
  if (/PRIVATE KEY/.test(trimmed)) throw new FeedInputError('must be a public key, not a private key');
  if (key.asymmetricKeyType !== 'rsa') throw new FeedInputError('must be an RSA key');
  if ((key.asymmetricKeyDetails?.modulusLength ?? 0) < modulusBitsMin)
    throw new FeedInputError(`must have at least ${modulusBitsMin} bits`);
  return key;
}
