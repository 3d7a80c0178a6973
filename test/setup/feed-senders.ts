import { createHash, createHmac, generateKeyPairSync, sign } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FeedCredentials } from '../../src/feed/authentication.ts';
import type { FeedPreset } from '../../src/feed/catalog.ts';
import type { FeedItem } from '../../src/feed/feed-mapping.ts';

export const bankKeys = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});

type FeedFixture = {
  source: string;
  body: Record<string, unknown>;
  items: FeedItem[];
  isTest?: boolean;
  vector?: { secret: string; header: string; now: string };
};

export function readFeedFixture(name: string): FeedFixture {
  return JSON.parse(readFileSync(join(import.meta.dirname, `../fixtures/feeds/${name}.json`), 'utf8'));
}

type SentRequest = { body: string; path: string; now: Date };

export type FeedSender = {
  kind: FeedPreset;
  /** The name of the authentication, if it is not the default. */
  authentication?: string;
  credentials: FeedCredentials;
  /** Appended to the URL of the feed. */
  path?: string;
  fixture: string;
  sign(request: SentRequest): Record<string, string>;
};

const secret = 'a secret of the sender';
const key = 'a static key';
const { publicKey } = bankKeys;
const toHex = (algorithm: string, text: string) => createHmac(algorithm, secret).update(text).digest('hex');
const toUnixSeconds = (now: Date) => String(Math.floor(now.getTime() / 1000));

/** Senders of deliveries as the vendors document them, without the code under test. */
export const feedSenders: Record<string, FeedSender> = {
  'SePay with a signature': {
    kind: 'sepay',
    credentials: { secret },
    fixture: 'sepay',
    sign: ({ body, now }) => ({
      'x-sepay-timestamp': toUnixSeconds(now),
      'x-sepay-signature': `sha256=${toHex('sha256', `${toUnixSeconds(now)}.${body}`)}`,
    }),
  },
  'SePay with a key': {
    kind: 'sepay',
    authentication: 'key',
    credentials: { key },
    fixture: 'sepay',
    sign: () => ({ authorization: `Apikey ${key}` }),
  },
  'Casso V1': {
    kind: 'casso_v1',
    credentials: { key },
    fixture: 'casso_v1',
    sign: () => ({ 'secure-token': key }),
  },
  'Casso V2': {
    kind: 'casso_v2',
    credentials: { secret },
    fixture: 'casso_v2',
    sign: ({ body, now }) => {
      const { data, error } = JSON.parse(body);
      const sorted = Object.fromEntries(Object.entries(data).toSorted(([a], [b]) => (a < b ? -1 : 1)));
      const text = `${now.getTime()}.${JSON.stringify({ data: sorted, error })}`;
      return { 'x-casso-signature': `t=${now.getTime()},v1=${toHex('sha512', text)}` };
    },
  },
  Airwallex: {
    kind: 'airwallex',
    credentials: { secret },
    fixture: 'airwallex',
    sign: ({ body, now }) => ({
      'x-timestamp': String(now.getTime()),
      'x-signature': toHex('sha256', `${now.getTime()}${body}`),
    }),
  },
  ANZ: {
    kind: 'anz',
    credentials: { key, publicKey },
    path: '/npp/payment-notification',
    fixture: 'anz',
    sign: ({ body }) => {
      const header = Buffer.from('{"alg":"RS256","typ":"JWT"}').toString('base64url');
      const text = `${header}.${Buffer.from(body).toString('base64url')}`;
      const signature = sign('RSA-SHA256', Buffer.from(text), bankKeys.privateKey);
      return { apikey: key, 'x-notification-signature': signature.toString('base64url') };
    },
  },
  Monoova: {
    kind: 'monoova',
    credentials: { publicKey },
    fixture: 'monoova',
    sign: ({ body }) => ({
      'verification-signature': sign('RSA-SHA256', Buffer.from(body), bankKeys.privateKey).toString('base64'),
    }),
  },
  'SNAP, symmetric': {
    kind: 'snap',
    credentials: { secret },
    path: '/v1.0/transfer-va/payment',
    fixture: 'snap_va',
    sign: ({ body, path, now }) => {
      const time = toJakartaTime(now);
      const text = `POST:${path}:token:${hashMinified(body)}:${time}`;
      return {
        authorization: 'Bearer token',
        'x-timestamp': time,
        'x-signature': createHmac('sha512', secret).update(text).digest('base64'),
      };
    },
  },
  'SNAP, asymmetric': {
    kind: 'snap',
    authentication: 'asymmetric',
    credentials: { publicKey },
    path: '/v1.0/qr/qr-mpm-notify',
    fixture: 'snap_qris',
    sign: ({ body, path, now }) => {
      const time = toJakartaTime(now);
      const text = `POST:${path}:${hashMinified(body)}:${time}`;
      const signature = sign('RSA-SHA256', Buffer.from(text), bankKeys.privateKey);
      return { 'x-timestamp': time, 'x-signature': signature.toString('base64') };
    },
  },
};

/** The fixtures contain no escapes and no floats, so that serializing them again only removes whitespace. */
function hashMinified(body: string): string {
  return createHash('sha256')
    .update(JSON.stringify(JSON.parse(body)))
    .digest('hex');
}

function toJakartaTime(now: Date): string {
  return `${new Date(now.getTime() + 7 * 3_600_000).toISOString().slice(0, 19)}+07:00`;
}
