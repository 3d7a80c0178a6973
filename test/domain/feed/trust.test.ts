import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished } from 'vitest';
import type { BankFeed, Charge } from '../../../prisma/client/client.ts';
import type { NewMerchant } from '../../../src/domain/accounts/merchant/create-merchant.ts';
import { confirmBankFeed } from '../../../src/domain/money-in/feed/confirm-bank-feed.ts';
import { createBankFeed } from '../../../src/domain/money-in/feed/create-bank-feed.ts';
import { processDeliveries } from '../../../src/domain/money-in/feed/process-deliveries.ts';
import { processDelivery } from '../../../src/domain/money-in/feed/process-delivery.ts';
import { receiveDelivery } from '../../../src/domain/money-in/feed/receive-delivery.ts';
import { reprocessDelivery } from '../../../src/domain/money-in/feed/reprocess-delivery.ts';
import { updateBankFeed } from '../../../src/domain/money-in/feed/update-bank-feed.ts';
import type { Service } from '../../../src/domain/platform/service.ts';
import { insertRows } from '../../../src/kit/insert-rows.ts';
import { doneOrCode } from '../../setup/errors.ts';
import { readFeedFixture } from '../../setup/feed-senders.ts';
import { readDeliveries } from '../../setup/feeds.ts';
import { serviceTest as test } from '../../setup/fixtures.ts';
import { expectInvariants } from '../../setup/invariants.ts';
import { minutesAfter, noon, seedCharge } from '../../setup/seed.ts';

const onError = (error: Error) => expect.unreachable(error.message);

/** The description of a sender that signs with HTTP Basic authentication. */
const customFormat = {
  authentications: [{ scheme: 'basic' }],
  mapping: {
    items: '/payments/*',
    id: ['/no'],
    accounts: [['/to']],
    amount: '/sum',
    currency: { value: 'HKD' },
    direction: 'sign',
    references: ['/text'],
    paidAt: { pointers: ['/at'], format: 'unix_seconds' },
  },
};

function toOwner({ merchant }: NewMerchant) {
  return { merchantId: merchant.id, mode: 'live', actor: 'user:test', now: noon } as const;
}

function seedCustomFeed(service: Service, merchant: NewMerchant, { receivingAccountId }: Charge) {
  return createBankFeed(service, {
    ...toOwner(merchant),
    input: {
      kind: 'custom',
      name: 'My bank',
      receivingAccounts: [{ receivingAccountId, bankAccount: '*' }],
      credentials: { username: 'bank', key: 'a password' },
      customFormatJson: JSON.stringify(customFormat),
    },
  });
}

function receive(service: Service, feed: BankFeed, body: string, headers: Record<string, string> = {}) {
  const request = { method: 'POST', path: `/feeds/${feed.id}`, headers, body: Buffer.from(body) };
  return receiveDelivery(service, {
    feedId: feed.id,
    request: { ...request, size: body.length, ipAddress: '203.0.113.7' },
    now: noon,
    admitRejection: () => true,
    insert: (delivery) => insertRows(service.prisma, 'feed_delivery', [delivery]),
    process: async ({ id }) => void (await processDelivery(service, { id, now: noon })),
  });
}

const basic = { authorization: `Basic ${Buffer.from('bank:a password').toString('base64')}` };

const readCharge = (service: Service, { id }: Charge) =>
  service.prisma.charge.findUniqueOrThrow({ where: { id } });

describe('A feed of a sender without a preset', () => {
  const report = ({ paymentReference }: Charge) =>
    JSON.stringify({
      payments: [{ no: 7, to: '1', sum: 128.5, text: paymentReference, at: noon.getTime() / 1000 }],
    });

  test('only observes until the merchant confirms a delivery, and then records what it observed', async ({
    service,
    merchant,
  }) => {
    const charge = await seedCharge(service, merchant);
    const feed = await seedCustomFeed(service, merchant, charge);
    expect(await receive(service, feed, report(charge), basic)).toMatchObject({ status: 200 });
    expect((await readCharge(service, charge)).status).toBe('pending');
    const [delivery] = await readDeliveries(service, feed);
    expect(delivery).toMatchObject({
      status: 'observed',
      transferIds: [],
      results: [{ id: '7', status: 'observed', amount: '128.5', account: '1' }],
    });
    const options = { ...toOwner(merchant), id: feed.id };
    expect(await doneOrCode(confirmBankFeed(service, { ...options, deliveryId: 'fdl_none' }))).toBe(
      'feed_delivery_not_found',
    );
    await confirmBankFeed(service, { ...options, deliveryId: delivery!.id });
    expect(await processDeliveries(service, { now: noon, onError })).toBe(1);
    expect((await readCharge(service, charge)).status).toBe('completed');
    expect(await readDeliveries(service, feed)).toMatchObject([{ status: 'processed' }]);
    await expectInvariants(service);
  });

  test('must be confirmed again when its format changes', async ({ service, merchant }) => {
    const charge = await seedCharge(service, merchant);
    const feed = await seedCustomFeed(service, merchant, charge);
    await receive(service, feed, report(charge), basic);
    const [delivery] = await readDeliveries(service, feed);
    const options = { ...toOwner(merchant), id: feed.id };
    await confirmBankFeed(service, { ...options, deliveryId: delivery!.id });
    const renamed = await updateBankFeed(service, { ...options, input: { name: 'Bank' } });
    expect(renamed.confirmedAt).toEqual(noon);
    const input = { customFormatJson: JSON.stringify(customFormat) };
    expect((await updateBankFeed(service, { ...options, input })).confirmedAt).toBeNull();
  });

  test('rejects a delivery with another password', async ({ service, merchant }) => {
    const charge = await seedCharge(service, merchant);
    const feed = await seedCustomFeed(service, merchant, charge);
    const authorization = `Basic ${Buffer.from('bank:another').toString('base64')}`;
    expect(await receive(service, feed, report(charge), { authorization })).toMatchObject({ status: 401 });
    expect(await readDeliveries(service, feed)).toMatchObject([{ reason: 'credentials_invalid' }]);
  });

  const hmac = {
    ...{ scheme: 'hmac', algorithm: 'sha256', header: 'X-Signature', pattern: '{signature}' },
    ...{ encoding: 'hex', signedText: '{body}' },
  };
  test.for<[string, object, RegExp]>([
    ['no authentication', { authentications: [] }, /authentications/],
    ['an unknown member', { authentications: [{ scheme: 'basic', realm: 'x' }] }, /authentications/],
    [
      'a signature without the body',
      { authentications: [{ ...hmac, signedText: 'x' }] },
      /must contain the body/,
    ],
    ['an unknown placeholder', { authentications: [{ ...hmac, signedText: '{body}{url}' }] }, /\{url\}/],
    [
      'a time that is not signed',
      { authentications: [{ ...hmac, timestamp: { unit: 'iso' } }] },
      /timestamp/,
    ],
    ['a pattern without the signature', { authentications: [{ ...hmac, pattern: 'x' }] }, /\{signature\}/],
    [
      'an ambiguous pattern',
      { authentications: [{ ...hmac, pattern: '{signature}{a}{a}' }] },
      /no other placeholder/,
    ],
    [
      'a path that is no pointer',
      { mapping: { ...customFormat.mapping, id: ['$.id'] } },
      /not a JSON pointer/,
    ],
    [
      'an unknown time zone',
      { mapping: { ...customFormat.mapping, paidAt: { pointers: [], format: 'iso', timeZone: 'Mars' } } },
      /time zone/,
    ],
  ])('cannot be created with %s', async ([_, changes, message], { service, merchant }) => {
    const { receivingAccountId } = await seedCharge(service, merchant);
    const creation = createBankFeed(service, {
      ...toOwner(merchant),
      input: {
        kind: 'custom',
        receivingAccounts: [{ receivingAccountId }],
        credentials: { username: 'bank', key: 'k', secret: 's' },
        customFormatJson: JSON.stringify({ ...customFormat, ...changes }),
      },
    });
    await expect(creation).rejects.toThrow(message);
  });
});

test.for<[string, object, RegExp]>([
  ['an unknown kind', { kind: 'mybank' }, /kind/],
  ['no secret', { credentials: {} }, /credentials\/secret is required/],
  ['an invalid public key', { kind: 'monoova', credentials: { publicKey: 'x' } }, /publicKey must be/],
  ['an unknown authentication', { authentication: 'oauth' }, /signature, key/],
  ['no account', { receivingAccounts: [] }, /at least one/],
  [
    'an account of another merchant',
    { receivingAccounts: [{ receivingAccountId: 'acc_1' }] },
    /your receiving/,
  ],
  ['an invalid network', { allowedAddresses: ['10.0.0.0/33'] }, /allowedAddresses\/0/],
  ['a silence of a minute', { silenceMinutes: 1 }, /silenceMinutes/],
  ['a format for a preset', { customFormatJson: JSON.stringify(customFormat) }, /only for a custom feed/],
  ['an API on a private host', { apiUrl: 'http://127.0.0.1:80' }, /apiUrl|private/],
])('A feed cannot be created with %s', async ([_, changes, message], { service, merchant }) => {
  const { receivingAccountId } = await seedCharge(service, merchant);
  const strict = { ...service, settings: { ...service.settings, allowPrivateTargets: false } };
  const input = { kind: 'sepay', credentials: { secret: 's' }, receivingAccounts: [{ receivingAccountId }] };
  const creation = createBankFeed(strict, { ...toOwner(merchant), input: { ...input, ...changes } });
  await expect(creation).rejects.toThrow(message);
});

test('At most 50 feeds are allowed in each mode; a deleted one makes room', async ({ service, merchant }) => {
  const charge = await seedCharge(service, merchant);
  const { id: _, ...first } = await seedCustomFeed(service, merchant, charge);
  const data = Array.from({ length: 49 }, (_, i) => ({ ...first, id: `feed_${i}${first.merchantId}` }));
  await service.prisma.bankFeed.createMany({ data: data as never });
  expect(await doneOrCode(seedCustomFeed(service, merchant, charge))).toBe('bank_feed_limit_reached');
  await service.prisma.bankFeed.update({ where: { id: data[0]!.id }, data: { deletedAt: noon } });
  expect(await doneOrCode(seedCustomFeed(service, merchant, charge))).toBe('done');
  await service.prisma.bankFeed.deleteMany({ where: { id: { in: data.map(({ id }) => id) } } });
});

test('A rejected delivery, of which nothing is stored, cannot be processed', async ({
  service,
  merchant,
}) => {
  const charge = await seedCharge(service, merchant);
  const feed = await seedCustomFeed(service, merchant, charge);
  await receive(service, feed, '{}');
  const [delivery] = await readDeliveries(service, feed);
  const processing = reprocessDelivery(service, { ...toOwner(merchant), id: delivery!.id });
  expect(await doneOrCode(processing)).toBe('feed_delivery_not_processable');
});

/** SCB’s API as its documentation describes it: a token, and records by biller, reference and date. */
async function startScbApi(records: object[], { tokenStatus = 200, onRequest = () => {} } = {}) {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    onRequest();
    requests.push(`${request.method} ${request.url}`);
    const send = (status: number, body: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    if (request.url === '/oauth/token')
      return send(tokenStatus, tokenStatus === 200 ? { data: { accessToken: 'token' } } : { status: {} });
    if (request.headers.authorization !== 'Bearer token') return send(401, { status: { code: 9100 } });
    const query = new URL(request.url!, 'http://scb').searchParams;
    if (query.get('transactionDate') !== '2026-11-17' || records.length === 0)
      return send(404, { status: { code: 1101 } });
    return send(200, { status: { code: 1000 }, data: records });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
}

describe('A feed of SCB', () => {
  const seedScb = async (service: Service, merchant: NewMerchant, apiUrl?: string) => {
    const terms = { method: 'prompt-pay', merchantCurrency: 'THB', merchantAmount: 100 } as const;
    const charge = await seedCharge(service, merchant, { input: terms as never });
    const feed = await createBankFeed(service, {
      ...toOwner(merchant),
      input: {
        kind: 'scb',
        receivingAccounts: [
          { receivingAccountId: charge.receivingAccountId, bankAccount: '762342992129431' },
        ],
        ...(apiUrl !== undefined && { apiUrl, credentials: { clientId: 'key', clientSecret: 'secret' } }),
      },
    });
    const claim = {
      ...readFeedFixture('scb').body,
      billPaymentRef1: charge.paymentReference,
      transactionDateandTime: '2026-11-17T19:00:00+07:00',
    };
    return { charge, feed, claim: claim as Record<string, unknown>, body: JSON.stringify(claim) };
  };

  test('completes a charge only after the bank’s API has confirmed the payment', async ({
    service,
    merchant,
  }) => {
    const records: object[] = [];
    const api = await startScbApi(records);
    const { charge, feed, claim, body } = await seedScb(service, merchant, api.url);
    const answer = { resCode: '00', resDesc: 'success', transactionId: claim.transactionId };
    expect(await receive(service, feed, body)).toEqual({ status: 200, body: answer });
    expect(await readDeliveries(service, feed)).toMatchObject([{ status: 'received' }]);
    // The bank does not know it yet.
    await processDeliveries(service, { now: noon, onError });
    expect(await readDeliveries(service, feed)).toMatchObject([
      { status: 'received', reason: 'not_confirmed', detail: 'the bank has no such payment' },
    ]);
    expect((await readCharge(service, charge)).status).toBe('pending');
    records.push({ transactionId: 'another', amount: '100.00' }, { ...claim, amount: 100 });
    await processDeliveries(service, { now: minutesAfter(noon, 1), onError });
    expect((await readCharge(service, charge)).status).toBe('completed');
    expect(api.requests).toContain('POST /oauth/token');
    await expectInvariants(service);
  });

  test.for<[string, object]>([
    ['amount', { amount: '1.00' }],
    ['ID', { transactionId: 'another' }],
  ])(
    'does not record a payment whose %s differs at the bank',
    async ([_, changes], { service, merchant }) => {
      const records: object[] = [];
      const { url } = await startScbApi(records);
      const { charge, feed, claim, body } = await seedScb(service, merchant, url);
      records.push({ ...claim, ...changes });
      await receive(service, feed, body);
      for (let i = 0; i < 12; i++)
        await processDeliveries(service, { now: minutesAfter(noon, i * 60 * 13), onError });
      expect(await readDeliveries(service, feed)).toMatchObject([
        { status: 'failed', reason: 'not_confirmed', processedAt: minutesAfter(noon, 8_580) },
      ]);
      expect((await readCharge(service, charge)).status).toBe('pending');
      const alerts = await service.prisma.alert.findMany({ where: { bankFeedId: feed.id } });
      expect(alerts).toMatchObject([{ kind: 'feed_failing' }]);
      // The merchant requests the confirmation again, after the bank has corrected its record.
      records.splice(0, 1, claim);
      const { id } = (await readDeliveries(service, feed))[0]!;
      await reprocessDelivery(service, { ...toOwner(merchant), id });
      await processDeliveries(service, { now: noon, onError });
      expect((await readCharge(service, charge)).status).toBe('completed');
    },
  );

  test.for([
    ['rejects the key', 400, 'the bank rejected the API key or secret'],
    ['is down', 503, 'responded with 503'],
  ] as const)('waits while the API %s', async ([_, tokenStatus, detail], { service, merchant }) => {
    const { url } = await startScbApi([], { tokenStatus });
    const { feed, body } = await seedScb(service, merchant, url);
    await receive(service, feed, body);
    await processDeliveries(service, { now: noon, onError });
    const [delivery] = await readDeliveries(service, feed);
    expect(delivery).toMatchObject({ status: 'received', reason: 'not_confirmed' });
    expect(delivery!.detail).toContain(detail);
    expect(delivery!.nextAttemptAt!.getTime()).toBeGreaterThan(noon.getTime());
  });

  test('leaves the deliveries that a run has not processed to the next one, with all their attempts', async ({
    service,
    merchant,
  }) => {
    const records: object[] = [];
    const ending = new AbortController();
    const { url } = await startScbApi(records, { onRequest: () => ending.abort() });
    const { charge, feed, claim, body } = await seedScb(service, merchant, url);
    records.push(claim);
    for (let i = 0; i < 3; i++) await receive(service, feed, body);
    expect(await processDeliveries(service, { now: noon, signal: ending.signal, onError })).toBe(1);
    const deliveries = await readDeliveries(service, feed);
    const open = deliveries.filter(({ status }) => status === 'received');
    expect(open.map(({ attemptCount }) => attemptCount)).toEqual([0, 0]);
    expect(await processDeliveries(service, { now: noon, onError })).toBe(2);
    expect((await readCharge(service, charge)).status).toBe('completed');
    await expectInvariants(service);
  });

  test('without credentials of the API only observes, and cannot be confirmed', async ({
    service,
    merchant,
  }) => {
    const { charge, feed, body } = await seedScb(service, merchant);
    await receive(service, feed, body);
    const [delivery] = await readDeliveries(service, feed);
    expect(delivery!.status).toBe('observed');
    const options = { ...toOwner(merchant), id: feed.id, deliveryId: delivery!.id };
    expect(await doneOrCode(confirmBankFeed(service, options))).toBe('bank_feed_unauthenticated');
    expect((await readCharge(service, charge)).status).toBe('pending');
    const credentials = { clientId: 'key', clientSecret: 'secret' };
    const updated = await updateBankFeed(service, { ...options, input: { credentials } });
    expect(updated.confirmedAt).toEqual(noon);
  });
});
