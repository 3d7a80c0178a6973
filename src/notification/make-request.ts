import { createPrivateKey, type KeyObject } from 'node:crypto';
import type { Certificate } from '../../prisma/client/client.ts';
import type { Secrets } from '../kit/secrets.ts';
import type { Claim } from './claim-notifications.ts';
import { callbackVersion, notificationBody } from './notification-body.ts';
import type { PostRequest } from './post.ts';
import { signPayload } from './sign.ts';

/** Makes the HTTP request of an attempt; null for a callback without a certificate that could sign it. */
export type RequestMaker = (
  claim: Claim,
  options: { certificate: Certificate | undefined; startedAt: Date },
) => Promise<PostRequest | null>;

/** More keys than this are not kept ready. */
const keysMax = 1_000;

/** Keeps the private keys it has decrypted, since reading one costs more than an attempt. */
export function requestMaker(secrets: Secrets): RequestMaker {
  const keys = new Map<string, KeyObject>();
  const keyOf = (certificate: Certificate): KeyObject => {
    const key = keys.get(certificate.id) ?? createPrivateKey(secrets.unseal(certificate.privateKeySealed));
    if (keys.size >= keysMax) keys.clear();
    keys.set(certificate.id, key);
    return key;
  };
  const makeBody = async ({ event, webhook }: Claim, certificate: Certificate | undefined) => {
    if (webhook) return notificationBody(event, { version: webhook.version });
    if (!certificate) return null;
    const signature = await signPayload(event.payload, keyOf(certificate));
    return notificationBody(event, { version: callbackVersion, signature });
  };
  return async (claim, { certificate, startedAt }) => {
    const body = await makeBody(claim, certificate);
    return body === null ? null : { url: claim.url, body, headers: makeHeaders(claim, secrets, startedAt) };
  };
}

function makeHeaders({ event, webhook }: Claim, secrets: Secrets, startedAt: Date): Record<string, string> {
  return {
    'content-type': 'application/json',
    'user-agent': 'Causeway',
    'webhook-id': event.id,
    'webhook-timestamp': Math.floor(startedAt.getTime() / 1_000).toString(),
    ...(webhook && { authorization: basicAuth(webhook, secrets) }),
  };
}

/** RFC 7617, in UTF-8. */
function basicAuth(webhook: { username: string; passwordSealed: string }, secrets: Secrets): string {
  const text = `${webhook.username}:${secrets.unseal(webhook.passwordSealed)}`;
  return `Basic ${Buffer.from(text, 'utf8').toString('base64')}`;
}
