import { describe, expect } from 'vitest';
import type { Mode } from '../../prisma/client/client.ts';
import type { NewMerchant } from '../../src/domain/accounts/merchant/create-merchant.ts';
import { completeSandboxCharge } from '../../src/domain/money-in/transfer/complete-sandbox-charge.ts';
import { unassignTransfer } from '../../src/domain/money-in/transfer/review/unassign-transfer.ts';
import { sumCollectedByDay } from '../../src/domain/payments/charge-list/sum-collected.ts';
import { buildExports } from '../../src/domain/payouts/export/build-exports.ts';
import type { Service } from '../../src/domain/platform/service.ts';
import { toStaleReads } from '../../src/kit/stale-reads.ts';
import { basicAuth } from '../setup/api.ts';
import { fakeTimeGraphqlTest as test } from '../setup/app-fixtures.ts';
import { type ApiAuth, type GraphqlApp, type Json, mutate } from '../setup/graphql.ts';
import { payOut, returnPayout, seedPayableRefund } from '../setup/payouts.ts';
import { minutesAfter, noon, seedCharge, seedMerchant } from '../setup/seed.ts';
import { type SignedInUser, signInAs } from '../setup/sign-in.ts';
import { payCharge } from '../setup/transfers.ts';

describe('Export', () => {
  const exportFields =
    'id kind format status progress writtenRowCount totalRowCount fileName sizeBytes downloadUrl error';

  const create = (app: GraphqlApp, input: object, as?: ApiAuth): Promise<Json> =>
    mutate(app, 'createExport', input, `export { ${exportFields} }`, as);

  async function read(app: GraphqlApp, id: string, as: ApiAuth = app.merchant.keys.live): Promise<Json> {
    return (await app.ask(`{ export(id: "${id}") { ${exportFields} } }`, { as })).data.export;
  }

  const download = (app: GraphqlApp, path: string, authorization: string) =>
    app.app.inject({ method: 'GET', url: path, headers: { authorization } });

  test('is created, read and downloaded with the same credentials', async ({ app, service, clock }) => {
    const other = await seedCharge(service, app.merchant, { input: { email: 'bob@example.com' } });
    const filter = { customerEmail: 'BOB@example.com', statuses: ['pending'] };
    const created = await create(app, { kind: 'charges', chargeFilter: filter, includeByteOrderMark: true });
    expect(created.export).toMatchObject({ status: 'queued', progress: 0, downloadUrl: null, format: 'csv' });
    const { id } = created.export;
    const path = `/exports/${id}/file`;
    expect((await download(app, path, basicAuth(app.merchant.keys.live))).statusCode).toBe(404);
    await buildExports(service, { clock });
    const done = await read(app, id);
    expect(done).toMatchObject({
      status: 'completed',
      progress: 1,
      writtenRowCount: 1,
      totalRowCount: 1,
      error: null,
    });
    expect(done.downloadUrl).toBe(`http://127.0.0.1:4000${path}`);
    const file = await download(app, path, basicAuth(app.merchant.keys.live));
    expect(file.statusCode).toBe(200);
    expect(file.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="charges-2026-11-17.csv"',
      'content-length': String(done.sizeBytes),
      'cache-control': 'no-store',
    });
    expect(file.body.split('\r\n')).toEqual([
      expect.stringMatching(/^\uFEFFid,status,/),
      expect.stringContaining(other.id),
      '',
    ]);
    for (const keys of [app.otherMerchant.keys.live, app.merchant.keys.sandbox]) {
      expect(await read(app, id, keys)).toBeNull();
      expect((await download(app, path, basicAuth(keys))).statusCode).toBe(404);
    }
    expect((await app.app.inject({ url: path })).statusCode).toBe(401);
    expect((await app.ask('{ exports { totalCount nodes { id } } }')).data.exports).toEqual({
      totalCount: 1,
      nodes: [{ id }],
    });
  });

  test('of a list accepts the filters of the list', async ({ app, service, clock }) => {
    const merchant = await seedMerchant(service);
    const as = merchant.keys.live;
    const payable = await seedPayableRefund(service, merchant);
    const transfers = await create(app, { kind: 'transfers', transferFilter: { statuses: ['matched'] } }, as);
    const refunds = await create(app, { kind: 'refunds', refundFilter: { statuses: ['initiated'] } }, as);
    const { customerCurrency: currency, receivingAccountId } = payable;
    const sameAccount = { receivingAccountId, customerAmount: { currency, min: '0.01' } };
    const sameAccountRefunds = await create(app, { kind: 'refunds', refundFilter: sameAccount }, as);
    const customers = await create(
      app,
      { kind: 'customers', customerFilter: { email: 'nobody@example.com' } },
      as,
    );
    await buildExports(service, { clock });
    expect(await read(app, customers.export.id, as)).toMatchObject({
      writtenRowCount: 0,
      status: 'completed',
    });
    expect(await read(app, transfers.export.id, as)).toMatchObject({ writtenRowCount: 1 });
    expect(await read(app, sameAccountRefunds.export.id, as)).toMatchObject({ writtenRowCount: 1 });
    expect(await read(app, refunds.export.id, as)).toMatchObject({
      writtenRowCount: 0,
      status: 'completed',
      progress: 1,
    });
  });

  test('of customers has the columns of the list', async ({ app, service, clock }) => {
    const merchant = await seedMerchant(service);
    const as = merchant.keys.live;
    const { customerId } = await seedCharge(service, merchant, { input: { email: 'cy@example.com' } });
    const { export: created } = await create(app, { kind: 'customers' }, as);
    await buildExports(service, { clock });
    const { body } = await download(app, `/exports/${created.id}/file`, basicAuth(as));
    const [header, row] = body.split('\r\n');
    expect(header).toBe('id,email,phone,firstName,lastName,note,createdAt');
    expect(row).toMatch(new RegExp(`^${customerId},cy@example\\.com,`));
  });

  test('rejects a field that belongs to another kind', async ({ app }) => {
    const days = { startDate: '2026-11-01', endDate: '2026-11-02' };
    const inputs: [input: object, path: string][] = [
      [{ kind: 'charges', transferFilter: {} }, '/transferFilter'],
      [{ kind: 'transfers', chargeFilter: {} }, '/chargeFilter'],
      [{ kind: 'charges', customerFilter: {} }, '/customerFilter'],
      [{ kind: 'payouts', reverse: true }, '/reverse'],
      [{ kind: 'refunds', includeExported: false }, '/includeExported'],
      [{ kind: 'payouts', ...days }, '/startDate'],
      [{ kind: 'reconciliation', ...days, format: 'csv' }, '/format'],
    ];
    for (const [input, path] of inputs)
      expect(await create(app, input)).toMatchObject({ code: 'invalid_request', errors: [{ path }] });
    const withNull = await create(app, { kind: 'refunds', includeExported: null });
    expect(withNull.__typename).toBe('CreateExportSuccess');
  });

  test('of the reconciliation requires its dates', async ({ app }) => {
    expect(await create(app, { kind: 'reconciliation', startDate: '2026-11-01' })).toMatchObject({
      code: 'invalid_request',
      errors: [{ path: '/endDate' }],
    });
    const backwards = { kind: 'reconciliation', startDate: '2026-11-02', endDate: '2026-11-01' };
    expect((await create(app, backwards)).code).toBe('invalid_request');
  });

  test('of payouts requires the permission to pay, also in the dashboard', async ({
    app,
    service,
    clock,
  }) => {
    const refund = await seedPayableRefund(service, app.merchant);
    const owner = await signInAs('owner', app, app.merchant);
    const support = await signInAs('support', app, app.merchant);
    const input = { kind: 'payouts', format: 'pain_001_001_09' };
    const createAs = (user: SignedInUser) => mutate(user, 'createExport', input, 'export { id }');
    expect((await createAs(support)).__typename).toBe('PermissionError');
    const { id } = (await createAs(owner)).export;
    await buildExports(service, { clock });
    const file = async (user: SignedInUser) =>
      app.app.inject({ url: `/exports/${id}/file`, headers: { cookie: user.cookie() ?? '' } });
    expect((await file(support)).statusCode).toBe(403);
    const response = await file(owner);
    expect(response.statusCode).toBe(200);
    expect(response.headers['content-type']).toBe('application/xml; charset=utf-8');
    expect(response.body).toContain(refund.payoutReference);
    expect((await create(app, input)).code).toBe('invalid_request');
  });
});

describe('Collected amounts', () => {
  async function seedPayment(
    service: Service,
    merchant: NewMerchant,
    minutes: number,
    input: object,
    options: { minor?: bigint } = {},
  ): Promise<void> {
    const now = minutesAfter(noon, minutes);
    const charge = await seedCharge(service, merchant, { now, input });
    await payCharge(service, merchant, charge, { now, ...options });
  }

  async function sumCollected(app: GraphqlApp, variables: object, as: ApiAuth) {
    const query =
      'query ($from: DateTime!, $to: DateTime) { collectedAmounts(completedFrom: $from, completedBefore: $to) { currency amount chargeCount } }';
    return (await app.ask(query, { variables, as })).data.collectedAmounts;
  }

  test('sums received amounts by currency in a time range of the mode', async ({ app, service }) => {
    const merchant = await seedMerchant(service);
    await seedPayment(service, merchant, 0, { email: 'a@example.com' });
    await seedPayment(service, merchant, 1, { email: 'b@example.com' }, { minor: 13_000n });
    await seedPayment(service, merchant, 1, {
      email: 'c@example.com',
      method: 'paynow',
      merchantCurrency: 'SGD',
      merchantAmount: 45.2,
    });
    await seedPayment(service, merchant, 5, { email: 'd@example.com' });
    await seedCharge(service, merchant, { now: noon, input: { email: 'open@example.com' } });
    const sandbox = await seedCharge(service, merchant, { mode: 'sandbox', now: noon });
    await completeSandboxCharge(service, {
      merchantId: merchant.merchant.id,
      mode: 'sandbox',
      id: sandbox.id,
      actor: 'user:test',
      now: noon,
    });

    expect(await sumCollected(app, { from: noon }, merchant.keys.live)).toEqual([
      { currency: 'HKD', amount: '387.00', chargeCount: 3 },
      { currency: 'SGD', amount: '45.20', chargeCount: 1 },
    ]);
    const to = minutesAfter(noon, 1);
    expect(await sumCollected(app, { from: noon, to }, merchant.keys.live)).toEqual([
      { currency: 'HKD', amount: '128.50', chargeCount: 1 },
    ]);
    expect(await sumCollected(app, { from: minutesAfter(noon, 6) }, merchant.keys.live)).toEqual([]);
    expect(await sumCollected(app, { from: noon }, merchant.keys.sandbox)).toEqual([
      { currency: 'HKD', amount: '128.50', chargeCount: 1 },
    ]);
    expect(await sumCollected(app, { from: noon }, app.otherMerchant.keys.live)).toEqual([]);
  });

  async function sumByDay(app: GraphqlApp, args: string, as = app.merchant.keys.live) {
    const query = `{ dailyCollectedAmounts${args} { date amounts { currency method amount chargeCount } } }`;
    return app.ask(query, { as });
  }

  describe('a completed charge', () => {
    /**
     * A charge that was paid in part or in full, of a new merchant, and the sums of the merchant, in total
     * and of the day.
     */
    async function seedPaidCharge(app: GraphqlApp, mode: Mode, minor: bigint) {
      const { service } = app.context;
      const shop = await seedMerchant(service, {}, noon);
      const charge = await seedCharge(service, shop, { mode, now: noon });
      const transfer = await payCharge(service, shop, charge, { minor, now: noon });
      const as = shop.keys[mode];
      const readSums = async () => {
        const [sum] = await sumCollected(app, { from: noon }, as);
        const [today] = (await sumByDay(app, '(days: 1)', as)).data.dailyCollectedAmounts;
        return [sum, today.amounts[0]].map(({ amount, chargeCount }) => ({ amount, chargeCount }));
      };
      return { service, charge, transferId: transfer.transferId!, merchantId: shop.merchant.id, readSums };
    }
    const toBoth = (amount: string) => Array(2).fill({ amount, chargeCount: 1 });

    test('does not count after its transfer was unassigned', async ({ app }) => {
      const { service, charge, transferId, merchantId, readSums } = await seedPaidCharge(
        app,
        'live',
        12_850n,
      );
      expect(await readSums()).toEqual(toBoth('128.50'));
      const input = { transferId, chargeId: charge.id };
      const audit = { actor: 'user:usr_1', now: noon };
      await unassignTransfer(service, { merchantId, mode: 'live', input, audit, now: noon });
      expect(await readSums()).toEqual(toBoth('0.00'));
    });

    test('counts with its full amount when it was completed manually after a partial payment', async ({
      app,
    }) => {
      const { service, charge, merchantId, readSums } = await seedPaidCharge(app, 'sandbox', 5_000n);
      const { id, mode } = charge;
      await completeSandboxCharge(service, { merchantId, mode, id, actor: 'user:test', now: noon });
      expect(await readSums()).toEqual(toBoth('128.50'));
    });
  });

  test('dailyCollectedAmounts lists every one of the last days in a time zone, by method', async ({
    app,
  }) => {
    const { service } = app.context;
    const shop = await seedMerchant(service, {}, noon);
    const paidAt = async (now: string, input: object, minor?: bigint) => {
      const time = new Date(now);
      const charge = await seedCharge(service, shop, { now: time, input });
      await payCharge(service, shop, charge, { now: time, ...(minor && { minor }) });
    };
    // Now it is 20:00 of the 17th in Hong Kong, and 01:00 of the 18th in Auckland.
    await paidAt('2026-11-15T15:59:59.999Z', { email: 'a@example.com' });
    await paidAt('2026-11-15T16:00:00.000Z', { email: 'b@example.com' }, 13_000n);
    const paynow = { method: 'paynow', merchantCurrency: 'SGD', merchantAmount: 45.2 };
    await paidAt('2026-11-15T16:00:00.000Z', { email: 'c@example.com', ...paynow });
    await paidAt('2026-11-17T11:30:00.000Z', { email: 'd@example.com' });
    const fps = (amount: string) => ({ currency: 'HKD', method: 'fps', amount, chargeCount: 1 });
    const hongKong = await sumByDay(app, '(days: 3, timeZone: "Asia/Hong_Kong")', shop.keys.live);
    expect(hongKong.data.dailyCollectedAmounts).toEqual([
      { date: '2026-11-15', amounts: [fps('128.50')] },
      {
        date: '2026-11-16',
        amounts: [fps('130.00'), { currency: 'SGD', method: 'paynow', amount: '45.20', chargeCount: 1 }],
      },
      { date: '2026-11-17', amounts: [fps('128.50')] },
    ]);
    const auckland = await sumByDay(app, '(days: 2, timeZone: "Pacific/Auckland")', shop.keys.live);
    expect(auckland.data.dailyCollectedAmounts).toEqual([
      { date: '2026-11-17', amounts: [] },
      { date: '2026-11-18', amounts: [fps('128.50')] },
    ]);
    // The default is the time zone of the merchant.
    await service.prisma.merchant.update({
      where: { id: shop.merchant.id },
      data: { timeZone: 'Asia/Hong_Kong' },
    });
    const ownDays = await sumByDay(app, '(days: 3)', shop.keys.live);
    expect(ownDays.data).toEqual(hongKong.data);
    expect((await sumByDay(app, '', shop.keys.sandbox)).data.dailyCollectedAmounts).toHaveLength(30);
    for (const args of ['(days: 0)', '(days: 93)', '(timeZone: "Mars/Base")']) {
      expect((await sumByDay(app, args)).errors[0].extensions.code).toBe('invalid_request');
    }
  });

  test('a day on which the clocks change has 23 hours', async ({ service }) => {
    const shop = await seedMerchant(service);
    const options = {
      merchantId: shop.merchant.id,
      mode: 'live',
      timeZone: 'Pacific/Auckland',
    } as const;
    // Clocks go forward at 2:00 on 27 September 2026, so the day began at noon UTC and ends at 11:00.
    for (const time of [
      '2026-09-26T11:59:59Z',
      '2026-09-26T12:00:00Z',
      '2026-09-27T10:59:59Z',
      '2026-09-27T11:00:00Z',
    ]) {
      const now = new Date(time);
      const charge = await seedCharge(service, shop, {
        now,
        input: { email: `${now.getTime()}@example.com` },
      });
      await payCharge(service, shop, charge, { now });
    }
    const days = await sumCollectedByDay(toStaleReads(service), {
      ...options,
      days: 3,
      now: new Date('2026-09-28T05:00:00Z'),
    });
    const charges = days.map(({ date, amounts }) => [date, amounts.map((amount) => amount.charges)]);
    expect(charges.slice(0, 2)).toEqual([
      ['2026-09-26', [1]],
      ['2026-09-27', [2]],
    ]);
  });
});

describe('Reconciliation', () => {
  test('reconciliation returns balances and amounts by day', async ({ app, service }) => {
    const merchant = await seedMerchant(service);
    const as = merchant.keys.live;
    const paid = await seedPayableRefund(service, merchant);
    await payOut(service, merchant, paid);
    await returnPayout(service, merchant, paid);
    await payOut(service, merchant, paid, { id: 'rent', reference: 'Rent' });
    const { data } = await app.ask(
      `{ reconciliation(startDate: "2026-11-17", endDate: "2026-11-17") { startDate endDate timeZone startsAt endsAt lines {
      currency receivingAccount { method } openingBalance receivedAmount matchedAmount partialAmount exceptionAmount returnedAmount refundedAmount closingBalance
      otherOutgoingAmount } } }`,
      { as },
    );
    expect(data.reconciliation).toEqual({
      startDate: '2026-11-17',
      endDate: '2026-11-17',
      timeZone: 'UTC',
      startsAt: '2026-11-17T00:00:00.000Z',
      endsAt: '2026-11-18T00:00:00.000Z',
      lines: [
        {
          currency: 'HKD',
          receivingAccount: { method: 'fps' },
          openingBalance: '0.00',
          receivedAmount: '149.00',
          matchedAmount: '128.50',
          partialAmount: '0.00',
          exceptionAmount: '20.50',
          returnedAmount: '0.00',
          refundedAmount: '20.50',
          closingBalance: '128.50',
          otherOutgoingAmount: '20.50',
        },
      ],
    });
    const invalid = await app.ask(
      '{ reconciliation(startDate: "2026-02-30", endDate: "2026-03-01") { startDate } }',
    );
    expect(invalid.errors[0].message).toContain('must be a day');
  });
});
