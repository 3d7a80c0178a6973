import { describe, expect } from 'vitest';
import type { NewMerchant } from '../../../src/domain/accounts/merchant/create-merchant.ts';
import { completeSandboxCharge } from '../../../src/domain/money-in/transfer/complete-sandbox-charge.ts';
import { cancelCharge } from '../../../src/domain/payments/charge/cancel-charge.ts';
import { expireCharges } from '../../../src/domain/payments/charge/expire-charges.ts';
import { methodCodes } from '../../../src/method/catalog.ts';
import { serviceTest as test } from '../../setup/fixtures.ts';
import { expectInvariants } from '../../setup/invariants.ts';
import { retireAccounts, seedReceivingAccount } from '../../setup/receiving-accounts.ts';
import { minutesAfter, noon, seedCharge, seedMerchant } from '../../setup/seed.ts';

const toChargeId = (merchant: NewMerchant, charge: { id: string }) => ({
  merchantId: merchant.merchant.id,
  mode: 'live' as const,
  id: charge.id,
});

describe('New charge', () => {
  test('is pending, with a destination and its own payment reference', async ({ service, merchant }) => {
    const charge = await seedCharge(service, merchant);
    expect(charge).toMatchObject({
      status: 'pending',
      merchantAmount: 12850n,
      customerAmount: 12850n,
      customerCurrency: 'HKD',
    });
    expect(charge.paymentReference).toMatch(/^[A-HJKMNP-Z]{4}[2-9]{5}[A-Y]$/);
    expect(charge.destination).toMatchObject({ nonce: charge.paymentReference, accountName: 'Harbour Teas' });
    expect((charge.destination as { qrCode: string }).qrCode).toContain(charge.paymentReference);
  });

  test('is assigned to the receiving account that the customer pays into', async ({ service }) => {
    const ownMerchant = await seedMerchant(service, { hasDemoAccounts: false });
    const account = await seedReceivingAccount(service, ownMerchant);
    const charge = await seedCharge(service, ownMerchant);
    expect(charge.receivingAccountId).toBe(account.id);
    expect(charge.destination).toMatchObject({ account: (account.details as { fpsId: string }).fpsId });
  });

  test('reports orders in the merchant currency in its events', async ({ service, merchant }) => {
    const input = { merchantAmount: 25, merchantCurrency: 'USD', orders: [{ name: 'Tea', amount: 25 }] };
    const { id } = await seedCharge(service, merchant, { input });
    const { payload } = await service.prisma.event.findFirstOrThrow({ where: { objectId: id } });
    expect(JSON.parse(payload)).toMatchObject({
      customerCurrency: 'HKD',
      orders: [{ name: 'Tea', amount: 25, currency: 'USD' }],
    });
  });

  test.for(methodCodes)(
    'can be paid by %s, at a rate stored with the charge',
    async (method, { service, merchant }) => {
      const charge = await seedCharge(service, merchant, {
        input: { method, merchantAmount: 25, merchantCurrency: 'USD', email: `${method}@example.com` },
      });
      expect(charge.customerAmount).toBeGreaterThan(0n);
      expect(charge.rate.toNumber()).toBeGreaterThan(0);
      expect(charge.rateSource).toContain('snapshot');
      expect(charge.usdAmount).toBe(2500n);
    },
  );

  test('of a demo merchant uses no snapshot rate when it is paid into a real account', async ({
    service,
  }) => {
    const ownMerchant = await seedMerchant(service);
    const owner = { merchantId: ownMerchant.merchant.id, mode: 'live' } as const;
    await retireAccounts(service, { ...owner, method: 'fps' }, noon);
    await seedReceivingAccount(service, ownMerchant);
    const createCharge = (method: string, merchantCurrency: string) =>
      seedCharge(service, ownMerchant, { input: { method, merchantCurrency } });
    await expect(createCharge('fps', 'USD')).rejects.toMatchObject({ code: 'rate_unavailable' });
    expect(await createCharge('fps', 'HKD')).toMatchObject({ rateSource: 'same currency', usdAmount: null });
    expect((await createCharge('hk-bank-transfer', 'USD')).rateSource).toContain('snapshot');
  });

  test('is compared with stored orders that would not be accepted any more', async ({
    service,
    merchant,
  }) => {
    const orders = [{ id: 'o1', quantity: 2, amount: 64.25 }];
    const createAgain = () =>
      seedCharge(service, merchant, { input: { email: 'orders@example.com', orders } });
    const first = await createAgain();
    expect((await createAgain()).id).toBe(first.id);
    const data = { orders: [{ name: 'x'.repeat(501) }] };
    await service.prisma.charge.update({ where: { id: first.id }, data });
    expect((await createAgain()).id).not.toBe(first.id);
  });

  test('replaces an equal charge when less than half of its payment window is left', async ({
    service,
    merchant,
  }) => {
    const createAt = (now: Date) =>
      seedCharge(service, merchant, { input: { email: 'late@example.com' }, now });
    const first = await createAt(noon);
    const half = minutesAfter(noon, 15);
    expect((await createAt(half)).id).toBe(first.id);
    expect((await createAt(new Date(half.getTime() + 1))).id).not.toBe(first.id);
  });

  test('is a duplicate only of a charge with the same notifyUrl and notifyPayload', async ({
    service,
    merchant,
  }) => {
    const all = [
      {},
      { notifyUrl: 'https://shop.example/a' },
      { notifyUrl: 'https://shop.example/b' },
      { notifyPayload: 'a' },
    ];
    const create = async (input: object) =>
      (await seedCharge(service, merchant, { input: { email: 'equal@example.com', ...input } })).id;
    const ids: string[] = [];
    for (const input of all) ids.push(await create(input));
    expect(new Set(ids).size).toBe(4);
    const repeatedIds: string[] = [];
    for (const input of all) repeatedIds.push(await create(input));
    expect(repeatedIds).toEqual(ids);
  });

  test.for([
    [{ method: 'cash' }, 'invalid_request'],
    [{ merchantCurrency: 'XXX' }, 'currency_unsupported'],
    [{ merchantAmount: 1.234 }, 'invalid_request'],
    [{ merchantAmount: 0 }, 'invalid_request'],
    [{ merchantAmount: 5_000_000 }, 'amount_out_of_range'],
    [{ merchantCurrency: 'XAF', merchantAmount: 9000 }, 'rate_unavailable'],
    [{ email: 'no address' }, 'invalid_request'],
    [{ orders: [{ quantity: 0 }] }, 'invalid_request'],
    [{ notifyUrl: 'ftp://shop.example/' }, 'invalid_request'],
  ] as const)('with %o is rejected with %s', async ([input, code], { service, merchant }) => {
    await expect(seedCharge(service, merchant, { input })).rejects.toMatchObject({ code });
  });
});

describe('Pending charge', () => {
  test('is cancelled once by twenty concurrent requests, with one event', async ({ service, merchant }) => {
    const charge = await seedCharge(service, merchant, { input: { email: 'cancel@example.com' } });
    const attempts = Array.from({ length: 20 }, () =>
      cancelCharge(service, {
        ...toChargeId(merchant, charge),
        by: 'merchant',
        actor: 'key:test',
        now: noon,
      }),
    );
    const results = await Promise.allSettled(attempts);
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

  test('expires after its payment window has ended, not before', async ({ service, merchant }) => {
    const charge = await seedCharge(service, merchant, { input: { email: 'expire@example.com' } });
    await expireCharges(service, { now: charge.expiresAt });
    expect(await service.prisma.charge.findUnique({ where: { id: charge.id } })).toMatchObject({
      status: 'pending',
    });
    await expireCharges(service, { now: new Date(charge.expiresAt.getTime() + 1) });
    expect(await service.prisma.charge.findUnique({ where: { id: charge.id } })).toMatchObject({
      status: 'expired',
    });
  });

  test('can be completed manually in the sandbox only', async ({ service, merchant }) => {
    const live = await seedCharge(service, merchant, { input: { email: 'hand@example.com' } });
    const done = { actor: 'key:test', now: noon };
    await expect(
      completeSandboxCharge(service, { ...toChargeId(merchant, live), ...done }),
    ).rejects.toMatchObject({
      code: 'sandbox_only',
    });
    const charge = await seedCharge(service, merchant, { mode: 'sandbox' });
    const completed = await completeSandboxCharge(service, {
      ...toChargeId(merchant, charge),
      mode: 'sandbox',
      ...done,
    });
    expect(completed).toMatchObject({ status: 'completed', completedBy: 'sandbox' });
  });

  test('one charge that fails to expire does not block the others, and is named in the error', async ({
    service,
    merchant,
  }) => {
    const { prisma } = service;
    const charges = await Promise.all([1, 2, 3, 4].map(() => seedCharge(service, merchant, { now: noon })));
    const ids = charges.map(({ id }) => id);
    const broken = ids[1]!;
    const expire = () => expireCharges(service, { now: minutesAfter(noon, 24 * 60) });
    await prisma.$executeRawUnsafe(`CREATE FUNCTION reject_update() RETURNS trigger LANGUAGE plpgsql
      AS $$ BEGIN RAISE 'rejected by the test'; END $$`);
    await prisma.$executeRawUnsafe(`CREATE TRIGGER reject_update BEFORE UPDATE ON charge
      FOR EACH ROW WHEN (OLD.id = '${broken}') EXECUTE FUNCTION reject_update()`);

    await expect(expire()).rejects.toThrow(`some charges could not be expired: ${broken}`);
    const pending = { where: { id: { in: ids }, status: 'pending' as const }, select: { id: true } };
    expect(await prisma.charge.findMany(pending)).toEqual([{ id: broken }]);

    await prisma.$executeRawUnsafe('DROP TRIGGER reject_update ON charge');
    expect(await expire()).toBe(1);
    await expectInvariants(service);
  });
});
