import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import type { Charge, CheckoutSession } from '../../prisma/client/client.ts';
import type { NewMerchant } from '../../src/domain/accounts/merchant/create-merchant.ts';
import { assignTransfer } from '../../src/domain/money-in/transfer/review/assign-transfer.ts';
import { extendCharge } from '../../src/domain/money-in/transfer/review/extend-charge.ts';
import { returnTransfer } from '../../src/domain/money-in/transfer/review/return-transfer.ts';
import { unassignTransfer } from '../../src/domain/money-in/transfer/review/unassign-transfer.ts';
import { cancelCharge } from '../../src/domain/payments/charge/cancel-charge.ts';
import { expireCharges } from '../../src/domain/payments/charge/expire-charges.ts';
import { cancelSession } from '../../src/domain/payments/session/cancel-session.ts';
import { expireSessions } from '../../src/domain/payments/session/expire-sessions.ts';
import type { TestApp } from '../setup/app.ts';
import { appTest } from '../setup/app-fixtures.ts';
import {
  chargePath,
  linkPath,
  payForm,
  seedCheckoutLink,
  seedSession,
  sessionPath,
} from '../setup/checkout.ts';
import type { FakeClock } from '../setup/fake-clock.ts';
import { createPageVisitor } from '../setup/page-visitor.ts';
import { seedReceivingAccount } from '../setup/receiving-accounts.ts';
import { minutesAfter, noon, seedCharge, seedCompletedCharge, seedMerchant } from '../setup/seed.ts';
import { payCharge, recordOne, reverseOne, transferInput } from '../setup/transfers.ts';

const test = appTest.extend('customer', ({ app }) => createPageVisitor(app.app));

function newSession(
  app: TestApp,
  merchant: NewMerchant,
  options: Parameters<typeof seedSession>[2] = {},
): Promise<CheckoutSession> {
  return seedSession(app.context.service, merchant, { now: noon, ...options });
}

const newAddress = async (app: TestApp, merchant: NewMerchant, input = {}) =>
  sessionPath(await newSession(app, merchant, { input }));

function readCharge(app: TestApp, { id: sessionId }: CheckoutSession): Promise<Charge> {
  return app.context.service.prisma.charge.findFirstOrThrow({ where: { sessionId } });
}

/** A charge of HKD 128.50 with an email of its own. */
function newCharge(app: TestApp, merchant: NewMerchant, of = merchant): Promise<Charge> {
  return seedCharge(app.context.service, of, { input: { email: `${randomUUID()}@example.com` } });
}

async function readPage(app: TestApp, charge: Charge): Promise<string> {
  return (await createPageVisitor(app.app).get(chargePath(app.context.service, charge))).main;
}

const owner = (merchant: NewMerchant) => ({ merchantId: merchant.merchant.id, mode: 'live' }) as const;

const audit = (clock: FakeClock) => ({ actor: 'user:test', now: clock.now() });

/** Records a transfer for a charge and returns its ID. */
async function recordPayment(
  app: TestApp,
  clock: FakeClock,
  merchant: NewMerchant,
  charge: Charge,
  minor: bigint,
  of = merchant,
): Promise<string> {
  const { receivingAccountId, customerCurrency: currency, paymentReference: reference } = charge;
  const money = { money: { minor, currency }, content: String(minor) };
  const input = transferInput({ ...money, source: 'feed', reference, paidAt: clock.now() });
  const { transferId } = await recordOne(app.context.service, of, { receivingAccountId, input });
  return transferId;
}

async function reverse(
  app: TestApp,
  clock: FakeClock,
  merchant: NewMerchant,
  charge: Charge,
  transferId: string,
): Promise<void> {
  const { prisma } = app.context.service;
  const { amount, currency, bankReference } = await prisma.transfer.findUniqueOrThrow({
    where: { id: transferId },
  });
  const money = { money: { minor: amount, currency }, content: `back ${amount}` };
  const details = {
    source: 'feed' as const,
    reference: charge.paymentReference,
    reversedReference: bankReference,
  };
  const input = transferInput({ ...money, ...details });
  const { receivingAccountId } = charge;
  await reverseOne(app.context.service, merchant, { receivingAccountId, input, now: clock.now() });
}

const unassign = (
  app: TestApp,
  clock: FakeClock,
  merchant: NewMerchant,
  transferId: string,
  { id: chargeId }: Charge,
) =>
  unassignTransfer(app.context.service, {
    ...owner(merchant),
    input: { transferId, chargeId },
    audit: audit(clock),
    now: clock.now(),
  });

const assign = (
  app: TestApp,
  clock: FakeClock,
  merchant: NewMerchant,
  transferId: string,
  { id: chargeId }: Charge,
) => {
  const assignment = { transferId, parts: [{ chargeId }] };
  const options = {
    merchant: merchant.merchant,
    mode: 'live',
    assignment,
    audit: audit(clock),
    now: clock.now(),
  } as const;
  return assignTransfer(app.context.service, options);
};

async function expire(app: TestApp, clock: FakeClock): Promise<void> {
  clock.set(minutesAfter(noon, 31));
  await expireCharges(app.context.service, { now: clock.now() });
}

const cancel = (app: TestApp, clock: FakeClock, merchant: NewMerchant, { id }: Charge) =>
  cancelCharge(app.context.service, { ...owner(merchant), id, by: 'merchant', ...audit(clock) });

describe('a GET request', () => {
  test('changes nothing and sets no cookie, for a session, a link and an API key', async ({
    app,
    merchant,
    customer,
  }) => {
    const link = await seedCheckoutLink(app.context.service, merchant, { now: noon });
    const query = new URLSearchParams({
      apiKey: merchant.keys.live.publishableKey,
      amount: '10',
      currency: 'HKD',
    });
    const session = await newSession(app, merchant);
    const count = () => app.context.service.prisma.charge.count();
    const before = await count();
    for (const address of [sessionPath(session), linkPath(link), `/checkout?${query}`]) {
      const visit = await customer.get(address);
      expect(visit.status).toBe(200);
      expect(visit.main).toContain('Choose how to pay');
      expect(visit.headers['set-cookie']).toBeUndefined();
    }
    expect(await count()).toBe(before);
    const row = await app.context.service.prisma.checkoutSession.findUniqueOrThrow({
      where: { id: session.id },
    });
    expect(row).toMatchObject({ status: 'created', claimHash: null, version: 1 });
  });
});

test('the instructions of a scheme whose apps have no field for a reference do not ask for it', async ({
  app,
  clock,
  merchant,
  customer,
}) => {
  const { service } = app.context;
  const session = await seedSession(service, merchant, { now: noon });
  const path = sessionPath(session);
  await customer.post(path, { ...payForm, method: 'gojek-id' });
  const { main } = await customer.get(path);
  const charge = await service.prisma.charge.findFirstOrThrow({ where: { sessionId: session.id } });
  expect(main).toMatch(/Check the name, and pay exactly .*IDR|Check the name, and pay exactly .*Rp/);
  expect(main).not.toContain('reference');
  const input = { chargeId: charge.id, minor: 100_000_00n, now: clock.now() };
  await payCharge(service, merchant, charge, input);
  expect((await customer.get(path)).main).toMatch(/We’ve received .*Please send the remaining amount\./);
});

test('unknown parameters are ignored', async ({ app, merchant, customer }) => {
  const address = await newAddress(app, merchant);
  const visit = await customer.get(`${address}&utm_source=mail&fbclid=1&limit=x`);
  expect([visit.status, visit.main]).toEqual([200, (await customer.get(address)).main]);
});

const countTransfers = (app: TestApp, { merchantId, mode }: CheckoutSession) =>
  app.context.service.prisma.transfer.count({ where: { merchantId, mode } });

describe('the sandbox', () => {
  test('is displayed on the page and in its URL', async ({ app, merchant, customer }) => {
    const session = await newSession(app, merchant, { mode: 'sandbox' });
    const plain = await customer.get(`/checkout?sessionId=${session.id}`);
    expect([plain.status, plain.location]).toEqual([302, sessionPath(session)]);
    const page = await customer.get(plain.location);
    expect(page.text).toContain('<strong>Sandbox');
    const paid = await customer.post(plain.location, payForm);
    expect([paid.status, paid.location]).toEqual([303, plain.location]);
    expect((await customer.get(paid.location)).text).toContain('<strong>Sandbox');
  });

  test('creates sandbox charges from a sandbox link', async ({ app, merchant, customer }) => {
    const link = await seedCheckoutLink(app.context.service, merchant, { mode: 'sandbox', now: noon });
    const paid = await customer.post(linkPath(link), payForm);
    expect(paid.status).toBe(303);
    expect(paid.location).toMatch(/^\/checkout\?charge=ch_[^&]+&isSandbox=true$/);
    expect((await customer.get(paid.location)).main).toContain('Waiting for your payment');
  });

  test('simulates payments by a form on the page, in the browser of the customer only', async ({
    app,
    merchant,
    customer,
  }) => {
    const session = await newSession(app, merchant, { mode: 'sandbox' });
    const path = sessionPath(session);
    const simulate = (kind: string) => ({ do: 'simulate', kind });
    await customer.post(path, payForm);
    expect((await customer.get(path)).main).toContain('Simulate a payment');
    const stranger = createPageVisitor(app.app, '198.51.100.7');
    expect((await stranger.get(path)).main).not.toContain('Simulate a payment');
    await stranger.post(path, simulate('exact'));
    expect((await customer.post(path, simulate('unknown'))).status).toBe(303);
    expect(await countTransfers(app, session)).toBe(0);
    expect((await customer.post(path, simulate('underpaid'))).location).toBe(path);
    expect((await customer.get(path)).main).toContain('Still to pay');
    await customer.post(path, simulate('exact'));
    expect((await customer.get(path)).main).toContain('Payment received');
    await customer.post(path, simulate('exact'));
    expect(await countTransfers(app, session)).toBe(2);
  });

  test('cannot be used to simulate a live payment', async ({ app, merchant, customer }) => {
    const session = await newSession(app, merchant);
    await customer.post(sessionPath(session), payForm);
    expect((await customer.get(sessionPath(session))).main).not.toContain('Simulate a payment');
    await customer.post(sessionPath(session), { do: 'simulate', kind: 'exact' });
    expect(await countTransfers(app, session)).toBe(0);
  });

  test('rejects a live session, link or key with a page that helps', async ({ app, merchant, customer }) => {
    const link = await seedCheckoutLink(app.context.service, merchant, { now: noon });
    const key = merchant.keys.live.publishableKey;
    for (const address of [
      await newAddress(app, merchant),
      linkPath(link),
      `/checkout?apiKey=${key}&amount=10&currency=HKD`,
    ]) {
      const rejected = await customer.get(`${address}&isSandbox=true`);
      expect(rejected.status).toBe(400);
      expect(rejected.main).toContain('This payment isn’t a test');
      expect((await customer.post(`${address}&isSandbox=true`, payForm)).status).toBe(400);
    }
  });

  test('is not mentioned on live pages of real accounts', async ({ app, customer }) => {
    const real = await seedMerchant(app.context.service, { name: 'Real Shop', hasDemoAccounts: false });
    const address = `/checkout?apiKey=${real.keys.live.publishableKey}&amount=10&currency=HKD`;
    const none = await customer.get(address);
    expect([none.status, none.main.includes('can’t be paid here')]).toEqual([422, true]);
    await seedReceivingAccount(app.context.service, real);
    const paying = await customer.post(address, payForm);
    for (const page of [await customer.get(address), await customer.get(paying.location)]) {
      expect(page.status).toBe(200);
      expect(page.text.replace(/<style>[^<]*<\/style>/, '')).not.toMatch(/demo|sandbox/i);
    }
  });
});

test('an account by PayID has the name and the steps of PayID', async ({ app, customer }) => {
  const { service } = app.context;
  const real = await seedMerchant(service, { hasDemoAccounts: false });
  const details = { mobile: '0412 345 678' };
  await seedReceivingAccount(service, real, { method: 'au-bank-transfer', details });
  const input = { merchantAmount: 25, merchantCurrency: 'AUD', method: 'au-bank-transfer' };
  const { main } = await customer.get(chargePath(service, await seedCharge(service, real, { input })));
  expect(main).toContain('Pay with PayID');
  expect(main).toContain('choose “Pay someone › PayID”');
  expect(main).not.toContain('BSB');
});

describe('an amount offset', () => {
  test('is displayed with the exact amount to pay, in every language', async ({ app, customer }) => {
    const { service } = app.context;
    const real = await seedMerchant(service, { hasDemoAccounts: false });
    const details = { bankCode: '092', account: '100012345678', bank: 'Toss Bank' };
    await seedReceivingAccount(service, real, { method: 'toss', details, maxAmountOffset: 9 });
    const terms = { merchantAmount: 50_000, merchantCurrency: 'KRW', method: 'toss' };
    const inputs = ['a', 'b'].map((name) => ({ ...terms, email: `${name}@example.com` }));
    const [plain, added] = [
      await seedCharge(service, real, { input: inputs[0]! }),
      await seedCharge(service, real, { input: inputs[1]! }),
    ];
    expect((await customer.get(chargePath(service, plain))).text).not.toContain('class="exact"');
    const page = await customer.get(chargePath(service, added));
    expect(page.main).toContain(
      'We’ve added ₩1 so that we can recognize your payment. Please pay exactly ₩50,001',
    );
    for (const [lang, text] of Object.entries({ zh: '金额须完全一致', th: 'ให้ตรงตามยอด' })) {
      expect((await customer.get(`${chargePath(service, added)}&lang=${lang}`)).main).toContain(text);
    }
  });
});

describe('expiry', () => {
  test('an expired session returns 410 with a link back to the shop', async ({
    app,
    clock,
    merchant,
    customer,
  }) => {
    const redirectUrl = 'https://shop.example/cart';
    const address = await newAddress(app, merchant, { redirectUrl });
    clock.set(minutesAfter(noon, 7 * 24 * 60 + 1));
    const before = await customer.get(address);
    await expireSessions(app.context.service, { now: clock.now() });
    for (const visit of [before, await customer.get(address)]) {
      expect(visit.status).toBe(410);
      expect(visit.main).toContain('This payment page has expired');
      expect(visit.main).toContain('You haven’t been charged');
      expect(visit.main).toContain('Back to Harbour Teas');
      expect(visit.text).toContain(`href="${redirectUrl}"`);
    }
    const tried = await customer.post(address, payForm);
    expect([tried.status, tried.location]).toEqual([303, address]);
  });

  test('unpaid pages link to the cancel URL, and the paid page to the return URL', async ({
    app,
    clock,
    merchant,
    customer,
  }) => {
    const urls = { redirectUrl: 'https://shop.example/thanks', cancelUrl: 'https://shop.example/cart' };
    const cancelled = await newAddress(app, merchant, urls);
    await customer.post(cancelled, { do: 'claim' });
    await customer.post(cancelled, { do: 'cancel' });
    const [paid, expired] = [
      await newSession(app, merchant, { input: urls }),
      await newSession(app, merchant, { input: urls }),
    ];
    await customer.post(sessionPath(paid), payForm);
    await customer.post(sessionPath(expired), payForm);
    const charge = await readCharge(app, paid);
    await recordPayment(app, clock, merchant, charge, charge.customerAmount);
    clock.set(minutesAfter(noon, 31));
    for (const path of [cancelled, sessionPath(expired)])
      expect((await customer.get(path)).text).toContain(`href="${urls.cancelUrl}"`);
    expect((await customer.get(sessionPath(paid))).text).toContain(`href="${urls.redirectUrl}"`);
  });

  test('a session claimed for an hour without a charge returns 410', async ({
    app,
    clock,
    merchant,
    customer,
  }) => {
    const address = await newAddress(app, merchant);
    await customer.post(address, { do: 'claim' });
    clock.set(minutesAfter(noon, 61));
    expect((await customer.get(address)).status).toBe(410);
  });

  test('an expired charge displays its expiry, and what to do', async ({
    app,
    clock,
    merchant,
    customer,
  }) => {
    const session = await newSession(app, merchant);
    await customer.post(sessionPath(session), payForm);
    const before = await customer.get(sessionPath(session));
    expect(before.main).toContain('Time left 30 min');
    clock.set(minutesAfter(noon, 31));
    const after = await customer.get(sessionPath(session));
    expect(after.status).toBe(200);
    expect(after.main).toContain('This payment has expired');
    expect(after.main).toContain((await readCharge(app, session)).paymentReference);
    // The time is in the time zone of the payment method.
    expect(after.main).toContain('17 Nov, 8:30 pm GMT+8');
    expect(after.main).not.toContain('Account holder');
  });

  test('an extended charge displays a late payment not applied to it', async ({ app, clock, merchant }) => {
    const charge = await newCharge(app, merchant);
    await recordPayment(app, clock, merchant, charge, 5_000n);
    expect(await readPage(app, charge)).not.toContain('with your earlier payment details');
    await expire(app, clock);
    await recordPayment(app, clock, merchant, charge, 3_000n);
    const options = { merchant: merchant.merchant, mode: 'live', id: charge.id, days: 3 } as const;
    await extendCharge(app.context.service, { ...options, audit: audit(clock), now: clock.now() });
    const main = await readPage(app, charge);
    expect(main).toContain('We’ve received HK$50.00 of HK$128.50');
    expect(main).toContain('We received HK$30.00 with your earlier payment details');
  });

  test('a payment made in time and reported late is displayed as paid', async ({
    app,
    clock,
    merchant,
    customer,
  }) => {
    const session = await newSession(app, merchant);
    await customer.post(sessionPath(session), payForm);
    const paid = { now: minutesAfter(noon, 29) };
    await payCharge(app.context.service, merchant, await readCharge(app, session), paid);
    clock.set(minutesAfter(noon, 40));
    expect((await customer.get(sessionPath(session))).main).toContain('Payment received');
  });
});

describe('cancellation', () => {
  test('is possible for the customer before and after the charge is created', async ({
    app,
    merchant,
    customer,
  }) => {
    for (const steps of [[], [payForm]]) {
      const address = await newAddress(app, merchant);
      for (const step of steps) await customer.post(address, step);
      const done = await customer.post(address, { do: 'cancel' });
      expect([done.status, done.location]).toEqual([303, address]);
      expect((await customer.get(address)).main).toContain('This payment was cancelled');
    }
  });

  test('by the shop is displayed', async ({ app, merchant, customer }) => {
    const session = await newSession(app, merchant);
    await cancelSession(app.context.service, { id: session.id, actor: 'user:test', now: noon });
    expect((await customer.get(sessionPath(session))).main).toContain('This payment was cancelled');
  });

  test('is not possible for the customer after a part payment', async ({ app, merchant, customer }) => {
    const charge = await seedCharge(app.context.service, merchant, { input: { email: 'part@example.com' } });
    const address = chargePath(app.context.service, charge);
    expect((await customer.get(address)).main).toContain('Cancel this payment');
    await payCharge(app.context.service, merchant, charge, { minor: 100n, now: noon });
    await customer.post(address, { do: 'cancel' });
    const page = await customer.get(address);
    expect(page.main).toContain('We’ve received HK$1.00');
    expect(page.main).not.toContain('Cancel this payment');
  });
});

describe('the list of methods', () => {
  test('begins with those of the customer’s countries', async ({ app, merchant, customer }) => {
    const address = await newAddress(app, merchant);
    const { text } = await customer.get(address, { 'accept-language': 'ms-MY, en-SG;q=0.9, en;q=0.5' });
    const methods = [...text.matchAll(/name="method" value="([^"]+)"/g)].map((match) => match[1]);
    expect(methods.slice(0, 3)).toEqual(['duit-now', 'paynow', 'fps']);
    expect(text).toContain('<html lang="ms" data-locale="ms-MY">');
  });

  test('is grouped by country, with other countries collapsed except that of the chosen method', async ({
    app,
    merchant,
    customer,
  }) => {
    const address = await newAddress(app, merchant);
    const hongKong = { 'accept-language': 'en-HK' };
    const groups = ({ text }: { text: string }) =>
      [...text.matchAll(/<h3 id="country-(\w\w)">|<details class="countries">/g)].map(
        ([heading, country]) => country ?? heading,
      );
    const collapsed = groups(await customer.get(address, hongKong));
    expect(collapsed.slice(0, 3)).toEqual(['HK', '<details class="countries">', 'SG']);
    expect(collapsed).toHaveLength(12);
    const chosen = { do: 'pay', method: 'toss', email: 'nonsense' };
    const rejected = await customer.post(address, chosen, { 'sec-fetch-site': 'same-origin', ...hongKong });
    expect(groups(rejected).slice(0, 3)).toEqual(['HK', 'KR', '<details class="countries">']);
    // Without a known country nothing is collapsed, and the country of the currency is first.
    const anywhere = groups(await customer.get(await newAddress(app, merchant, { currency: 'THB' })));
    expect(anywhere).toHaveLength(11);
    expect(anywhere[0]).toBe('TH');
  });

  test('has only the methods of the session, whose email is filled in', async ({
    app,
    merchant,
    customer,
  }) => {
    const input = { methods: ['toss', 'fps'], customer: { email: 'ada@example.com' } };
    const { text } = await customer.get(await newAddress(app, merchant, input));
    const methods = [...text.matchAll(/name="method" value="([^"]+)"/g)].map((match) => match[1]);
    expect(methods).toEqual(['fps', 'toss']);
    expect(text).toContain('value="ada@example.com"');
  });
});

describe('the amount received for a payment that ended', () => {
  test('is displayed once after several assignments, until it is returned', async ({
    app,
    clock,
    merchant,
  }) => {
    const charge = await newCharge(app, merchant);
    const transferId = await recordPayment(app, clock, merchant, charge, 5_000n);
    await unassign(app, clock, merchant, transferId, charge);
    await assign(app, clock, merchant, transferId, charge);
    await expire(app, clock);
    expect(await readPage(app, charge)).toContain('We received HK$50.00 . Your money isn’t lost');
    await returnTransfer(app.context.service, {
      ...owner(merchant),
      input: { transferId, amount: 20 },
      audit: audit(clock),
      now: clock.now(),
    });
    expect(await readPage(app, charge)).toContain('We received HK$30.00 . Your money isn’t lost');
    await returnTransfer(app.context.service, {
      ...owner(merchant),
      input: { transferId },
      audit: audit(clock),
      now: clock.now(),
    });
    expect(await readPage(app, charge)).not.toContain('We received');
  });

  test('excludes what the bank reversed, before the end or after it', async ({ app, clock, merchant }) => {
    const [before, after] = [await newCharge(app, merchant), await newCharge(app, merchant)];
    await reverse(app, clock, merchant, before, await recordPayment(app, clock, merchant, before, 5_000n));
    const late = await recordPayment(app, clock, merchant, after, 5_000n);
    await expire(app, clock);
    expect(await readPage(app, before)).toContain('This payment has expired');
    expect(await readPage(app, before)).not.toContain('We received');
    expect(await readPage(app, after)).toContain('We received HK$50.00');
    await reverse(app, clock, merchant, after, late);
    expect(await readPage(app, after)).not.toContain('We received');
  });

  test('excludes what was assigned to another payment', async ({ app, clock, merchant }) => {
    const [charge, other] = [await newCharge(app, merchant), await newCharge(app, merchant)];
    const transferId = await recordPayment(app, clock, merchant, charge, 5_000n);
    await cancel(app, clock, merchant, charge);
    expect(await readPage(app, charge)).toContain('We received HK$50.00');
    expect(await readPage(app, charge)).not.toContain('You haven’t been charged');
    await assign(app, clock, merchant, transferId, other);
    expect(await readPage(app, charge)).not.toContain('We received');
  });

  test('is not displayed when the transfer was unassigned', async ({ app, clock, merchant }) => {
    const charge = await newCharge(app, merchant);
    await unassign(app, clock, merchant, await recordPayment(app, clock, merchant, charge, 5_000n), charge);
    await cancel(app, clock, merchant, charge);
    expect(await readPage(app, charge)).toContain('You haven’t been charged');
  });
});

describe('the amount of a completed payment', () => {
  test('is the received amount, when it is less than requested', async ({ app, clock, merchant }) => {
    const { service } = app.context;
    const kind = await seedMerchant(service, { name: 'Kind Shop' });
    const where = { id: kind.merchant.id };
    const data = { underpaymentTolerance: '0.02' };
    kind.merchant = await service.prisma.merchant.update({ where, data });
    const charge = await newCharge(app, merchant, kind);
    await recordPayment(app, clock, merchant, charge, 12_650n, kind);
    const main = await readPage(app, charge);
    expect(main).toContain('Kind Shop has received your payment of HK$126.50 . Thank you.');
    expect(main).not.toContain('$128.50');
  });

  test('is the requested amount, when the charge was completed manually', async ({ app, merchant }) => {
    const charge = await seedCompletedCharge(app.context.service, merchant);
    expect(await readPage(app, charge)).toContain('has received your payment of HK$128.50');
  });

  test('is not displayed once the payment was reversed', async ({ app, clock, merchant }) => {
    const charge = await newCharge(app, merchant);
    const transferId = await recordPayment(app, clock, merchant, charge, charge.customerAmount);
    expect(await readPage(app, charge)).toContain('Payment received');
    await reverse(app, clock, merchant, charge, transferId);
    const main = await readPage(app, charge);
    expect(main).toContain('This payment was reversed');
    expect(main).toContain(charge.paymentReference);
    expect(main).not.toMatch(/Payment received|Thank you|\$128\.50/);
  });
});

test('an amount that no method accepts returns 422 with a link back to the shop', async ({ app }) => {
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
    // The script must neither claim nor subscribe to it.
    expect(visit.text).not.toMatch(/data-events-url|data-claims-session/);
  }
});
