import { createPrivateKey } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Certificate } from '../../prisma/client/client.ts';
import type { EncryptedColumn, Secrets } from '../kit/secrets.ts';
import type { NotificationClaim } from './claim-notifications.ts';
import { callbackVersion, toNotificationBody } from './notification-body.ts';
import type { PostRequest } from './post.ts';
import { signPayload, signStandardWebhook } from './sign.ts';

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
  const message = { id: event.id, body, isTest, sentAt: startedAt };
  if (!webhook) return createWebhookHeaders(message);
  const { id, username, signingSecretEncrypted, previousSigningSecretEncrypted } = webhook;
  const password = await decrypt(webhook.passwordEncrypted, 'webhook.password_encrypted', id);
  const signingSecrets: string[] = [];
  if (signingSecretEncrypted !== null)
    signingSecrets.push(await decrypt(signingSecretEncrypted, 'webhook.signing_secret_encrypted', id));
  if (previousSigningSecretEncrypted !== null)
    signingSecrets.push(
      await decrypt(previousSigningSecretEncrypted, 'webhook.previous_signing_secret_encrypted', id),
    );
  return createWebhookHeaders({ ...message, credentials: { username, password, signingSecrets } });
}

type WebhookMessage = {
  id: string;
  body: string;
  isTest?: boolean;
  sentAt: Date;
  /** Only a webhook has credentials, a callback has none. */
  credentials?: { username: string; password: string; signingSecrets: readonly string[] };
};

/** Returns the headers of a notification. The time of the signature is in seconds. */
export function createWebhookHeaders(message: WebhookMessage): Record<string, string> {
  const { id, body, isTest = false, sentAt, credentials } = message;
  const timestamp = Math.floor(sentAt.getTime() / 1_000).toString();
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'Causeway',
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    ...(isTest && { 'webhook-test': 'true' }),
  };
  if (!credentials) return headers;
  const { username, password, signingSecrets } = credentials;
  return {
    ...headers,
    authorization: basicAuth(username, password),
    ...(signingSecrets.length > 0 && {
      'webhook-signature': signStandardWebhook(signingSecrets, { id, timestamp, body }),
    }),
  };
}

/** Returns a Basic authorization header (RFC 7617) in UTF-8. */
function basicAuth(username: string, password: string): string {
  return `Basic ${Buffer.from(`${username}:${password}`, 'utf8').toString('base64')}`;
}
