import { createPrivateKey } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Certificate } from '../../prisma/client/client.ts';
import type { EncryptedColumn, Secrets } from '../kit/secrets.ts';
import type { NotificationClaim } from './claim-notifications.ts';
import { callbackVersion, toNotificationBody } from './notification-body.ts';
import type { PostRequest } from './post.ts';
import { signPayload, standardSignatures } from './sign.ts';

/** Builds the HTTP request of an attempt. Returns null for a callback without a signing certificate. */
export type RequestBuilder = (
  claim: NotificationClaim,
  options: { certificate: Certificate | undefined; startedAt: Date },
) => Promise<PostRequest | null>;

const cacheEntriesMax = 1_000;

/** The builder caches decrypted values and keys, because parsing a private key costs more than the attempt itself. */
export function createRequestBuilder(secrets: Secrets): RequestBuilder {
  const decryptKey = cacheDecrypted(secrets, createPrivateKey);
  const decrypt = cacheDecrypted(secrets, (text) => text);
  const createBody = async ({ event, webhook }: NotificationClaim, certificate: Certificate | undefined) => {
    if (webhook) return toNotificationBody(event, { version: webhook.version });
    if (!certificate) return null;
    const { id, privateKeyEncrypted } = certificate;
    const key = await decryptKey(privateKeyEncrypted, 'certificate.private_key_encrypted', id);
    const signature = await signPayload(event.payload, key);
    return toNotificationBody(event, { version: callbackVersion, signature });
  };
  return async (claim, { certificate, startedAt }) => {
    const body = await createBody(claim, certificate);
    if (body === null) return null;
    const headers = await createHeaders(claim, { body, decrypt, startedAt });
    if (certificate && !claim.webhook) headers['certificate-id'] = certificate.id;
    return { url: claim.url, body, headers };
  };
}

type Decrypt<T> = (ciphertext: string, column: SingleIdColumn, id: string) => Promise<T>;
type SingleIdColumn = `${'certificate' | 'webhook'}.${string}` & EncryptedColumn;

function cacheDecrypted<T extends object | string>(secrets: Secrets, parse: (text: string) => T): Decrypt<T> {
  const cache = new LRUCache<string, T>({ max: cacheEntriesMax });
  return async (ciphertext, column, id) => {
    const cacheKey = `${column} ${id} ${ciphertext}`;
    const value = cache.get(cacheKey) ?? parse(await secrets.decrypt(ciphertext, column, id));
    cache.set(cacheKey, value);
    return value;
  };
}

async function createHeaders(
  { event, webhook, isTest }: NotificationClaim,
  { body, decrypt, startedAt }: { body: string; decrypt: Decrypt<string>; startedAt: Date },
): Promise<Record<string, string>> {
  const timestamp = Math.floor(startedAt.getTime() / 1_000).toString();
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'Causeway',
    'webhook-id': event.id,
    'webhook-timestamp': timestamp,
    ...(isTest && { 'webhook-test': 'true' }),
  };
  if (!webhook) return headers;
  const { id, signingSecretEncrypted, previousSigningSecretEncrypted } = webhook;
  const password = await decrypt(webhook.passwordEncrypted, 'webhook.password_encrypted', id);
  const signingSecrets: string[] = [];
  if (signingSecretEncrypted !== null)
    signingSecrets.push(await decrypt(signingSecretEncrypted, 'webhook.signing_secret_encrypted', id));
  if (previousSigningSecretEncrypted !== null)
    signingSecrets.push(
      await decrypt(previousSigningSecretEncrypted, 'webhook.previous_signing_secret_encrypted', id),
    );
  return {
    ...headers,
    authorization: basicAuth(webhook.username, password),
    ...(signingSecrets.length > 0 && {
      'webhook-signature': standardSignatures(signingSecrets, { id: event.id, timestamp, body }),
    }),
  };
}

/** Returns a Basic authorization header (RFC 7617) in UTF-8. */
function basicAuth(username: string, password: string): string {
  return `Basic ${Buffer.from(`${username}:${password}`, 'utf8').toString('base64')}`;
}
