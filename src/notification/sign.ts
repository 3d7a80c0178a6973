import { createHmac, type KeyObject, sign as signBytes } from 'node:crypto';
import { promisify } from 'node:util';

const signAsync = promisify<string, Buffer, KeyObject, Buffer>(signBytes);

/**
 * RSA (PKCS #1 v1.5) with SHA-256 over the payload's UTF-8 bytes, base64: what `openssl dgst -sha256 -verify` checks.
 * The same key and payload give the same signature. Runs on another thread.
 */
export async function signPayload(payload: string, privateKey: KeyObject): Promise<string> {
  return (await signAsync('RSA-SHA256', Buffer.from(payload, 'utf8'), privateKey)).toString('base64');
}

/** What a secret of Standard Webhooks begins with; base64 follows. */
export const signingSecretPrefix = 'whsec_';

/**
 * The header `webhook-signature` of Standard Webhooks: for each secret `v1,` and the HMAC-SHA-256 over id, timestamp and
 * body in base64. A receiver takes the message when one of them fits.
 */
export function standardSignatures(
  secrets: readonly string[],
  { id, timestamp, body }: { id: string; timestamp: string; body: string },
): string {
  const signedContent = `${id}.${timestamp}.${body}`;
  return secrets
    .map((secret) => {
      const key = Buffer.from(secret.slice(signingSecretPrefix.length), 'base64');
      return `v1,${createHmac('sha256', key).update(signedContent).digest('base64')}`;
    })
    .join(' ');
}
