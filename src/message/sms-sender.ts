import { createHmac } from 'node:crypto';
import type { Secrets } from '../kit/secrets.ts';
import { isDelivered, parseRetryAfter } from '../notification/notification-state.ts';
import { createPoster, type PostResult } from '../notification/post.ts';
import type { SendResult } from './message-state.ts';
import type { MessageSender } from './sender.ts';

/** The time limit from the start of the connection to the last byte of the response. */
const defaultTimeoutMs = 15_000;

/** Equals the batch size of `sendMessages`, so that no message of a batch waits for another one. */
const concurrency = 5;

/** Status codes with which the gateway rejects a message permanently. */
const permanentStatuses = [400, 422];

type SmsSenderOptions = { smsUrl: string; secrets: Secrets; timeoutMs?: number };

/**
 * Returns the keys that sign requests to SMS_URL, for the operator to configure in the gateway. There is one
 * for each valid data key, the current one first.
 */
export function smsSigningKeys(secrets: Secrets): string[] {
  return secrets
    .listSignatures('sms-gateway', 'installation', 'signing key')
    .map((key) => key.toString('hex'));
}

/** Returns the HMAC-SHA-256 (hex) over the timestamp, a dot and the exact body. */
function signSms(key: string, { timestamp, body }: { timestamp: string; body: string }): string {
  return createHmac('sha256', key).update(`${timestamp}.${body}`).digest('hex');
}

/**
 * Creates a sender that posts `{ to, text }` to the gateway at SMS_URL, as described in
 * docs/operations/mail-and-sms.md. Any 2xx status means sent. Private addresses are allowed because the
 * operator chose the URL; redirects are not followed.
 */
export function createSmsSender({
  smsUrl,
  secrets,
  timeoutMs = defaultTimeoutMs,
}: SmsSenderOptions): MessageSender {
  const poster = createPoster({ allowPrivateTargets: true, timeoutMs });
  const { url, authorization } = splitCredentials(smsUrl);
  return {
    async send({ id, recipient, text }) {
      const body = JSON.stringify({ to: recipient, text });
      const timestamp = Math.floor(Date.now() / 1_000).toString();
      const result = await poster.post({
        url,
        body,
        headers: {
          'content-type': 'application/json',
          'user-agent': 'Causeway',
          'idempotency-key': id,
          'causeway-timestamp': timestamp,
          'causeway-signature': smsSigningKeys(secrets)
            .map((key) => `v1=${signSms(key, { timestamp, body })}`)
            .join(', '),
          ...(authorization !== undefined && { authorization }),
        },
      });
      return toSendResult(result);
    },
    capacity: () => concurrency,
    close: () => poster.close(),
  };
}

function splitCredentials(text: string): { url: string; authorization: string | undefined } {
  const url = new URL(text);
  const { username, password } = url;
  if (username === '' && password === '') return { url: text, authorization: undefined };
  url.username = '';
  url.password = '';
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { url: url.href, authorization: `Basic ${Buffer.from(pair, 'utf8').toString('base64')}` };
}

function toSendResult({ status, error, retryAfter }: PostResult): SendResult {
  if (isDelivered({ status, error })) return { isSent: true };
  return {
    isSent: false,
    error: error ?? `the SMS gateway responded with ${status}`,
    isPermanent: status !== null && permanentStatuses.includes(status),
    retryAfterMs: parseRetryAfter(retryAfter ?? undefined, new Date()),
  };
}
