import { createPrivateKey } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Certificate } from '../../prisma/client/client.ts';
import type { Secrets } from '../kit/secrets.ts';
import type { Claim } from './claim-notifications.ts';
import { callbackVersion, notificationBody } from './notification-body.ts';
import type { PostRequest } from './post.ts';
import { signPayload, standardSignatures } from './sign.ts';

/** Makes the HTTP request of an attempt; null for a callback without a certificate that could sign it. */
export type RequestMaker = (
  claim: Claim,
  options: { certificate: Certificate | undefined; startedAt: Date },
) => Promise<PostRequest | null>;

const privateKeysMax = 1_000;
const passwordsMax = 1_000;

/** Caches decrypted values by their encrypted form: to read a private key costs more than an attempt. */
export function requestMaker(secrets: Secrets): RequestMaker {
  const privateKeys = new LRUCache({
    max: privateKeysMax,
    memoMethod: (encrypted: string) => createPrivateKey(secrets.unseal(encrypted)),
  });
  const passwords = new LRUCache({
    max: passwordsMax,
    memoMethod: (encrypted: string) => secrets.unseal(encrypted),
  });
  const plainOf = (encrypted: string) => passwords.memo(encrypted);
  const makeBody = async ({ event, webhook }: Claim, certificate: Certificate | undefined) => {
    if (webhook) return notificationBody(event, { version: webhook.version });
    if (!certificate) return null;
    const signature = await signPayload(event.payload, privateKeys.memo(certificate.privateKeySealed));
    return notificationBody(event, { version: callbackVersion, signature });
  };
  return async (claim, { certificate, startedAt }) => {
    const body = await makeBody(claim, certificate);
    if (body === null) return null;
    const headers = makeHeaders(claim, { body, plainOf, startedAt });
    if (certificate && !claim.webhook) headers['certificate-id'] = certificate.id;
    return { url: claim.url, body, headers };
  };
}

function makeHeaders(
  { event, webhook, isTest }: Claim,
  options: { body: string; plainOf: (sealed: string) => string; startedAt: Date },
): Record<string, string> {
  const { body, plainOf, startedAt } = options;
  const timestamp = Math.floor(startedAt.getTime() / 1_000).toString();
  const signingSecrets = webhook?.signingSecretsSealed.map(plainOf) ?? [];
  return {
    'content-type': 'application/json',
    'user-agent': 'Causeway',
    'webhook-id': event.id,
    'webhook-timestamp': timestamp,
    ...(isTest && { 'webhook-test': 'true' }),
    ...(webhook && { authorization: basicAuth(webhook.username, plainOf(webhook.passwordSealed)) }),
    ...(signingSecrets.length > 0 && {
      'webhook-signature': standardSignatures(signingSecrets, { id: event.id, timestamp, body }),
    }),
  };
}

/** RFC 7617, in UTF-8. */
function basicAuth(username: string, password: string): string {
  return `Basic ${Buffer.from(`${username}:${password}`, 'utf8').toString('base64')}`;
}
