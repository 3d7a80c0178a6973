import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type FeedPreset, getAuthentications, presets } from '../../src/feed/catalog.ts';
import { readFeedContent } from '../../src/feed/feed-mapping.ts';
import { parseJsonDocument } from '../../src/feed/json-document.ts';
import { signRequest } from '../../src/feed/sign-request.ts';
import { verifyRequest } from '../../src/feed/verify-request.ts';
import type { CurrencyCode } from '../../src/kit/currency.ts';
import { bankKeys, feedSenders, readFeedFixture } from '../setup/feed-senders.ts';
import { minutesAfter, noon } from '../setup/seed.ts';

const fixtureNames = readdirSync(join(import.meta.dirname, '../fixtures/feeds')).map((name) =>
  name.replace('.json', ''),
);

/** Statement files have no mapping; their readers have tests of their own. */
const presetsWithMapping = (Object.keys(presets) as FeedPreset[]).filter(
  (kind) => presets[kind].mappings.length > 0,
);

function toPreset(fixture: string): FeedPreset {
  return (fixture.startsWith('snap') ? 'snap' : fixture) as FeedPreset;
}

function send(name: string, { now = noon, body }: { now?: Date; body?: string } = {}) {
  const sender = feedSenders[name]!;
  const definition = presets[sender.kind];
  const authentication = sender.authentication ?? Object.keys(definition.authentications)[0]!;
  const path = `/feeds/feed_1${sender.path ?? ''}`;
  // Spaces between tokens, which a signature over the raw body covers.
  const sentBody = body ?? JSON.stringify(readFeedFixture(sender.fixture).body, null, 1);
  const headers: Record<string, string | undefined> = sender.sign({ body: sentBody, path, now });
  return {
    request: { method: 'POST', path, headers, body: Buffer.from(sentBody) },
    options: {
      authentications: getAuthentications(definition, authentication),
      credentials: sender.credentials,
      now: noon,
    },
  };
}

const names = Object.keys(feedSenders);
const signedNames = names.filter((name) => !/key|V1/.test(name));
const datedNames = signedNames.filter((name) => !['ANZ', 'Monoova'].includes(name));

describe('A preset', () => {
  test.for(fixtureNames)('reads the published example %s', (name) => {
    const fixture = readFeedFixture(name);
    const document = parseJsonDocument(Buffer.from(JSON.stringify(fixture.body)));
    const content = readFeedContent(document, presets[toPreset(name)].mappings);
    expect(content).toEqual({ items: fixture.items, ignoredCount: 0, isTest: fixture.isTest ?? false });
  });

  test('exists for every fixture, and has one with its source', () => {
    expect([...new Set(fixtureNames.map(toPreset))].sort()).toEqual(presetsWithMapping.sort());
    expect(fixtureNames.filter((name) => !readFeedFixture(name).source.startsWith('https://'))).toEqual([]);
  });

  test.for(names)('accepts a delivery of %s, authenticated as documented', (name) => {
    const { request, options } = send(name);
    expect(verifyRequest(request, options)).toBeUndefined();
  });

  test.for(signedNames)('rejects a delivery of %s with one changed character', (name) => {
    const { request, options } = send(name);
    const body = Buffer.from(request.body.toString().replace('00', '01'));
    expect(verifyRequest({ ...request, body }, options)).toBe('signature_invalid');
  });

  test.for(names)('rejects a delivery of %s with other or no credentials', (name) => {
    const { request, options } = send(name);
    const credentials = { ...options.credentials, key: 'another', secret: 'another' };
    if (!name.startsWith('Monoova') && !name.includes('asymmetric'))
      expect(verifyRequest(request, { ...options, credentials })).toMatch(/_invalid$/);
    expect(verifyRequest(request, { ...options, credentials: {} })).toBe('credentials_missing');
    expect(verifyRequest({ ...request, headers: {} }, options)).toMatch(/_missing$/);
  });

  test.for(datedNames)('rejects a delivery of %s that is older than 5 minutes or from the future', (name) => {
    for (const [minutes, expected] of [
      [-4.9, undefined],
      [4.9, undefined],
      [-5.1, 'timestamp_stale'],
      [5.1, 'timestamp_stale'],
    ] as const) {
      const { request, options } = send(name, { now: minutesAfter(noon, minutes) });
      expect([minutes, verifyRequest(request, options)]).toEqual([minutes, expected]);
    }
  });

  test.for(presetsWithMapping)('%s accepts and reads what its simulator sends', (kind) => {
    const { authentications, createSample, mappings } = presets[kind];
    const paidAt = new Date('2026-11-17T12:00:00Z');
    const currencies: Record<string, string> = {
      ...{ anz: 'AUD', monoova: 'AUD', airwallex: 'HKD', snap: 'IDR', scb: 'THB', wise: 'AUD', akahu: 'NZD' },
      popbill: 'KRW',
    };
    const currency = (currencies[kind] ?? 'VND') as CurrencyCode;
    const amount = ['VND', 'KRW'].includes(currency) ? '128000' : '128000.00';
    const input = { currency, id: '4711', account: '123456', amount };
    const sample = createSample({ ...input, reference: 'ZEBRA2345', payerName: 'Ada Wong', paidAt });
    const body = Buffer.from(sample.body);
    const [content] = [readFeedContent(parseJsonDocument(body), mappings)];
    expect(content.items).toMatchObject([
      { accounts: expect.arrayContaining(['123456']), currency: input.currency, direction: 'credit' },
    ]);
    expect(content.items[0]!.reference).toContain('ZEBRA2345');
    expect(Number(content.items[0]!.amount)).toBe(128_000);
    expect(new Date(content.items[0]!.paidAt!)).toEqual(paidAt);
    const credentials = {
      ...{ secret: 's', key: 'k', publicKey: bankKeys.publicKey, simulatorKey: bankKeys.privateKey },
    };
    for (const list of Object.values(authentications)) {
      const unsigned = { method: 'POST', path: '/feeds/feed_1', headers: sample.headers ?? {}, body };
      const signed = signRequest(unsigned, { authentications: list, credentials, now: noon });
      const request = { ...unsigned, headers: { ...unsigned.headers, ...signed } };
      expect(verifyRequest(request, { authentications: list, credentials, now: noon })).toBeUndefined();
    }
  });
});

test('The published signature of Casso V2 is valid, and only for its own time and body', () => {
  const { body, vector } = readFeedFixture('casso_v2');
  const { secret, header, now } = vector!;
  const request = {
    method: 'POST',
    path: '/feeds/feed_1',
    headers: { 'x-casso-signature': header },
    body: Buffer.from(JSON.stringify(body)),
  };
  const options = {
    authentications: getAuthentications(presets.casso_v2, 'signature'),
    credentials: { secret },
    now: new Date(now),
  };
  expect(verifyRequest(request, options)).toBeUndefined();
  const otherTime = { 'x-casso-signature': header.replace('t=17279', 't=17278') };
  expect(verifyRequest({ ...request, headers: otherTime }, options)).toBe('signature_invalid');
  expect(verifyRequest({ ...request, body: Buffer.from('[') }, options)).toBe('signature_invalid');
  const nested = Buffer.from('['.repeat(200_000) + ']'.repeat(200_000));
  expect(verifyRequest({ ...request, body: nested }, options)).toBe('signature_invalid');
});

describe('A detached JWS', () => {
  const authentications = getAuthentications(presets.anz, 'signature');
  const { request, options } = send('ANZ');
  const withSignature = (value: string) => ({
    ...request,
    headers: { ...request.headers, 'x-notification-signature': value },
  });

  test('may contain its own header, but only RS256', () => {
    const [signature] = [request.headers['x-notification-signature']!];
    const toHeader = (text: string) => Buffer.from(text).toString('base64url');
    const own = `${toHeader('{"alg":"RS256","typ":"JWT"}')}..${signature}`;
    expect(verifyRequest(withSignature(own), { ...options, authentications })).toBeUndefined();
    for (const header of [
      '{"alg":"none"}',
      '{"alg":"HS256"}',
      '{"alg":"RS256","b64":false,"crit":["b64"]}',
      '{',
    ])
      expect(verifyRequest(withSignature(`${toHeader(header)}..${signature}`), options)).toBe(
        'signature_invalid',
      );
  });
});
