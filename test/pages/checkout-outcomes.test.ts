import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Charge } from '../../prisma/client/client.ts';
import type { NewMerchant } from '../../src/domain/accounts/merchant/create-merchant.ts';
import { assignTransfer } from '../../src/domain/money-in/transfer/assign-transfer.ts';
import { returnTransfer } from '../../src/domain/money-in/transfer/return-transfer.ts';
import { unassignTransfer } from '../../src/domain/money-in/transfer/unassign-transfer.ts';
import { cancelCharge } from '../../src/domain/payments/charge/cancel-charge.ts';
import { expireCharges } from '../../src/domain/payments/charge/expire-charges.ts';
import { setupApp, type TestApp } from '../setup/app.ts';
import { chargePath, payForm, seedSession, sessionPath } from '../setup/checkout.ts';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import { createFakeClock, type FakeClock } from '../setup/fake-clock.ts';
import { createPageVisitor } from '../setup/page-visitor.ts';
import { minutesAfter, noon, seedCharge, seedCompletedCharge, seedMerchant } from '../setup/seed.ts';
import { recordOne, reverseOne, transferInput } from '../setup/transfers.ts';

const onCleanup = cleanupAfterFile();

let app: TestApp;
let clock: FakeClock;
let merchant: NewMerchant;

beforeAll(async () => {
  clock = createFakeClock(noon);
  app = await setupApp(onCleanup, { clock });
  merchant = await seedMerchant(app.context.service);
});

beforeEach(() => clock.set(noon));

let customers = 0;

/** Of HKD 128.50. */
function newCharge(of = merchant): Promise<Charge> {
  return seedCharge(app.context.service, of, { input: { email: `customer${++customers}@example.com` } });
}

async function shown(charge: Charge): Promise<string> {
  return (await createPageVisitor(app.app).get(chargePath(app.context.service, charge))).main;
}

const owner = () => ({ merchantId: merchant.merchant.id, mode: 'live' }) as const;
const audit = () => ({ actor: 'user:test', now: clock.now() });

/** Money that comes in for a charge; what its transfer is called. */
async function arrive(charge: Charge, minor: bigint, of = merchant): Promise<string> {
  const { receivingAccountId, customerCurrency: currency, paymentReference: reference } = charge;
  const money = { money: { minor, currency }, content: String(minor) };
  const input = transferInput({ ...money, source: 'feed', reference, paidAt: clock.now() });
  const { transferId } = await recordOne(app.context.service, of, { receivingAccountId, input });
  return transferId;
}

/** The bank takes a credit back. */
async function reverse(charge: Charge, transferId: string): Promise<void> {
  const { prisma } = app.context.service;
  const { amount, currency, bankReference } = await prisma.transfer.findUniqueOrThrow({
    where: { id: transferId },
  });
  const money = { money: { minor: amount, currency }, content: `back ${amount}` };
  const told = {
    source: 'feed' as const,
    reference: charge.paymentReference,
    reversedReference: bankReference,
  };
  const input = transferInput({ ...money, ...told });
  const { receivingAccountId } = charge;
  await reverseOne(app.context.service, merchant, { receivingAccountId, input, now: clock.now() });
}

const unassign = (transferId: string, { id: chargeId }: Charge) =>
  unassignTransfer(app.context.service, {
    ...owner(),
    input: { transferId, chargeId },
    audit: audit(),
    now: clock.now(),
  });

const assign = (transferId: string, { id: chargeId }: Charge) => {
  const assignment = { transferId, parts: [{ chargeId }] };
  const options = {
    merchant: merchant.merchant,
    mode: 'live',
    assignment,
    audit: audit(),
    now: clock.now(),
  } as const;
  return assignTransfer(app.context.service, options);
};

async function expire(): Promise<void> {
  clock.set(minutesAfter(noon, 31));
  await expireCharges(app.context.service, { now: clock.now() });
}

const cancel = ({ id }: Charge) =>
  cancelCharge(app.context.service, { ...owner(), id, by: 'merchant', ...audit() });

describe('what has arrived for a payment that ended', () => {
  test('is told once, however often it was counted, until it was sent back', async () => {
    const charge = await newCharge();
    const transferId = await arrive(charge, 5_000n);
    await unassign(transferId, charge);
    await assign(transferId, charge);
    await expire();
    expect(await shown(charge)).toContain('We received $50.00 HKD , and it isn’t lost');
    await returnTransfer(app.context.service, {
      ...owner(),
      input: { transferId, amount: 20 },
      audit: audit(),
      now: clock.now(),
    });
    expect(await shown(charge)).toContain('We received $30.00 HKD , and it isn’t lost');
    await returnTransfer(app.context.service, {
      ...owner(),
      input: { transferId },
      audit: audit(),
      now: clock.now(),
    });
    expect(await shown(charge)).not.toContain('We received');
  });

  test('is not what the bank took back, before the end or after it', async () => {
    const [before, after] = [await newCharge(), await newCharge()];
    await reverse(before, await arrive(before, 5_000n));
    const late = await arrive(after, 5_000n);
    await expire();
    expect(await shown(before)).toContain('This payment has expired');
    expect(await shown(before)).not.toContain('We received');
    expect(await shown(after)).toContain('We received $50.00 HKD');
    await reverse(after, late);
    expect(await shown(after)).not.toContain('We received');
  });

  test('is not what counts for another payment', async () => {
    const [charge, other] = [await newCharge(), await newCharge()];
    const transferId = await arrive(charge, 5_000n);
    await cancel(charge);
    expect(await shown(charge)).toContain('We received $50.00 HKD');
    expect(await shown(charge)).not.toContain('You haven’t been charged');
    await assign(transferId, other);
    expect(await shown(charge)).not.toContain('We received');
  });

  test('is nothing where it never was for this payment', async () => {
    const charge = await newCharge();
    await unassign(await arrive(charge, 5_000n), charge);
    await cancel(charge);
    expect(await shown(charge)).toContain('You haven’t been charged');
  });
});

describe('what a paid payment says that the shop has received', () => {
  test('is what came, where that is less than asked', async () => {
    const { service } = app.context;
    const kind = await seedMerchant(service, { name: 'Kind Shop' });
    const where = { id: kind.merchant.id };
    const data = { underpaymentTolerance: '0.02' };
    kind.merchant = await service.prisma.merchant.update({ where, data });
    const charge = await newCharge(kind);
    await arrive(charge, 12_650n, kind);
    const main = await shown(charge);
    expect(main).toContain('Kind Shop has received your payment of $126.50 HKD . Thank you.');
    expect(main).not.toContain('$128.50');
  });

  test('is what was asked, where somebody completed it by hand', async () => {
    const charge = await seedCompletedCharge(app.context.service, merchant);
    expect(await shown(charge)).toContain('has received your payment of $128.50 HKD');
  });

  test('is nothing once all of it was taken back', async () => {
    const charge = await newCharge();
    const transferId = await arrive(charge, charge.customerAmount);
    expect(await shown(charge)).toContain('Payment received');
    await reverse(charge, transferId);
    const main = await shown(charge);
    expect(main).toContain('This payment was reversed');
    expect(main).toContain(charge.paymentReference);
    expect(main).not.toMatch(/Payment received|Thank you|\$128\.50/);
  });
});

test('an amount that no method can take leads back to the shop', async () => {
  const { service } = app.context;
  const none = await seedMerchant(service);
  const redirectUrl = 'https://shop.example/cart';
  const session = await seedSession(service, none, { now: noon, input: { redirectUrl } });
  const where = { merchantId: none.merchant.id };
  await service.prisma.receivingAccount.updateMany({ where, data: { status: 'retired', retiredAt: noon } });
  const address = sessionPath(session);
  const customer = createPageVisitor(app.app);
  for (const visit of [await customer.get(address), await customer.post(address, payForm)]) {
    expect([visit.status, visit.main.includes('can’t be paid here')]).toEqual([422, true]);
    expect(visit.text).toContain(`href="${redirectUrl}"`);
    // Its script neither takes nor follows it.
    expect(visit.text).not.toMatch(/data-live|data-claims/);
  }
});
