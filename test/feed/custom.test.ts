import { createHmac, hash, sign } from 'node:crypto';
import { expect, test } from 'vitest';
import { parseCustomFeed } from '../../src/domain/money-in/feed/feed-settings.ts';
import type { FeedCredentials } from '../../src/feed/authentication.ts';
import { getAuthentications, getFeedDefinition, presets } from '../../src/feed/catalog.ts';
import { readFeedContent } from '../../src/feed/feed-mapping.ts';
import { isHeaderPattern, readHeaderPattern, writeHeaderPattern } from '../../src/feed/header-pattern.ts';
import { parseJsonDocument } from '../../src/feed/json-document.ts';
import { verifyRequest } from '../../src/feed/verify-request.ts';
import { bankKeys } from '../setup/feed-senders.ts';
import { noon } from '../setup/seed.ts';

const mapping = {
  items: '/payments/*',
  id: ['/no'],
  accounts: [['2/branch', '2/account']],
  amount: '/sum',
  currency: { pointer: '/currency', codes: { '344': 'HKD' } },
  direction: { pointer: '/type', credit: ['C'], debit: ['D'] },
  references: ['/text', '/more'],
  payerName: ['/payer'],
  payerAccount: [['/bank', '/from'], ['/from']],
  paidAt: { pointers: ['/at'], format: 'day_first', timeZone: 'Asia/Hong_Kong' },
};
const body = JSON.stringify({
  branch: '012',
  account: '345678',
  payments: [
    {
      ...{
        no: 'A1',
        sum: 128.5,
        currency: 344,
        type: 'C',
        text: 'TIGER2345',
        more: 'June',
        payer: 'Ada Wong',
        from: '004-123456789',
      },
      at: '17/11/2026 08:00:00 PM',
    },
    { no: 'A2', sum: 1, currency: 344, type: 'FEE', text: 'monthly', at: '17/11/2026 08:00:00 PM' },
  ],
});

const path = '/feeds/feed_1';
const secret = 'a secret of the sender';
const time = String(noon.getTime() / 1000);
const hmac = (algorithm: string, text: string) => createHmac(algorithm, secret).update(text);
const rsa = (text: string) => sign('RSA-SHA256', Buffer.from(text), bankKeys.privateKey);
const signed = { header: 'X-Signature', pattern: '{signature}', encoding: 'hex', signedText: '{body}' };
const joseHeader = Buffer.from('{"alg":"RS256"}').toString('base64url');
const bodySha256 = hash('sha256', body, 'hex');

/** The description by the merchant, and the headers of the sender, which are computed without the code under test. */
const schemes: Record<
  string,
  { authentication: object; headers: Record<string, string>; credentials: FeedCredentials }
> = {
  'HMAC-SHA256 with its time in the same header': {
    authentication: {
      ...signed,
      ...{ scheme: 'hmac', algorithm: 'sha256', pattern: 't={timestamp},v1={signature}' },
      ...{ signedText: '{timestamp}.{body}', timestamp: { unit: 'seconds' } },
    },
    headers: { 'x-signature': `t=${time},v1=${hmac('sha256', `${time}.${body}`).digest('hex')}` },
    credentials: { secret },
  },
  'HMAC-SHA512 over method, path, time and hash': {
    authentication: {
      ...signed,
      ...{ scheme: 'hmac', algorithm: 'sha512', encoding: 'base64' },
      ...{
        signedText: '{method}:{path}:{bodySha256}:{timestamp}',
        timestamp: { header: 'X-Time', unit: 'iso' },
      },
    },
    headers: {
      'x-time': noon.toISOString(),
      'x-signature': hmac('sha512', `POST:${path}:${bodySha256}:${noon.toISOString()}`).digest('base64'),
    },
    credentials: { secret },
  },
  RSA: {
    authentication: { ...signed, scheme: 'rsa', encoding: 'base64' },
    headers: { 'x-signature': rsa(body).toString('base64') },
    credentials: { publicKey: bankKeys.publicKey },
  },
  'a detached JWS': {
    authentication: { scheme: 'jws', header: 'X-JWS-Signature' },
    headers: {
      'x-jws-signature': `${joseHeader}..${rsa(`${joseHeader}.${Buffer.from(body).toString('base64url')}`).toString('base64url')}`,
    },
    credentials: { publicKey: bankKeys.publicKey },
  },
  'an API key': {
    authentication: { scheme: 'key', header: 'X-Api-Key', pattern: 'Key {key}' },
    headers: { 'x-api-key': 'Key abc$&$$' },
    credentials: { key: 'abc$&$$' },
  },
  'HTTP Basic authentication': {
    authentication: { scheme: 'basic' },
    headers: { authorization: `Basic ${Buffer.from('bank:abc').toString('base64')}` },
    credentials: { username: 'bank', key: 'abc' },
  },
};

test.for(Object.keys(schemes))('A described sender is authenticated by %s, and by nothing else', (name) => {
  const { authentication, headers, credentials } = schemes[name]!;
  const custom = parseCustomFeed(
    JSON.stringify({ authentications: [authentication], mapping }),
    '/customFormat',
  );
  const authentications = getAuthentications(getFeedDefinition('custom', custom), 'custom');
  const verify = (changes: { headers?: Record<string, string>; body?: string }, now = noon) => {
    const request = { method: 'POST', path, headers, body, ...changes };
    return verifyRequest(
      { ...request, body: Buffer.from(request.body) },
      { authentications, credentials, now },
    );
  };
  expect(verify({})).toBeUndefined();
  expect(verify({ headers: {} })).toMatch(/_missing$/);
  const others = Object.fromEntries(
    Object.entries(headers).map(([key, value]) => [key, `${value.slice(0, -5)}AAAAA`]),
  );
  expect(verify({ headers: others })).toMatch(/_invalid$/);
  const isBodySigned = !['key', 'basic'].includes(authentications[0]!.scheme);
  expect(verify({ body: body.replace('128.5', '928.5') })).toBe(
    isBodySigned ? 'signature_invalid' : undefined,
  );
  const isDated = 'timestamp' in authentication;
  const later = new Date(noon.getTime() + 301_000);
  expect(verify({}, later)).toBe(isDated ? 'timestamp_stale' : undefined);
});

test('A described mapping reads the members of each transfer, and ignores other movements', () => {
  const authentications = [{ scheme: 'basic' }];
  const custom = parseCustomFeed(JSON.stringify({ authentications, mapping }), '/customFormat');
  const { mappings } = getFeedDefinition('custom', custom);
  expect(readFeedContent(parseJsonDocument(Buffer.from(body)), mappings)).toEqual({
    items: [
      {
        ...{ id: 'A1', accounts: ['012345678'], amount: '128.5', currency: 'HKD', direction: 'credit' },
        ...{ reference: 'TIGER2345 June', payerName: 'Ada Wong', payerAccount: '004-123456789' },
        paidAt: '2026-11-17T12:00:00.000Z',
        ...{ isReversal: false, isReturned: false },
      },
    ],
    ignoredCount: 1,
    isTest: false,
  });
});

test.for([
  '{signature}',
  'sha256={signature}',
  't={timestamp},v1={signature}',
  't="{timestamp}", v1="{signature}"',
  '{signature} {timestamp};',
])('The header pattern %s reads what it writes, and nothing else', (pattern) => {
  expect(isHeaderPattern(pattern)).toBe(true);
  const hasTime = pattern.includes('timestamp');
  const values = { signature: 'a+/b==', ...(hasTime && { timestamp: '2026-11-17T12:00:00.5Z' }) };
  const header = writeHeaderPattern(pattern, values);
  expect(readHeaderPattern(pattern, ` ${header} `)).toEqual(values);
  const others = ['', `${header},x`, ...['', 'a b', 'a,'].map((text) => header.replace('a+/b==', text))];
  expect(others.filter((other) => readHeaderPattern(pattern, other))).toEqual([]);
});

test.for([
  '',
  'x',
  '{timestamp}',
  '{signature}{timestamp}',
  '{signature}.{timestamp}',
  '{signature},{signature}',
  '{signature},{a}',
])('The header pattern "%s" is rejected, because it is ambiguous', (pattern) => {
  expect(isHeaderPattern(pattern)).toBe(false);
});

test('The header patterns of all presets are valid', () => {
  const all = Object.values(presets).flatMap(({ authentications, token }) => [
    ...Object.values(authentications).flat(),
    ...(token ? [token.authentication] : []),
  ]);
  const signed = all.filter(({ scheme }) => scheme === 'hmac' || scheme === 'rsa') as { pattern: string }[];
  expect(signed.length).toBeGreaterThan(5);
  expect(signed.filter(({ pattern }) => !isHeaderPattern(pattern))).toEqual([]);
});

test('A header is compared in linear time with a stored pattern that is no longer valid', () => {
  for (const separator of ['', 'a', ','])
    for (const header of ['a'.repeat(100_000), 'a,'.repeat(50_000)]) {
      const pattern = ['{signature}', ...Array(30).fill('{a}'), '!'].join(separator);
      const { user } = process.cpuUsage();
      expect(readHeaderPattern(pattern, header)).toBeUndefined();
      expect(process.cpuUsage().user - user).toBeLessThan(100_000);
    }
});
