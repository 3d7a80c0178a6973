import { sign } from 'node:crypto';
import { connect } from 'node:net';
import { describe, expect, onTestFinished } from 'vitest';
import type { BankFeed, Charge } from '../../prisma/client/client.ts';
import type { NewMerchant } from '../../src/domain/accounts/merchant/create-merchant.ts';
import { deleteBankFeed } from '../../src/domain/money-in/feed/delete-bank-feed.ts';
import { processDeliveries } from '../../src/domain/money-in/feed/process-deliveries.ts';
import { reprocessDelivery } from '../../src/domain/money-in/feed/reprocess-delivery.ts';
import { updateBankFeed } from '../../src/domain/money-in/feed/update-bank-feed.ts';
import { eraseCustomer } from '../../src/domain/operations/customer-data/erase-customer.ts';
import type { Service } from '../../src/domain/platform/service.ts';
import { appTest } from '../setup/app-fixtures.ts';
import { bankKeys, feedSenders, readFeedFixture } from '../setup/feed-senders.ts';
import { readDeliveries, reportPayment, seedBankFeed, sendDelivery } from '../setup/feeds.ts';
import { expectInvariants } from '../setup/invariants.ts';
import { minutesAfter, noon, seedCharge } from '../setup/seed.ts';

const sepay = feedSenders['SePay with a signature']!;

/** The method whose currency the sender reports. */
const methods: Record<string, { method: string; merchantCurrency: string; amount: number }> = {
  sepay: { method: 'viettel-pay', merchantCurrency: 'VND', amount: 250_000 },
  casso_v1: { method: 'viettel-pay', merchantCurrency: 'VND', amount: 250_000 },
  casso_v2: { method: 'viettel-pay', merchantCurrency: 'VND', amount: 250_000 },
  airwallex: { method: 'fps', merchantCurrency: 'HKD', amount: 128.5 },
  anz: { method: 'au-bank-transfer', merchantCurrency: 'AUD', amount: 31.4 },
  monoova: { method: 'au-bank-transfer', merchantCurrency: 'AUD', amount: 31.4 },
  snap: { method: 'id-bank-transfer', merchantCurrency: 'IDR', amount: 150_000 },
};

function seedChargeFor(service: Service, merchant: NewMerchant, kind: string): Promise<Charge> {
  const { amount: merchantAmount, ...terms } = methods[kind]!;
  return seedCharge(service, merchant, { input: { ...terms, merchantAmount } as never });
}

const test = appTest
  .extend('charge', ({ service, merchant }) => seedChargeFor(service, merchant, 'sepay'))
  .extend('feed', ({ service, merchant, charge }) =>
    seedBankFeed(service, merchant, { receivingAccountId: charge.receivingAccountId }),
  );

async function readCharge(service: Service, { id }: Charge) {
  return service.prisma.charge.findUniqueOrThrow({ where: { id } });
}

function readFeed(service: Service, { id }: BankFeed) {
  return service.prisma.bankFeed.findUniqueOrThrow({ where: { id } });
}

const answers: Record<string, object> = {
  sepay: { success: true },
  casso_v1: { error: 0, success: true },
  casso_v2: { error: 0, success: true },
  airwallex: { received: true },
  anz: { status: 'received' },
  monoova: { received: true },
};

describe('A delivery', () => {
  test.for(Object.keys(feedSenders))(
    'of %s completes the charge that it pays, once',
    async (name, { app, service, merchant }) => {
      const sender = feedSenders[name]!;
      const charge = await seedChargeFor(service, merchant, sender.kind);
      const { receivingAccountId } = charge;
      const feed = await seedBankFeed(service, merchant, { sender: name, receivingAccountId });
      // SNAP by QRIS has no sample of its own; the fixture reports the payment.
      const body = name.includes('asymmetric')
        ? JSON.stringify({
            originalReferenceNo: '77',
            originalPartnerReferenceNo: charge.paymentReference,
            latestTransactionStatus: '00',
            amount: { value: '150000.00', currency: 'IDR' },
            externalStoreId: '0123499999',
            additionalInfo: { paidTime: '2026-11-17T19:00:00+07:00' },
          })
        : reportPayment(sender, charge);
      const first = await sendDelivery(app, feed, { sender: name, body });
      expect(first.status).toBe(200);
      if (answers[sender.kind]) expect(first.body).toEqual(answers[sender.kind]);
      else expect(first.body.responseCode).toMatch(/^200(25|52)00$/);
      const completed = await readCharge(service, charge);
      expect(completed).toMatchObject({ status: 'completed', amountReceived: charge.customerAmount });
      // The sender repeats the delivery, because the response was lost.
      await sendDelivery(app, feed, { sender: name, body, signedAt: minutesAfter(noon, 1) });
      expect(await readCharge(service, charge)).toEqual(completed);
      const deliveries = await readDeliveries(service, feed);
      expect(deliveries.map(({ status }) => status)).toEqual(['processed', 'processed']);
      const [transfer, ...others] = await service.prisma.transfer.findMany({ where: { receivingAccountId } });
      expect(others).toEqual([]);
      expect(deliveries.map(({ transferIds }) => transferIds)).toEqual([[transfer!.id], [transfer!.id]]);
      expect(await readFeed(service, feed)).toMatchObject({
        status: 'connected',
        lastSuccessAt: noon,
        lastTransferAt: noon,
        lastError: null,
      });
      await expectInvariants(service);
    },
  );

  test('of the sender’s console is answered, recorded as a test, and records no transfer', async ({
    app,
    service,
    merchant,
    charge,
  }) => {
    const { receivingAccountId } = charge;
    const feed = await seedBankFeed(service, merchant, { sender: 'Casso V2', receivingAccountId });
    const body = JSON.stringify(readFeedFixture('casso_v2').body);
    expect((await sendDelivery(app, feed, { sender: 'Casso V2', body })).status).toBe(200);
    expect(await readDeliveries(service, feed)).toMatchObject([{ status: 'ignored', reason: 'test' }]);
  });

  test('keeps body and headers encrypted, without credentials', async ({
    app,
    service,
    merchant,
    charge,
  }) => {
    const { receivingAccountId } = charge;
    const name = 'SePay with a key';
    const feed = await seedBankFeed(service, merchant, { sender: name, receivingAccountId });
    const body = reportPayment(sepay, charge);
    await sendDelivery(app, feed, { sender: name, body, headers: { 'x-request-id': 'abc' } });
    const [delivery] = await readDeliveries(service, feed);
    const { secrets } = service;
    const { id, headersEncrypted, bodyEncrypted } = delivery!;
    const headers = await secrets.decrypt(headersEncrypted!, 'feed_delivery.headers_encrypted', id);
    expect(JSON.parse(headers)).toMatchObject({ authorization: '[redacted]', 'x-request-id': 'abc' });
    expect(headers).not.toContain(feedSenders[name]!.credentials.key);
    const stored = await secrets.decrypt(bodyEncrypted!, 'feed_delivery.body_encrypted', id);
    expect(Buffer.from(stored, 'base64').toString()).toBe(body);
    expect(JSON.stringify(delivery)).not.toContain(charge.paymentReference);
  });

  test('is erased with the customer whom it concerns, unless its transfer is not recorded yet', async ({
    app,
    service,
    charge,
    feed,
  }) => {
    await sendDelivery(app, feed, { body: reportPayment(sepay, charge) });
    await sendDelivery(app, feed, { body: reportPayment(sepay, charge, { id: '2', account: '777' }) });
    const { customerId } = await readCharge(service, charge);
    await eraseCustomer(service, { id: customerId!, now: minutesAfter(noon, 10) });
    expect(await readDeliveries(service, feed)).toMatchObject([
      { status: 'processed', bodyEncrypted: null, headersEncrypted: null },
      { status: 'failed', bodyEncrypted: expect.anything(), headersEncrypted: expect.anything() },
    ]);
  });

  test('with several transfers records each one that is valid, and fails for the others', async ({
    app,
    service,
    merchant,
    charge,
  }) => {
    const { receivingAccountId } = charge;
    const feed = await seedBankFeed(service, merchant, { sender: 'Casso V1', receivingAccountId });
    const report = JSON.parse(reportPayment(feedSenders['Casso V1']!, charge));
    const payer = { corresponsiveBankName: 'VietinBank', corresponsiveAccount: '8888888888' };
    const paid = { ...report.data[0], ...payer };
    const data = [{ ...paid, id: 1, amount: 0.5 }, { ...paid, id: 2, when: '2031-01-01 00:00:00' }, paid];
    const body = JSON.stringify({ ...report, data });
    expect((await sendDelivery(app, feed, { sender: 'Casso V1', body })).status).toBe(200);
    expect((await readCharge(service, charge)).status).toBe('completed');
    expect(await service.prisma.transfer.findMany({ where: { receivingAccountId } })).toMatchObject([
      { payerName: 'NGUYEN VAN A', payerAccount: 'VietinBank 8888888888' },
    ]);
    const [delivery] = await readDeliveries(service, feed);
    expect(delivery).toMatchObject({ status: 'failed', reason: 'invalid_transfer' });
    expect(delivery!.results).toMatchObject([
      { id: '1', status: 'invalid', detail: expect.stringContaining('/amount') },
      { id: '2', status: 'invalid', detail: expect.stringContaining('/paidAt') },
      { id: '92704', status: 'matched' },
    ]);
    expect(await readFeed(service, feed)).toMatchObject({ status: 'failing' });
  });

  test('is recorded in one transaction with those that arrive at the same time, each as if it came alone', async ({
    app,
    service,
    merchant,
    charge,
    feed,
  }) => {
    const others = await Promise.all(
      Array.from({ length: 9 }, (_, i) => {
        const input = {
          email: `payer${i}@example.com`,
          method: 'viettel-pay',
          merchantCurrency: 'VND',
        } as const;
        return seedCharge(service, merchant, { input: { ...input, merchantAmount: 250_000 } });
      }),
    );
    const charges = [charge, ...others];
    const payments = charges.map((one, i) => reportPayment(sepay, one, { id: `${i}` }));
    const bodies = [
      ...payments,
      ...payments.slice(0, 3),
      '{',
      reportPayment(sepay, charge, { account: '999' }),
    ];
    const answers = await Promise.all(bodies.map((body) => sendDelivery(app, feed, { body })));
    expect(answers.map(({ status }) => status)).toEqual(bodies.map(() => 200));
    for (const one of charges)
      expect(await readCharge(service, one)).toMatchObject({
        status: 'completed',
        amountReceived: one.customerAmount,
      });
    const deliveries = await readDeliveries(service, feed);
    const outcomes = deliveries.map(
      ({ reason, results }) => reason ?? (results as { status: string }[])[0]!.status,
    );
    const { matched, duplicate, ...failures } = Object.groupBy(outcomes, (outcome) => outcome);
    expect([matched!.length, duplicate!.length]).toEqual([10, 3]);
    expect(Object.keys(failures).sort()).toEqual(['body_unreadable', 'unknown_account']);
    const [row] = await service.prisma.$queryRaw<{ transactions: bigint }[]>`
      SELECT count(DISTINCT xmin::text) AS transactions FROM feed_delivery WHERE feed_id = ${feed.id}`;
    expect(row!.transactions).toBeLessThan(BigInt(bodies.length));
    expect(await readFeed(service, feed)).toMatchObject({ lastTransferAt: noon });
    await expectInvariants(service);
  });

  test('in another currency than its account is not recorded', async ({ app, service, merchant, charge }) => {
    const { receivingAccountId } = charge;
    const feed = await seedBankFeed(service, merchant, { sender: 'Airwallex', receivingAccountId });
    const body = reportPayment(feedSenders.Airwallex!, charge, { currency: 'HKD' });
    await sendDelivery(app, feed, { sender: 'Airwallex', body });
    expect(await readDeliveries(service, feed)).toMatchObject([
      { status: 'failed', detail: expect.stringContaining('/currency must be VND') },
    ]);
  });

  test('of a reversed deposit removes the money from the charge', async ({ app, service, merchant }) => {
    const charge = await seedChargeFor(service, merchant, 'airwallex');
    const { receivingAccountId } = charge;
    const feed = await seedBankFeed(service, merchant, { sender: 'Airwallex', receivingAccountId });
    const body = reportPayment(feedSenders.Airwallex!, charge);
    await sendDelivery(app, feed, { sender: 'Airwallex', body });
    const reversed = body.replace('deposit.settled', 'deposit.reversed');
    await sendDelivery(app, feed, { sender: 'Airwallex', body: reversed });
    expect(await readCharge(service, charge)).toMatchObject({ status: 'completed', amountReceived: 0n });
    expect(await readDeliveries(service, feed)).toMatchObject([
      { results: [{ status: 'matched' }] },
      { results: [{ status: 'outgoing' }] },
    ]);
    await expectInvariants(service);
  });

  test('of a reversal that arrives before its deposit leaves the charge unpaid', async ({
    app,
    service,
    merchant,
  }) => {
    const charge = await seedChargeFor(service, merchant, 'airwallex');
    const { receivingAccountId } = charge;
    const feed = await seedBankFeed(service, merchant, { sender: 'Airwallex', receivingAccountId });
    const body = reportPayment(feedSenders.Airwallex!, charge);
    const reversed = body.replace('deposit.settled', 'deposit.reversed');
    for (const one of [reversed, body, reversed, body])
      await sendDelivery(app, feed, { sender: 'Airwallex', body: one });
    expect(await readCharge(service, charge)).toMatchObject({ status: 'pending', amountReceived: 0n });
    const [first, second, ...repeats] = await readDeliveries(service, feed);
    expect([first, second]).toMatchObject([
      { status: 'processed', results: [{ status: 'exception', reason: 'unknown_reversal' }] },
      { status: 'processed', results: [{ status: 'exception', reason: 'reversed' }] },
    ]);
    expect(repeats).toMatchObject([
      { results: [{ status: 'duplicate' }] },
      { results: [{ status: 'duplicate' }] },
    ]);
    await expectInvariants(service);
  });

  test('that another feed, the merchant’s code or a repeat with other text reported is a duplicate', async ({
    app,
    service,
    merchant,
    charge,
    feed,
  }) => {
    const { receivingAccountId } = charge;
    await sendDelivery(app, feed, { body: reportPayment(sepay, charge) });
    const completed = await readCharge(service, charge);
    const changed = reportPayment(sepay, charge, { reference: `${charge.paymentReference} again` });
    await sendDelivery(app, feed, { body: changed });
    const other = await seedBankFeed(service, merchant, { sender: 'Casso V2', receivingAccountId });
    const body = reportPayment(feedSenders['Casso V2']!, charge, { id: '5' });
    await sendDelivery(app, other, { sender: 'Casso V2', body });
    expect(await readCharge(service, charge)).toEqual(completed);
    expect(await readDeliveries(service, feed)).toMatchObject([
      { results: [{ status: 'matched' }] },
      { results: [{ status: 'duplicate' }] },
    ]);
    expect(await readDeliveries(service, other)).toMatchObject([{ results: [{ status: 'duplicate' }] }]);
    await expectInvariants(service);
  });

  test('that arrives late or out of order is matched by its own time', async ({
    app,
    service,
    charge,
    feed,
    clock,
  }) => {
    const extractPart = (id: string, amount: string, minutes: number) =>
      reportPayment(sepay, charge, { id, amount, paidAt: minutesAfter(noon, minutes) });
    clock.set(minutesAfter(noon, 3));
    const signedAt = clock.now();
    await sendDelivery(app, feed, { body: extractPart('2', '150000', 2), signedAt });
    await sendDelivery(app, feed, { body: extractPart('1', '100000', 1), signedAt });
    expect(await readCharge(service, charge)).toMatchObject({
      status: 'completed',
      amountReceived: 250_000n,
    });
    await expectInvariants(service);
  });
});

describe('A delivery that cannot be trusted', () => {
  const noContent = { bodyEncrypted: null, headersEncrypted: null, results: [], transferIds: [] };

  test.for<[string, Partial<Parameters<typeof sendDelivery>[2]>, string, number]>([
    ['without a signature', { headers: { 'x-sepay-signature': undefined } }, 'signature_missing', 401],
    ['with another signature', { headers: { 'x-sepay-signature': 'sha256=00' } }, 'signature_invalid', 401],
    ['of another time', { signedAt: minutesAfter(noon, -6) }, 'timestamp_stale', 401],
    ['of a sender whose clock is ahead', { signedAt: minutesAfter(noon, 6) }, 'timestamp_stale', 401],
    [
      'that replays an earlier signature with a new time',
      { signedAt: minutesAfter(noon, -6), headers: { 'x-sepay-timestamp': String(noon.getTime() / 1000) } },
      'signature_invalid',
      401,
    ],
    ['without a time', { headers: { 'x-sepay-timestamp': undefined } }, 'timestamp_missing', 401],
    ['of 5 MB', { body: Buffer.alloc(5_000_000, ' ') }, 'body_too_large', 413],
  ])(
    '%s is rejected, and leaves only verdict, size and hash',
    async ([_, changes, reason, status], { app, service, charge, feed }) => {
      const body = reportPayment(sepay, charge);
      const answer = await sendDelivery(app, feed, { body, ...changes });
      expect(answer).toMatchObject({ status, body: { error: reason } });
      expect(await readDeliveries(service, feed)).toMatchObject([
        { ...noContent, status: 'rejected', reason, size: (changes.body ?? body).length },
      ]);
      expect((await readCharge(service, charge)).status).toBe('pending');
      expect(await readFeed(service, feed)).toMatchObject({ status: 'new', lastError: reason });
    },
  );

  test('of 5 MB without an announced size is answered before its end', async ({ app, service, feed }) => {
    const origin = await app.app.listen({ port: 0, host: '127.0.0.1' });
    const socket = connect(Number(new URL(origin).port), '127.0.0.1').setEncoding('latin1');
    onTestFinished(() => void socket.destroy());
    let answer = '';
    socket.on('data', (text) => {
      answer += text;
    });
    socket.write(`POST /feeds/${feed.id} HTTP/1.1\r\nHost: causeway\r\nTransfer-Encoding: chunked\r\n\r\n`);
    const chunk = `${(50_000).toString(16)}\r\n${' '.repeat(50_000)}\r\n`;
    for (let i = 0; i < 22; i++) socket.write(chunk);
    await expect.poll(() => answer).toMatch(/^HTTP\/1\.1 413 .*connection: close/is);
    expect(await readDeliveries(service, feed)).toMatchObject([
      { ...noContent, status: 'rejected', reason: 'body_too_large' },
    ]);
  });

  test('is answered in the format of SNAP', async ({ app, service, merchant }) => {
    const charge = await seedChargeFor(service, merchant, 'snap');
    const { receivingAccountId } = charge;
    const feed = await seedBankFeed(service, merchant, { sender: 'SNAP, symmetric', receivingAccountId });
    const answer = await sendDelivery(app, feed, { body: '{}', headers: { 'x-signature': undefined } });
    expect(answer).toMatchObject({ status: 401, body: { responseCode: '4012500' } });
  });

  test('of another address is rejected, even if it is signed', async ({ app, service, merchant, charge }) => {
    const feed = await seedBankFeed(service, merchant, {
      receivingAccountId: charge.receivingAccountId,
      input: { allowedAddresses: ['203.0.113.0/24', '2001:db8::7'] },
    });
    const send = (remoteAddress: string) =>
      sendDelivery(app, feed, { body: reportPayment(sepay, charge), remoteAddress });
    expect(await send('198.51.100.7')).toMatchObject({ status: 403 });
    expect(await readDeliveries(service, feed)).toMatchObject([
      { status: 'rejected', reason: 'address_not_allowed', ipAddress: '198.51.100.7' },
    ]);
    expect(await send('203.0.113.9')).toMatchObject({ status: 200 });
    expect(await send('::ffff:203.0.113.9')).toMatchObject({ status: 200 });
    expect(await send('2001:db8::7')).toMatchObject({ status: 200 });
  });

  test('is recorded once a second of each network, and alerts the merchant after five', async ({
    app,
    service,
    feed,
  }) => {
    const send = (remoteAddress: string) =>
      sendDelivery(app, feed, { body: '{}', headers: { 'x-sepay-signature': 'none' }, remoteAddress });
    const statuses: number[] = [];
    for (let i = 0; i < 5; i++) statuses.push((await send('198.51.100.1')).status);
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThanOrEqual(2);
    for (let i = 2; i < 7; i++) await send(`198.51.100.${i}`);
    expect(await readFeed(service, feed)).toMatchObject({ status: 'failing', failingSince: noon });
    const alerts = await service.prisma.alert.findMany({ where: { bankFeedId: feed.id } });
    expect(alerts).toMatchObject([{ kind: 'feed_failing', detail: 'signature_invalid' }]);
  });

  test('has no effect on a feed that works again', async ({ app, service, charge, feed }) => {
    for (let i = 1; i < 6; i++)
      await sendDelivery(app, feed, {
        body: '{}',
        headers: { 'x-sepay-signature': 'none' },
        remoteAddress: `198.51.100.${i}`,
      });
    expect((await readFeed(service, feed)).status).toBe('failing');
    await sendDelivery(app, feed, { body: reportPayment(sepay, charge) });
    expect(await readFeed(service, feed)).toMatchObject({
      status: 'connected',
      consecutiveFailures: 0,
      failingSince: null,
      lastError: null,
    });
  });

  test('to an unknown or deleted feed returns 404', async ({ app, service, feed }) => {
    const body = '{}';
    expect((await sendDelivery(app, { id: 'feed_none' }, { body })).status).toBe(404);
    const { merchantId, id } = feed;
    await deleteBankFeed(service, { merchantId, mode: 'live', id, actor: 'user:test', now: noon });
    const answer = await sendDelivery(app, feed, { body });
    expect(answer).toMatchObject({ status: 404, body: { code: 'bank_feed_not_found' } });
  });
});

describe('A delivery that cannot be recorded', () => {
  const now = noon;
  const actor = 'user:test';

  test.for<[string, string | Buffer, string]>([
    ['that is not UTF-8', Buffer.from('7b22696422 3a22ff227d'.replace(' ', ''), 'hex'), 'not valid UTF-8'],
    ['that is not JSON', 'id=1', 'not valid JSON'],
    ['without an amount', '{"id":1,"transferType":"in"}', 'nothing at /transferAmount'],
  ])(
    '%s is answered, stored and shown as failed',
    async ([_, body, detail], { app, service, merchant, charge }) => {
      const { receivingAccountId } = charge;
      const name = 'SePay with a key';
      const feed = await seedBankFeed(service, merchant, { sender: name, receivingAccountId });
      expect((await sendDelivery(app, feed, { sender: name, body })).status).toBe(200);
      const [delivery] = await readDeliveries(service, feed);
      expect(delivery).toMatchObject({ status: 'failed', reason: 'body_unreadable' });
      expect(delivery!.detail).toContain(detail);
      expect(delivery!.bodyEncrypted).not.toBeNull();
      expect((await readFeed(service, feed)).status).toBe('failing');
    },
  );

  test('for an unknown account is recorded when the account is corrected and it is processed again', async ({
    app,
    service,
    merchant,
    charge,
    feed,
  }) => {
    const { receivingAccountId } = charge;
    const own = { merchantId: merchant.merchant.id, mode: 'live', actor, now } as const;
    await sendDelivery(app, feed, { body: reportPayment(sepay, charge, { account: '777' }) });
    const [delivery] = await readDeliveries(service, feed);
    expect(delivery).toMatchObject({ status: 'failed', reason: 'unknown_account', detail: '777' });
    const alerts = await service.prisma.alert.findMany({ where: { bankFeedId: feed.id } });
    expect(alerts).toMatchObject([{ kind: 'feed_failing', detail: 'unknown_account: 777' }]);
    const input = { receivingAccounts: [{ receivingAccountId, bankAccount: '7-77' }] };
    await updateBankFeed(service, { ...own, id: feed.id, input });
    expect(await reprocessDelivery(service, { ...own, id: delivery!.id })).toMatchObject({
      status: 'processed',
      reason: null,
    });
    const completed = await readCharge(service, charge);
    expect(completed.status).toBe('completed');
    await reprocessDelivery(service, { ...own, id: delivery!.id });
    expect(await readCharge(service, charge)).toEqual(completed);
    await expectInvariants(service);
  });

  test('of a paused feed is stored, and recorded when the feed is resumed', async ({
    app,
    service,
    merchant,
    charge,
    feed,
  }) => {
    const own = { merchantId: merchant.merchant.id, mode: 'live', actor, id: feed.id, now } as const;
    await updateBankFeed(service, { ...own, input: { isPaused: true } });
    expect((await sendDelivery(app, feed, { body: reportPayment(sepay, charge) })).status).toBe(200);
    const onError = (error: Error) => expect.unreachable(error.message);
    const later = minutesAfter(noon, 5);
    expect(await processDeliveries(service, { now: later, onError })).toBe(0);
    expect((await readCharge(service, charge)).status).toBe('pending');
    await updateBankFeed(service, { ...own, now: later, input: { isPaused: false } });
    expect(await processDeliveries(service, { now: later, onError })).toBe(1);
    expect((await readCharge(service, charge)).status).toBe('completed');
    expect((await readFeed(service, feed)).status).toBe('connected');
    await expectInvariants(service);
  });

  test.for([
    ['before its transfer was recorded', 'INSERT ON transfer'],
    ['after its transfer was recorded', 'UPDATE ON feed_delivery'],
  ] as const)(
    'because the process ended %s is recorded once by a worker after a minute',
    async ([_, moment], { app, service, charge, feed }) => {
      await service.pool.query(`CREATE FUNCTION fail_once() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE EXCEPTION 'the process ended'; END $$`);
      await service.pool.query(
        `CREATE TRIGGER fail_once BEFORE ${moment} FOR EACH ROW EXECUTE FUNCTION fail_once()`,
      );
      const answer = await sendDelivery(app, feed, { body: reportPayment(sepay, charge) });
      await service.pool.query('DROP FUNCTION fail_once CASCADE');
      expect(answer.status).toBe(200);
      expect(await readDeliveries(service, feed)).toMatchObject([{ status: 'received', transferIds: [] }]);
      const { receivingAccountId } = charge;
      expect(await service.prisma.transfer.count({ where: { receivingAccountId } })).toBe(0);
      const onError = (error: Error) => expect.unreachable(error.message);
      expect(await processDeliveries(service, { now: minutesAfter(noon, 0.9), onError })).toBe(0);
      await Promise.all([
        processDeliveries(service, { now: minutesAfter(noon, 1.1), onError }),
        processDeliveries(service, { now: minutesAfter(noon, 1.1), onError }),
      ]);
      expect((await readCharge(service, charge)).status).toBe('completed');
      expect(await readDeliveries(service, feed)).toMatchObject([{ status: 'processed' }]);
      await expectInvariants(service);
    },
  );
});

test('SNAP receives an access token for a signed request only, with which it then signs notifications', async ({
  app,
  service,
  merchant,
}) => {
  const charge = await seedChargeFor(service, merchant, 'snap');
  const { receivingAccountId } = charge;
  const credentials = { secret: 'a secret of the sender', publicKey: bankKeys.publicKey };
  const sender = 'SNAP, symmetric';
  const feed = await seedBankFeed(service, merchant, { sender, receivingAccountId, input: { credentials } });
  const timestamp = '2026-11-17T19:00:00+07:00';
  const requestToken = (signedText: string) =>
    app.app.inject({
      method: 'POST',
      url: `/feeds/${feed.id}/v1.0/access-token/b2b`,
      headers: {
        'content-type': 'application/json',
        'x-client-key': 'bank',
        'x-timestamp': timestamp,
        'x-signature': sign('RSA-SHA256', Buffer.from(signedText), bankKeys.privateKey).toString('base64'),
      },
      payload: { grantType: 'client_credentials' },
    });
  const forged = await requestToken(`other|${timestamp}`);
  expect([forged.statusCode, forged.json().responseCode]).toEqual([401, '4017300']);
  const issued = await requestToken(`bank|${timestamp}`);
  expect(issued.json()).toMatchObject({ responseCode: '2007300', tokenType: 'Bearer', expiresIn: '900' });
  expect(issued.json().accessToken).toMatch(/^[\w-]{43}$/);
  expect(await readDeliveries(service, feed)).toMatchObject([{ status: 'rejected' }]);
});
