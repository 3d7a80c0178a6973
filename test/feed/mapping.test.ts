import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { presets } from '../../src/feed/catalog.ts';
import { type FeedMapping, readFeedContent } from '../../src/feed/feed-mapping.ts';
import { type FeedTimeFormat, toIsoTime } from '../../src/feed/feed-time.ts';
import { isJsonPointer, parseJsonDocument } from '../../src/feed/json-document.ts';
import { readPublicKey } from '../../src/feed/public-key.ts';
import { bankKeys, readFeedFixture } from '../setup/feed-senders.ts';

const mapping: FeedMapping = {
  items: '',
  id: ['/id'],
  amount: '/amount',
  currency: { value: 'HKD' },
  direction: 'sign',
  references: ['/text', '/more'],
  paidAt: { pointers: ['/at'], format: 'iso' },
};

function read(text: string, changes: Partial<FeedMapping> = {}) {
  return readFeedContent(parseJsonDocument(Buffer.from(text)), [{ ...mapping, ...changes }]);
}

describe('A mapping', () => {
  test('reads amounts as they are written, because a float cannot hold each of them', () => {
    for (const [written, amount] of [
      ['9007199254740993.01', '9007199254740993.01'],
      ['"12.30"', '12.30'],
      ['-0.10', '0.10'],
      ['1.5E3', '1500'],
      ['"1,234.50"', '1,234.50'],
    ])
      expect(read(`{"id":"a","amount":${written}}`).items[0]).toMatchObject({ id: 'a', amount });
  });

  test('reads the account of the payer with its bank, unless digits are masked', () => {
    const payerAccount = [['/bank', '/from'], ['/from']];
    const readAccount = (item: object) =>
      read(JSON.stringify({ id: 'a', amount: 1, ...item }), { payerAccount }).items[0]?.payerAccount;
    expect(readAccount({ bank: 'VietinBank', from: '8888888888' })).toBe('VietinBank 8888888888');
    expect(readAccount({ bank: '', from: ' 12-3456-0123456-00 ' })).toBe('12-3456-0123456-00');
    for (const from of ['xxxxxx7890', '***7890', '', null, '1'.repeat(101)])
      expect(readAccount({ from })).toBeUndefined();
  });

  test('ignores an amount of zero, and a direction that is neither credit nor debit', () => {
    expect(read('{"id":"a","amount":0.00}')).toMatchObject({ items: [], ignoredCount: 1 });
    const direction = { pointer: '/way', credit: ['in'], debit: ['out'] };
    expect(read('{"id":"a","amount":1,"way":"held"}', { direction })).toMatchObject({ ignoredCount: 1 });
  });

  test('joins the texts of the payer without repetitions, and replaces what PostgreSQL cannot store', () => {
    const { items } = read(String.raw`{"id":"a","amount":1,"text":["A","B\u0000"],"more":"A"}`);
    expect(items[0]!.reference).toBe('A B\u{fffd}');
  });

  test.for([
    ['{"amount":1}', 'a transfer has nothing at /id'],
    ['{"id":"a"}', 'a transfer has nothing at /amount'],
    ['{"id":"a","amount":1,"at":"yesterday"}', 'the time at /at has another format'],
    ['{', 'the body is not valid JSON'],
    ['['.repeat(300_000), 'the body is not valid JSON'],
  ])('rejects %.30s with a reason', ([text, reason]) => {
    expect(() => read(text!)).toThrow(reason);
  });

  test('rejects a body that is not UTF-8', () => {
    expect(() => parseJsonDocument(Buffer.from([0x7b, 0xff, 0x7d]))).toThrow('not valid UTF-8');
  });

  test('does not read inherited properties', () => {
    expect(() => read('{"id":"a"}', { amount: '/constructor/name' })).toThrow('nothing at');
    expect(read('{"__proto__":"x","amount":1}', { id: ['/__proto__'] }).items[0]!.id).toBe('x');
  });

  test('reads at most 500 transfers', () => {
    const body = JSON.stringify(Array.from({ length: 501 }, (_, id) => ({ id, amount: 1 })));
    expect(() => read(body, { items: '/*' })).toThrow('more than 500 transfers');
  });

  test('reads at most 100 values at each pointer of an item, and 4,000 characters of its texts', () => {
    let reads = 0;
    const texts = Array.from({ length: 100_000 }, (_, index) => `t${index}`);
    const shared = new Proxy(texts, {
      get(target, name) {
        if (typeof name === 'string' && /^\d+$/.test(name)) reads += 1;
        return Reflect.get(target, name);
      },
    });
    const list = Array.from({ length: 500 }, (_, index) => ({ id: `${index}`, amount: '1' }));
    const references = ['2/shared', '2/shared/*', '2/shared/*/none'];
    const acceptIf = [{ pointer: '2/shared/*' }, { pointer: '2/shared', values: ['t0'] }];
    const content = readFeedContent({ list, shared }, [
      { ...mapping, items: '/list/*', references, acceptIf },
    ]);
    expect(content.items).toHaveLength(500);
    expect(content.items[0]!.reference).toBe(texts.slice(0, 100).join(' '));
    expect(reads).toBeLessThanOrEqual(500 * 5 * 101);
  });

  test('stops reading the texts of the payer at 4,000 characters', () => {
    const text = ['a'.repeat(3_999), 'b'.repeat(10_000), 'c'];
    const { items } = read(JSON.stringify({ id: 'a', amount: 1, text, more: 'd' }));
    expect(items[0]!.reference).toBe(`${text[0]} `);
    expect(read(JSON.stringify({ id: 'a', amount: 1, text: text[1] })).items[0]!.reference).toHaveLength(
      4_000,
    );
  });

  test('ignores other events of Monoova, which also have an ID and an amount', () => {
    const returned = { ReturnDate: '07/22/2019', TransactionDate: '07/19/2019', TransactionId: 7, Amount: 2 };
    const document = parseJsonDocument(Buffer.from(JSON.stringify(returned)));
    expect(readFeedContent(document, presets.monoova.mappings)).toMatchObject({ items: [], ignoredCount: 1 });
  });

  test('recognizes reversals of Airwallex and returned payments of ANZ', () => {
    const reversed = { ...readFeedFixture('airwallex').body, name: 'deposit.reversed' };
    const toContent = (body: unknown, kind: 'airwallex' | 'anz') =>
      readFeedContent(parseJsonDocument(Buffer.from(JSON.stringify(body))), presets[kind].mappings);
    expect(toContent(reversed, 'airwallex').items).toMatchObject([{ isReversal: true }]);
    const text = JSON.stringify(readFeedFixture('anz').body);
    const returned = text.replace('"uetr"', '"return_information":{"reason":{"code":"FOCR"}},"uetr"');
    expect(toContent(JSON.parse(returned), 'anz').items).toMatchObject([{ isReturned: true }]);
    const pending = { ...reversed, name: 'deposit.pending' };
    expect(toContent(pending, 'airwallex')).toMatchObject({ items: [], ignoredCount: 1 });
  });
});

test.for<[string, FeedTimeFormat, string | undefined, string | undefined]>([
  ['2023-03-25 14:02:37', 'iso', 'Asia/Ho_Chi_Minh', '2023-03-25T07:02:37.000Z'],
  ['2023-03-25 14:02:37', 'iso', undefined, '2023-03-25T14:02:37'],
  ['2017-03-20T14:00:01+1100', 'iso', 'Asia/Tokyo', '2017-03-20T14:00:01+1100'],
  ['2026-11-20', 'iso', 'Asia/Tokyo', '2026-11-20'],
  ['20/10/2020 12:00:01 AM', 'day_first', 'Australia/Sydney', '2020-10-19T13:00:01.000Z'],
  ['1/2/2026', 'day_first', undefined, '2026-02-01'],
  ['20/10/2020 13:00:01 PM', 'day_first', undefined, undefined],
  ['20191221154500', 'compact', 'Asia/Seoul', '2019-12-21T06:45:00.000Z'],
  ['1727948258', 'unix_seconds', undefined, '2024-10-03T09:37:38.000Z'],
  ['1727948258788', 'unix_milliseconds', undefined, '2024-10-03T09:37:38.788Z'],
  ['2023-03-25 25:61:00', 'iso', 'Asia/Tokyo', undefined],
  ['soon', 'unix_seconds', undefined, undefined],
])('The time %s in the format %s and the zone %s is %s', ([text, format, timeZone, expected]) => {
  expect(toIsoTime(text, { format, timeZone })).toBe(expected);
});

test('A pointer is an RFC 6901 pointer, optionally with levels to go up', () => {
  expect(['', '/a/*', '6/a~1b', '12'].filter((text) => !isJsonPointer(text))).toEqual([]);
  expect(['a', '/a~2', '123/a', '$.a'].filter(isJsonPointer)).toEqual([]);
});

test('A public key is RSA with at least 2048 bits', () => {
  const small = generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey;
  const curve = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey;
  const toPem = (key: typeof small) => key.export({ type: 'spki', format: 'pem' }).toString();
  const hex = readPublicKey(bankKeys.publicKey).export({ type: 'pkcs1', format: 'der' }).toString('hex');
  expect(readPublicKey(hex).equals(readPublicKey(bankKeys.publicKey))).toBe(true);
  expect(() => readPublicKey(toPem(small))).toThrow('at least 2048 bits');
  expect(() => readPublicKey(toPem(curve))).toThrow('must be an RSA key');
  expect(() => readPublicKey(bankKeys.privateKey)).toThrow('not a private key');
  expect(() => readPublicKey('key')).toThrow('in PEM format');
});
