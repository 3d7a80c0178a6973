import { beforeAll, describe, expect, test } from 'vitest';
import type { NewMerchant } from '../../../src/domain/accounts/merchant/create-merchant.ts';
import { completeSandboxCharge } from '../../../src/domain/money-in/transfer/complete-sandbox-charge.ts';
import { cancelCharge } from '../../../src/domain/payments/charge/cancel-charge.ts';
import { expireCharges } from '../../../src/domain/payments/charge/expire-charges.ts';
import type { Service } from '../../../src/domain/platform/service.ts';
import { methodCodes } from '../../../src/method/catalogue.ts';
import { makeCharge, makeMerchant, minutesAfter, noon } from '../../setup/makers.ts';
import { makeReceivingAccount, retireAccounts } from '../../setup/receiving-accounts.ts';
import { testService } from '../../setup/service.ts';

let service: Service;
let merchant: NewMerchant;

beforeAll(async () => {
  service = await testService();
  merchant = await makeMerchant(service);
});

const idOf = (charge: { id: string }) => ({
  merchantId: merchant.merchant.id,
  mode: 'live' as const,
  id: charge.id,
});

describe('a new charge', () => {
  test('is pending, with a destination and a nonce of its own', async () => {
    const charge = await makeCharge(service, merchant);
    expect(charge).toMatchObject({
      status: 'pending',
      merchantAmount: 12850n,
      customerAmount: 12850n,
      customerCurrency: 'HKD',
    });
    expect(charge.paymentReference).toMatch(/^[A-HJKMNP-Z]{5}[2-9]{4}$/);
    expect(charge.destination).toMatchObject({ nonce: charge.paymentReference, accountName: 'Harbour Teas' });
    expect((charge.destination as { qrCode: string }).qrCode).toContain(charge.paymentReference);
  });

  test('names the receiving account that its customer pays into', async () => {
    const own = await makeMerchant(service, { demoAccounts: false });
    const account = await makeReceivingAccount(service, own);
    const charge = await makeCharge(service, own);
    expect(charge.receivingAccountId).toBe(account.id);
    expect(charge.destination).toMatchObject({ account: (account.details as { fpsId: string }).fpsId });
  });

  test('has the currency of the merchant in the orders of its events', async () => {
    const input = { merchantAmount: 25, merchantCurrency: 'USD', orders: [{ name: 'Tea', amount: 25 }] };
    const { id } = await makeCharge(service, merchant, { input });
    const { payload } = await service.prisma.event.findFirstOrThrow({ where: { objectId: id } });
    expect(JSON.parse(payload)).toMatchObject({
      customerCurrency: 'HKD',
      orders: [{ name: 'Tea', amount: 25, currency: 'USD' }],
    });
  });

  test.each(methodCodes)('can be paid by %s, at a rate frozen on it', async (method) => {
    const charge = await makeCharge(service, merchant, {
      input: { method, merchantAmount: 25, merchantCurrency: 'USD', email: `${method}@example.com` },
    });
    expect(charge.customerAmount).toBeGreaterThan(0n);
    expect(charge.rate.toNumber()).toBeGreaterThan(0);
    expect(charge.rateSource).toContain('snapshot');
    expect(charge.usdAmount).toBe(2500n);
  });

  test('of a demo merchant on an account of its own takes no rate of the snapshot: that money is real', async () => {
    const own = await makeMerchant(service);
    const owner = { merchantId: own.merchant.id, mode: 'live' } as const;
    await retireAccounts(service, { ...owner, method: 'fps' }, noon);
    await makeReceivingAccount(service, own);
    const charge = (method: string, merchantCurrency: string) =>
      makeCharge(service, own, { input: { method, merchantCurrency } });
    await expect(charge('fps', 'USD')).rejects.toMatchObject({ code: 'rate_unavailable' });
    expect(await charge('fps', 'HKD')).toMatchObject({ rateSource: 'same currency', usdAmount: null });
    expect((await charge('hk-bank-transfer', 'USD')).rateSource).toContain('snapshot');
  });

  test('is compared with stored orders as they are, which may hold what is no longer taken', async () => {
    const orders = [{ id: 'o1', quantity: 2, amount: 64.25 }];
    const again = () => makeCharge(service, merchant, { input: { email: 'orders@example.com', orders } });
    const first = await again();
    expect((await again()).id).toBe(first.id);
    const data = { orders: [{ name: 'x'.repeat(501) }] };
    await service.prisma.charge.update({ where: { id: first.id }, data });
    expect((await again()).id).not.toBe(first.id);
  });

  test('is made anew when less than half of the payment window is left', async () => {
    const at = (now: Date) => makeCharge(service, merchant, { input: { email: 'late@example.com' }, now });
    const first = await at(noon);
    const half = minutesAfter(noon, 15);
    expect((await at(half)).id).toBe(first.id);
    expect((await at(new Date(half.getTime() + 1))).id).not.toBe(first.id);
  });

  test('is the one with the same notifyUrl and notifyPayload, not another of the customer’s', async () => {
    const all = [
      {},
      { notifyUrl: 'https://shop.example/a' },
      { notifyUrl: 'https://shop.example/b' },
      { notifyPayload: 'a' },
    ];
    const make = async (input: object) =>
      (await makeCharge(service, merchant, { input: { email: 'told@example.com', ...input } })).id;
    const made: string[] = [];
    for (const input of all) made.push(await make(input));
    expect(new Set(made).size).toBe(4);
    const again: string[] = [];
    for (const input of all) again.push(await make(input));
    expect(again).toEqual(made);
  });

  test.each([
    [{ method: 'cash' }, 'invalid_request'],
    [{ merchantCurrency: 'XXX' }, 'currency_unsupported'],
    [{ merchantAmount: 1.234 }, 'invalid_request'],
    [{ merchantAmount: 0 }, 'invalid_request'],
    [{ merchantAmount: 5_000_000 }, 'amount_out_of_range'],
    [{ merchantCurrency: 'XAF', merchantAmount: 9000 }, 'rate_unavailable'],
    [{ email: 'nobody' }, 'invalid_request'],
    [{ orders: [{ quantity: 0 }] }, 'invalid_request'],
    [{ notifyUrl: 'ftp://shop.example/' }, 'invalid_request'],
  ])('with %o is refused as %s', async (input, code) => {
    await expect(makeCharge(service, merchant, { input })).rejects.toMatchObject({ code });
  });
});

describe('a pending charge', () => {
  test('is cancelled once, however many ask at once, with one event', async () => {
    const charge = await makeCharge(service, merchant, { input: { email: 'cancel@example.com' } });
    const asks = Array.from({ length: 20 }, () =>
      cancelCharge(service, { ...idOf(charge), by: 'merchant', actor: 'key:test', now: noon }),
    );
    const results = await Promise.allSettled(asks);
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const events = await service.prisma.event.findMany({
      where: { objectId: charge.id },
      orderBy: { id: 'asc' },
    });
    expect(events.map((event) => [event.type, event.objectVersion])).toEqual([
      ['charge_created', 1],
      ['charge_cancelled', 2],
    ]);
  });

  test('expires when its window is over, not before', async () => {
    const charge = await makeCharge(service, merchant, { input: { email: 'expire@example.com' } });
    await expireCharges(service, { now: charge.expiresAt });
    expect(await service.prisma.charge.findUnique({ where: { id: charge.id } })).toMatchObject({
      status: 'pending',
    });
    await expireCharges(service, { now: new Date(charge.expiresAt.getTime() + 1) });
    expect(await service.prisma.charge.findUnique({ where: { id: charge.id } })).toMatchObject({
      status: 'expired',
    });
  });

  test('is completed by hand in the sandbox only', async () => {
    const live = await makeCharge(service, merchant, { input: { email: 'hand@example.com' } });
    const done = { actor: 'key:test', now: noon };
    await expect(completeSandboxCharge(service, { ...idOf(live), ...done })).rejects.toMatchObject({
      code: 'sandbox_only',
    });
    const charge = await makeCharge(service, merchant, { mode: 'sandbox' });
    const completed = await completeSandboxCharge(service, { ...idOf(charge), mode: 'sandbox', ...done });
    expect(completed).toMatchObject({ status: 'completed', completedBy: 'manual' });
  });
});
