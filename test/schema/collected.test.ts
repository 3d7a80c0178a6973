import { beforeAll, describe, expect, test } from 'vitest';
import type { Mode } from '../../prisma/client/client.ts';
import { completeSandboxCharge } from '../../src/domain/money-in/transfer/complete-sandbox-charge.ts';
import { unassignTransfer } from '../../src/domain/money-in/transfer/unassign-transfer.ts';
import { sumCollectedByDay } from '../../src/domain/payments/charge-list/sum-collected-by-day.ts';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import { createFakeClock } from '../setup/fake-clock.ts';
import { type GraphqlApp, setupGraphqlApp } from '../setup/graphql.ts';
import { minutesAfter, noon, seedCharge, seedMerchant } from '../setup/seed.ts';
import { payCharge } from '../setup/transfers.ts';

const onCleanup = cleanupAfterFile();

/** What completed charges brought, as the dashboard's first page shows it. */

let api: GraphqlApp;

beforeAll(async () => {
  api = await setupGraphqlApp(onCleanup, { clock: createFakeClock(noon) });
});

async function paid(minutes: number, input: object, options: { minor?: bigint } = {}): Promise<void> {
  const { service } = api.context;
  const now = minutesAfter(noon, minutes);
  const charge = await seedCharge(service, api.merchant, { now, input });
  await payCharge(service, api.merchant, charge, { now, ...options });
}

async function collected(variables: object, as = api.merchant.keys.live) {
  const query =
    'query ($from: DateTime!, $to: DateTime) { collectedAmounts(completedFrom: $from, completedBefore: $to) { currency amount chargeCount } }';
  return (await api.ask(query, { variables, as })).data.collectedAmounts;
}

test('sums what was received by currency, within the span, for the mode', async () => {
  const { service } = api.context;
  await paid(0, { email: 'a@example.com' });
  await paid(1, { email: 'b@example.com' }, { minor: 13_000n });
  await paid(1, { email: 'c@example.com', method: 'paynow', merchantCurrency: 'SGD', merchantAmount: 45.2 });
  await paid(5, { email: 'd@example.com' });
  await seedCharge(service, api.merchant, { now: noon, input: { email: 'open@example.com' } });
  const sandbox = await seedCharge(service, api.merchant, { mode: 'sandbox', now: noon });
  await completeSandboxCharge(service, {
    merchantId: api.merchant.merchant.id,
    mode: 'sandbox',
    id: sandbox.id,
    actor: 'test',
    now: noon,
  });

  expect(await collected({ from: noon })).toEqual([
    { currency: 'HKD', amount: '387.00', chargeCount: 3 },
    { currency: 'SGD', amount: '45.20', chargeCount: 1 },
  ]);
  const to = minutesAfter(noon, 1);
  expect(await collected({ from: noon, to })).toEqual([
    { currency: 'HKD', amount: '128.50', chargeCount: 1 },
  ]);
  expect(await collected({ from: minutesAfter(noon, 6) })).toEqual([]);
  expect(await collected({ from: noon }, api.merchant.keys.sandbox)).toEqual([
    { currency: 'HKD', amount: '128.50', chargeCount: 1 },
  ]);
  expect(await collected({ from: noon }, api.otherMerchant.keys.live)).toEqual([]);
});

async function byDay(args: string, as = api.merchant.keys.live) {
  const query = `{ dailyCollectedAmounts${args} { date amounts { currency method amount chargeCount } } }`;
  return api.ask(query, { as });
}

describe('a completed charge', () => {
  /** One whose part or whole was paid, in a shop of its own, and what the shop is then told, over all and for the day. */
  async function paidInShop(mode: Mode, minor: bigint) {
    const { service } = api.context;
    const shop = await seedMerchant(service, {}, noon);
    const charge = await seedCharge(service, shop, { mode, now: noon });
    const transfer = await payCharge(service, shop, charge, { minor, now: noon });
    const as = shop.keys[mode];
    const told = async () => {
      const [sum] = await collected({ from: noon }, as);
      const [today] = (await byDay('(days: 1)', as)).data.dailyCollectedAmounts;
      return [sum, today.amounts[0]].map(({ amount, chargeCount }) => ({ amount, chargeCount }));
    };
    return { service, charge, transferId: transfer.transferId!, merchantId: shop.merchant.id, told };
  }
  const twice = (amount: string) => Array(2).fill({ amount, chargeCount: 1 });

  test('brought nothing once its money was taken back', async () => {
    const { service, charge, transferId, merchantId, told } = await paidInShop('live', 12_850n);
    expect(await told()).toEqual(twice('128.50'));
    const input = { transferId, chargeId: charge.id };
    const audit = { actor: 'user:usr_1', now: noon };
    await unassignTransfer(service, { merchantId, mode: 'live', input, audit, now: noon });
    expect(await told()).toEqual(twice('0.00'));
  });

  test('by hand brought what it asked, whatever part had come before', async () => {
    const { service, charge, merchantId, told } = await paidInShop('sandbox', 5_000n);
    const { id, mode } = charge;
    await completeSandboxCharge(service, { merchantId, mode, id, actor: 'test', now: noon });
    expect(await told()).toEqual(twice('128.50'));
  });
});

test('by day: the last days with what each method brought, in a time zone, none left out', async () => {
  const { service } = api.context;
  const shop = await seedMerchant(service, {}, noon);
  const paidAt = async (now: string, input: object, minor?: bigint) => {
    const time = new Date(now);
    const charge = await seedCharge(service, shop, { now: time, input });
    await payCharge(service, shop, charge, { now: time, ...(minor && { minor }) });
  };
  // It is 20:00 of the 17th in Hong Kong, and 01:00 of the 18th in Auckland.
  await paidAt('2026-11-15T15:59:59.999Z', { email: 'a@example.com' });
  await paidAt('2026-11-15T16:00:00.000Z', { email: 'b@example.com' }, 13_000n);
  const paynow = { method: 'paynow', merchantCurrency: 'SGD', merchantAmount: 45.2 };
  await paidAt('2026-11-15T16:00:00.000Z', { email: 'c@example.com', ...paynow });
  await paidAt('2026-11-17T11:30:00.000Z', { email: 'd@example.com' });
  const fps = (amount: string) => ({ currency: 'HKD', method: 'fps', amount, chargeCount: 1 });
  const hongKong = await byDay('(days: 3, timeZone: "Asia/Hong_Kong")', shop.keys.live);
  expect(hongKong.data.dailyCollectedAmounts).toEqual([
    { date: '2026-11-15', amounts: [fps('128.50')] },
    {
      date: '2026-11-16',
      amounts: [fps('130.00'), { currency: 'SGD', method: 'paynow', amount: '45.20', chargeCount: 1 }],
    },
    { date: '2026-11-17', amounts: [fps('128.50')] },
  ]);
  const auckland = await byDay('(days: 2, timeZone: "Pacific/Auckland")', shop.keys.live);
  expect(auckland.data.dailyCollectedAmounts).toEqual([
    { date: '2026-11-17', amounts: [] },
    { date: '2026-11-18', amounts: [fps('128.50')] },
  ]);
  // By the merchant's own zone, UTC until another is chosen.
  await service.prisma.merchant.update({
    where: { id: shop.merchant.id },
    data: { timeZone: 'Asia/Hong_Kong' },
  });
  const own = await byDay('(days: 3)', shop.keys.live);
  expect(own.data).toEqual(hongKong.data);
  expect((await byDay('', shop.keys.sandbox)).data.dailyCollectedAmounts).toHaveLength(30);
  for (const args of ['(days: 0)', '(days: 93)', '(timeZone: "Mars/Base")']) {
    expect((await byDay(args)).errors[0].extensions.code).toBe('invalid_request');
  }
});

test('a day on which clocks change has its own length', async () => {
  const options = {
    merchantId: api.merchant.merchant.id,
    mode: 'live',
    timeZone: 'Pacific/Auckland',
  } as const;
  const shop = api.merchant;
  const { service } = api.context;
  // Clocks go forward at 2:00 on 27 September 2026, so the day began at noon UTC and ends at 11:00.
  for (const time of [
    '2026-09-26T11:59:59Z',
    '2026-09-26T12:00:00Z',
    '2026-09-27T10:59:59Z',
    '2026-09-27T11:00:00Z',
  ]) {
    const now = new Date(time);
    const charge = await seedCharge(service, shop, { now, input: { email: `${now.getTime()}@example.com` } });
    await payCharge(service, shop, charge, { now });
  }
  const found = await sumCollectedByDay(service, {
    ...options,
    days: 3,
    now: new Date('2026-09-28T05:00:00Z'),
  });
  const charges = found.map(({ date, amounts }) => [date, amounts.map((one) => one.charges)]);
  expect(charges.slice(0, 2)).toEqual([
    ['2026-09-26', [1]],
    ['2026-09-27', [2]],
  ]);
});
