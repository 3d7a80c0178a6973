import { describe, expect } from 'vitest';
import { appTest as test } from '../setup/app-fixtures.ts';
import { feedSenders } from '../setup/feed-senders.ts';
import { readDeliveries, reportPayment, seedBankFeed, sendDelivery } from '../setup/feeds.ts';
import { expectInvariants } from '../setup/invariants.ts';
import { noon, seedCharge } from '../setup/seed.ts';

const sepay = feedSenders['SePay with a key']!;
const vndCharge = { method: 'viettel-pay', merchantCurrency: 'VND', merchantAmount: 250_000 } as const;

describe('A delivery of a hostile sender', () => {
  const ugly: [string, Record<string, unknown>][] = [
    ['a NUL in its ID', { id: 'a\0b' }],
    ['a lone surrogate in its ID', { id: '\ud800' }],
    ['an ID of 100,000 characters', { id: 'x'.repeat(100_000) }],
    ['an ID that is an object', { id: { $ne: 1 } }],
    ['a NUL in its amount', { transferAmount: '1\0' }],
    ['a lone surrogate in its amount', { transferAmount: '1\udfff' }],
    ['an amount of 100,000 digits', { transferAmount: '9'.repeat(100_000) }],
    ['a tiny amount', { transferAmount: '1e-99' }],
    ['a negative amount', { transferAmount: -250_000 }],
    ['an amount that is an array', { transferAmount: [1] }],
    ['a NUL in its account', { accountNumber: '\0' }],
    ['a day that does not exist', { transactionDate: '2026-02-30 10:00:00' }],
    ['a time of the year 0', { transactionDate: '0000-01-01 00:00:00' }],
    ['a NUL in its text', { content: 'a\0b\ud800' }],
    ['a text of 500,000 characters', { content: 'x'.repeat(500_000) }],
    ['an inherited name', { transferType: '__proto__' }],
  ];
  test.for(ugly)(
    'with %s is answered, and its status is final',
    async ([_, changes], { app, service, merchant }) => {
      const charge = await seedCharge(service, merchant, { input: vndCharge });
      const { receivingAccountId } = charge;
      const name = 'SePay with a key';
      const feed = await seedBankFeed(service, merchant, { sender: name, receivingAccountId });
      const body = JSON.stringify({ ...JSON.parse(reportPayment(sepay, charge)), ...changes });
      expect((await sendDelivery(app, feed, { sender: name, body })).status).toBe(200);
      const [delivery] = await readDeliveries(service, feed);
      expect(['processed', 'ignored', 'failed']).toContain(delivery!.status);
      // The same feed still records what is valid.
      await sendDelivery(app, feed, { sender: name, body: reportPayment(sepay, charge, { id: '92705' }) });
      expect((await readDeliveries(service, feed)).at(-1)).toMatchObject({ status: 'processed' });
      await expectInvariants(service);
    },
  );

  test.for(Object.keys(feedSenders))(
    'that cannot be parsed in bounded time and memory is answered quickly by a feed of %s',
    async (name, { app, service, merchant }) => {
      const { path = '', sign } = feedSenders[name]!;
      const { receivingAccountId } = await seedCharge(service, merchant, { input: vndCharge });
      const feed = await seedBankFeed(service, merchant, { sender: name, receivingAccountId });
      const url = `/feeds/${feed.id}${path}`;
      const nested = `{"data":${'['.repeat(200_000)}${']'.repeat(200_000)}}`;
      // The string does not end, and each of its quotes could begin another one.
      const unending = `"${'\\"'.repeat(400_000)}`;
      for (const payload of [nested, unending]) {
        const headers = sign({ body: '{"data":{}}', path: url, now: noon });
        const { statusCode } = await app.app.inject({ method: 'POST', url, payload, headers });
        expect([200, 401, 429]).toContain(statusCode);
      }
      for (const { status } of await readDeliveries(service, feed))
        expect(['rejected', 'failed']).toContain(status);
    },
  );
});
