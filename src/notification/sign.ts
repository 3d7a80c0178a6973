import { type KeyObject, sign as signBytes } from 'node:crypto';
import { promisify } from 'node:util';

const signAsync = promisify<string, Buffer, KeyObject, Buffer>(signBytes);

/**
 * RSA (PKCS #1 v1.5) with SHA-256 over the payload's UTF-8 bytes, base64: what `openssl dgst -sha256 -verify` checks.
 * The same key and payload give the same signature. Runs on another thread.
 */
export async function signPayload(payload: string, privateKey: KeyObject): Promise<string> {
  return (await signAsync('RSA-SHA256', Buffer.from(payload, 'utf8'), privateKey)).toString('base64');
}
