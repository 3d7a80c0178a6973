import { createHmac, type KeyObject, sign as signBytes } from 'node:crypto';
import { promisify } from 'node:util';

const signAsync = promisify<string, Buffer, KeyObject, Buffer>(signBytes);

/**
 * Returns the RSA signature (PKCS #1 v1.5, SHA-256) of the payload's UTF-8 bytes in base64. The signature is
 * deterministic, and is computed on another thread. `openssl dgst -sha256 -verify` can verify it.
 */
export async function signPayload(payload: string, privateKey: KeyObject): Promise<string> {
  return (await signAsync('RSA-SHA256', Buffer.from(payload, 'utf8'), privateKey)).toString('base64');
}

/** The prefix of Standard Webhooks secrets; the key follows in base64. */
export const signingSecretPrefix = 'whsec_';

/**
 * Returns the `webhook-signature` header of Standard Webhooks. For each secret, it contains `v1,` and the base64
 * HMAC-SHA-256 of ID, timestamp and body. Receivers accept the message if any signature matches.
 */
export function signStandardWebhook(
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
