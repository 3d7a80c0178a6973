import { sign } from 'node:crypto';
import { describe, expect } from 'vitest';
import type { BankFeed, Charge } from '../../../prisma/client/client.ts';
import { createBankFeed } from '../../../src/domain/money-in/feed/create-bank-feed.ts';
import { claimPoll, pollBankFeed } from '../../../src/domain/money-in/feed/poll-bank-feed.ts';
import { processDelivery } from '../../../src/domain/money-in/feed/process-delivery.ts';
import { receiveDelivery } from '../../../src/domain/money-in/feed/receive-delivery.ts';
import { updateBankFeed } from '../../../src/domain/money-in/feed/update-bank-feed.ts';
import type { Service } from '../../../src/domain/platform/service.ts';
import { type FeedPreset, presets } from '../../../src/feed/catalog.ts';
import { dayMs, hourMs, minuteMs, secondMs } from '../../../src/kit/duration.ts';
import { insertRows } from '../../../src/kit/insert-rows.ts';
import { toDecimal } from '../../../src/kit/money.ts';
import { doneOrCode } from '../../setup/errors.ts';
import { bankKeys, readFeedFixture } from '../../setup/feed-senders.ts';
import { readDeliveries } from '../../setup/feeds.ts';
import { clockTest } from '../../setup/fixtures.ts';
import { expectInvariants } from '../../setup/invariants.ts';
import { pollDueFeeds, readFeed } from '../../setup/pull-feeds.ts';
import { noon, readChargeStatus, seedCharge, seedMerchant } from '../../setup/seed.ts';
import { setupService } from '../../setup/service.ts';
import { apiClientId, apiClientSecret, apiToken, type BankApi, startBankApi } from './bank-api.ts';

type Kind = 'wise' | 'akahu' | 'popbill';

/** The charge and the input of the merchant for each kind of feed. */
const kinds: Record<Kind, { charge: object; bankAccount: string; input: object }> = {
  wise: {
    charge: { method: 'au-bank-transfer', merchantCurrency: 'AUD', merchantAmount: 31.4 },
    bankAccount: '64',
    input: { credentials: { key: apiToken }, pull: { providerAccountId: '4711' } },
  },
  akahu: {
    charge: { method: 'nz-bank-transfer', merchantCurrency: 'NZD', merchantAmount: 31.4 },
    bankAccount: 'acc_1111111111111111111111111',
    input: { credentials: { key: apiToken, clientId: apiClientId } },
  },
  popbill: {
    charge: { method: 'toss', merchantCurrency: 'KRW', merchantAmount: 128_000 },
    bankAccount: '0004 12345678901',
    input: {
      credentials: { clientId: apiClientId, clientSecret: apiClientSecret },
      pull: { providerAccountId: '1234567890' },
    },
  },
};
const kindNames = Object.keys(kinds) as Kind[];

const test = clockTest
  .extend('service', { scope: 'file' }, ({ onFileCleanup }) => setupService(onFileCleanup))
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads from the pattern which fixtures are needed.
  .extend('api', ({}, { onCleanup }) => startBankApi(onCleanup))
  .extend('merchant', ({ service }) => seedMerchant(service));

type Setup = { service: Service; api: BankApi; merchant: Awaited<ReturnType<typeof seedMerchant>> };

async function seedApiFeed({ service, api, merchant }: Setup, kind: Kind, input: object = {}) {
  const { charge: terms, bankAccount, input: own } = kinds[kind];
  const charge = await seedCharge(service, merchant, { input: terms as never });
  const receivingAccounts = [{ receivingAccountId: charge.receivingAccountId, bankAccount }];
  const feed = await createBankFeed(service, {
    ...{ merchantId: merchant.merchant.id, mode: 'live', actor: 'user:test', now: noon },
    input: { kind, receivingAccounts, apiUrl: api.url, ...own, ...input },
  });
  return { charge, feed };
}

/** The transaction with which a provider reports the payment of a charge. */
function reportTransaction(kind: FeedPreset, charge: Charge, id: string): object {
  const { customerAmount: minor, customerCurrency: currency, paymentReference } = charge;
  const { body } = presets[kind].createSample({
    ...{ id, account: kinds[kind as Kind].bankAccount, amount: toDecimal({ minor, currency }), currency },
    ...{ reference: paymentReference, payerName: 'Ada Wong', paidAt: noon },
  });
  return JSON.parse(body).transaction;
}

const onError = (error: Error) => expect.unreachable(error.stack);

const countTransfers = (service: Service, { merchantId }: BankFeed) =>
  service.prisma.transfer.count({ where: { merchantId } });

describe('A polled API', () => {
  test.for(kindNames)(
    'of %s completes a charge, and counts its transaction once in overlapping windows',
    async (kind, { service, api, merchant, clock }) => {
      const { charge, feed } = await seedApiFeed({ service, api, merchant }, kind);
      api.transactions = [1, 2, 3].map((id) => reportTransaction(kind, charge, String(id)));
      await pollDueFeeds(service, clock);
      expect(await readFeed(service, feed)).toMatchObject({
        status: 'connected',
        fetchedUntil: noon,
        lastError: null,
      });
      expect(await readChargeStatus(service, charge)).toBe('completed');
      expect(await countTransfers(service, feed)).toBe(3);
      api.transactions.push(reportTransaction(kind, charge, '4'));
      clock.advance(hourMs);
      await pollDueFeeds(service, clock);
      const deliveries = await readDeliveries(service, feed);
      expect(deliveries.map(({ status, ipAddress }) => [status, ipAddress])).toEqual(
        Array.from({ length: 4 }, () => ['processed', null]),
      );
      expect(await countTransfers(service, feed)).toBe(4);
      await expectInvariants(service);
    },
  );

  test.for(kindNames)(
    'of %s that responds with errors fails visibly, is asked less often, and loses nothing',
    async (kind, { service, api, merchant, clock }) => {
      const { charge, feed } = await seedApiFeed({ service, api, merchant }, kind);
      api.transactions = [reportTransaction(kind, charge, '1')];
      api.setFault('error');
      for (let i = 0; i < 3; i++) {
        expect((await readFeed(service, feed)).status).toBe('new');
        await pollDueFeeds(service, clock);
        clock.advance(hourMs);
      }
      const failing = await readFeed(service, feed);
      expect(failing).toMatchObject({
        status: 'failing',
        lastError: 'api_error: the API responded with 500',
      });
      expect(await service.prisma.alert.count({ where: { bankFeedId: feed.id, kind: 'feed_failing' } })).toBe(
        1,
      );
      expect(failing.fetchedUntil).toBeNull();
      api.setFault('not_json');
      await pollDueFeeds(service, clock);
      expect((await readFeed(service, feed)).lastError).toBe('api_error: the response is not JSON');
      api.setFault(undefined);
      clock.advance(hourMs);
      await pollDueFeeds(service, clock);
      expect(await readFeed(service, feed)).toMatchObject({ status: 'connected', lastError: null });
      expect(await readChargeStatus(service, charge)).toBe('completed');
    },
  );

  test.for(kindNames)(
    'of %s is no longer asked when its worker stops, and is left to another one',
    async (kind, { service, api, merchant, clock }) => {
      const { charge, feed } = await seedApiFeed({ service, api, merchant }, kind);
      api.transactions = [reportTransaction(kind, charge, '1')];
      const poll = async (signal: AbortSignal) =>
        pollBankFeed(service, (await claimPoll(service, clock.now()))!, { clock, signal, onError });
      await poll(AbortSignal.abort());
      expect(api.requests).toEqual([]);
      api.setFault('hangs');
      const controller = new AbortController();
      const polling = poll(controller.signal);
      await expect.poll(() => api.requests.length).toBe(1);
      const stoppedAt = performance.now();
      controller.abort();
      await polling;
      expect(performance.now() - stoppedAt).toBeLessThan(5 * secondMs);
      expect(await readFeed(service, feed)).toMatchObject({
        ...{ leasedUntil: null, nextPollAt: noon, lastError: null, fetchedUntil: null },
      });
      api.setFault(undefined);
      await pollDueFeeds(service, clock);
      expect(await readChargeStatus(service, charge)).toBe('completed');
    },
  );

  test('stops between the batches of a long page, and continues later', async ({
    service,
    api,
    merchant,
    clock,
  }) => {
    const { charge, feed } = await seedApiFeed({ service, api, merchant }, 'wise');
    api.transactions = Array.from({ length: 101 }, (_, id) => reportTransaction('wise', charge, String(id)));
    const controller = new AbortController();
    // The time is first read when the first transaction is stored.
    const stoppingClock = {
      now() {
        controller.abort();
        return clock.now();
      },
    };
    const claim = (await claimPoll(service, clock.now()))!;
    await pollBankFeed(service, claim, { clock: stoppingClock, signal: controller.signal, onError });
    expect(await countTransfers(service, feed)).toBe(100);
    await pollDueFeeds(service, clock);
    expect(await countTransfers(service, feed)).toBe(101);
  });

  test.for(['akahu', 'popbill'] as const)(
    'of %s that repeats a page fails visibly, and counts nothing twice',
    async (kind, { service, api, merchant, clock }) => {
      const { charge, feed } = await seedApiFeed({ service, api, merchant }, kind);
      api.transactions = [1, 2, 3].map((id) => reportTransaction(kind, charge, String(id)));
      api.setFault('repeats_page');
      await pollDueFeeds(service, clock);
      const { lastError, fetchedUntil } = await readFeed(service, feed);
      expect([lastError, fetchedUntil]).toEqual([expect.stringMatching(/^api_repeats_page: /), null]);
      api.setFault(undefined);
      clock.advance(hourMs);
      await pollDueFeeds(service, clock);
      expect(await countTransfers(service, feed)).toBe(3);
      expect(await readFeed(service, feed)).toMatchObject({ status: 'connected', fetchedUntil: clock.now() });
    },
  );

  test('of Wise that reports a returned payout under the number of the payout loses and repeats neither', async ({
    service,
    api,
    merchant,
    clock,
  }) => {
    const { charge, feed } = await seedApiFeed({ service, api, merchant }, 'wise');
    const credit = reportTransaction('wise', charge, '7') as { amount: { value: number } };
    const amount = { ...credit.amount, value: -credit.amount.value };
    api.transactions = [{ ...credit, type: 'DEBIT', amount, details: { type: 'TRANSFER' } }];
    await pollDueFeeds(service, clock);
    const returned = { ...credit, details: { type: 'TRANSFER', description: 'Refunded transfer' } };
    api.transactions.push(returned);
    for (let i = 0; i < 2; i++) {
      clock.advance(hourMs);
      await pollDueFeeds(service, clock);
    }
    const transfers = await service.prisma.transfer.findMany({
      where: { merchantId: feed.merchantId },
      orderBy: { id: 'asc' },
    });
    expect(transfers.map(({ direction, status }) => [direction, status])).toEqual([
      ['debit', 'outgoing'],
      ['credit', 'exception'],
    ]);
    expect(transfers[1]!.reason).toBe('id_reused');
    expect(await readChargeStatus(service, charge)).toBe('pending');
    await expectInvariants(service);
  });

  test('that rejects the credentials alerts the merchant immediately', async ({
    service,
    api,
    merchant,
    clock,
  }) => {
    const { feed } = await seedApiFeed({ service, api, merchant }, 'wise');
    api.setFault('rejects');
    await pollDueFeeds(service, clock);
    expect(await readFeed(service, feed)).toMatchObject({
      status: 'failing',
      lastError: /^credentials_rejected: /,
    });
  });

  test('is asked for everything since the last success after a long interruption, in several windows', async ({
    service,
    api,
    merchant,
    clock,
  }) => {
    const { feed } = await seedApiFeed({ service, api, merchant }, 'wise');
    await pollDueFeeds(service, clock);
    clock.advance(60 * dayMs);
    api.requests.length = 0;
    await pollDueFeeds(service, clock);
    expect(await readFeed(service, feed)).toMatchObject({ fetchedUntil: clock.now() });
    const windows = api.requests.map(({ query }) => [query.intervalStart!, query.intervalEnd!]);
    expect(windows).toHaveLength(3);
    for (const [i, [start]] of windows.entries()) expect(i === 0 || start! < windows[i - 1]![1]!).toBe(true);
  });

  test('is not asked at a private address unless the operator allows it', async ({
    service,
    api,
    merchant,
    clock,
  }) => {
    const { feed } = await seedApiFeed({ service, api, merchant }, 'wise');
    const guarded = { ...service, settings: { ...service.settings, allowPrivateTargets: false } };
    await pollDueFeeds(guarded, clock);
    expect((await readFeed(service, feed)).lastError).toMatch(/^connection_failed: the address is a private/);
    expect(api.requests).toEqual([]);
  });
});

describe('A webhook of a polled API', () => {
  const body = Buffer.from(JSON.stringify({ event_type: 'balances#credit', data: { amount: 1 } }));

  async function ring(service: Service, feed: BankFeed, headers: Record<string, string>, now: Date) {
    return receiveDelivery(service, {
      feedId: feed.id,
      request: {
        ...{ method: 'POST', path: `/feeds/${feed.id}`, headers, body, size: body.length },
        ipAddress: '192.0.2.1',
      },
      now,
      admitRejection: () => true,
      insert: (delivery) => insertRows(service.prisma, 'feed_delivery', [delivery]),
      process: async ({ id }) => void (await processDelivery(service, { id, now })),
    });
  }

  test.for([
    ['wise', 'x-signature-sha256'],
    ['akahu', 'x-akahu-signature'],
  ] as const)(
    'of %s starts a poll if its signature is valid, and records nothing itself',
    async ([kind, header], { service, api, merchant, clock }) => {
      const { publicKey } = bankKeys;
      const { credentials } = kinds[kind].input as { credentials: object };
      const input = { authentication: 'webhook', credentials: { ...credentials, publicKey } };
      const { charge, feed } = await seedApiFeed({ service, api, merchant }, kind, input);
      await pollDueFeeds(service, clock);
      api.transactions = [reportTransaction(kind, charge, '1')];
      clock.advance(minuteMs);
      expect(await pollDueFeeds(service, clock)).toBe(0);
      const forged = await ring(
        service,
        feed,
        { [header]: Buffer.alloc(256).toString('base64') },
        clock.now(),
      );
      expect(forged?.status).toBe(401);
      expect(await pollDueFeeds(service, clock)).toBe(0);
      const signature = sign('sha256', body, bankKeys.privateKey).toString('base64');
      expect((await ring(service, feed, { [header]: signature }, clock.now()))?.status).toBe(200);
      expect(await countTransfers(service, feed)).toBe(0);
      expect(await pollDueFeeds(service, clock)).toBe(1);
      expect(await readChargeStatus(service, charge)).toBe('completed');
      const statuses = (await readDeliveries(service, feed)).map(({ status, reason }) => [status, reason]);
      expect(statuses).toEqual([
        ['rejected', 'signature_invalid'],
        ['ignored', 'no_transfers'],
        ['processed', null],
      ]);
    },
  );

  test('is rejected by a feed that is only polled, regardless of its content', async ({
    service,
    api,
    merchant,
    clock,
  }) => {
    const { feed } = await seedApiFeed({ service, api, merchant }, 'wise');
    const answer = await ring(service, feed, {}, clock.now());
    expect(answer).toMatchObject({ status: 401, body: { error: 'credentials_missing' } });
    expect(await readDeliveries(service, feed)).toMatchObject([{ status: 'rejected', bodyEncrypted: null }]);
  });
});

test.for([...kindNames, 'scb'] as const)(
  'The API of %s changes only if the credentials that it receives are given again',
  async (kind, { service, api, merchant, clock }) => {
    const seeded = kind === 'scb' ? 'popbill' : kind;
    const { feed } = await seedApiFeed({ service, api, merchant }, seeded, {
      kind,
      ...(kind === 'scb' && { pull: null }),
    });
    const { credentials } = kinds[seeded].input as { credentials: Record<string, string> };
    const change = (input: object) =>
      updateBankFeed(service, {
        ...{ id: feed.id, merchantId: feed.merchantId, mode: feed.mode, actor: 'api_key:test', now: noon },
        input,
      });
    const apiUrl = 'http://127.0.0.1:9';
    for (const url of [apiUrl, null])
      for (const name of Object.keys(credentials)) {
        const others = { ...credentials, [name]: undefined };
        await expect(change({ apiUrl: url, credentials: others })).rejects.toThrow(
          `/credentials/${name} is required when`,
        );
      }
    await expect(change({ apiUrl })).rejects.toMatchObject({ code: 'invalid_request' });
    if (kind !== 'scb') await pollDueFeeds(service, clock);
    expect(await readFeed(service, feed)).toMatchObject({ settings: { apiUrl: api.url } });
    await change({ apiUrl: `${api.url}/v2` });
    const moved = await change({ apiUrl, credentials });
    expect(moved.settings).toMatchObject({ apiUrl });
  },
);

test('A polled API needs the account of the provider and its credentials', async ({
  service,
  api,
  merchant,
}) => {
  const create = (input: object) => doneOrCode(seedApiFeed({ service, api, merchant }, 'wise', input));
  expect(await create({ credentials: {} })).toBe('invalid_request');
  expect(await create({ pull: {} })).toBe('invalid_request');
  expect(await create({ pull: { providerAccountId: '../4711' } })).toBe('invalid_request');
  expect(readFeedFixture('wise').items).toHaveLength(1);
});
