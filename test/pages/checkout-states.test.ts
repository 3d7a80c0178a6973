import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Charge, CheckoutSession } from '../../prisma/client/client.ts';
import type { NewMerchant } from '../../src/domain/accounts/merchant/create-merchant.ts';
import { cancelSession } from '../../src/domain/payments/session/cancel-session.ts';
import { expireSessions } from '../../src/domain/payments/session/expire-sessions.ts';
import { setupApp, type TestApp } from '../setup/app.ts';
import {
  chargePath,
  linkPath,
  payForm,
  seedCheckoutLink,
  seedSession,
  sessionPath,
} from '../setup/checkout.ts';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import { createFakeClock, type FakeClock } from '../setup/fake-clock.ts';
import { createPageVisitor, type PageVisitor } from '../setup/page-visitor.ts';
import { seedReceivingAccount } from '../setup/receiving-accounts.ts';
import { minutesAfter, noon, seedCharge, seedMerchant } from '../setup/seed.ts';
import { payCharge } from '../setup/transfers.ts';

const onCleanup = cleanupAfterFile();

let app: TestApp;
let clock: FakeClock;
let merchant: NewMerchant;
let customer: PageVisitor;

beforeAll(async () => {
  clock = createFakeClock(noon);
  app = await setupApp(onCleanup, { clock });
  merchant = await seedMerchant(app.context.service);
});

beforeEach(() => {
  clock.set(noon);
  customer = createPageVisitor(app.app);
});

function newSession(options: Parameters<typeof seedSession>[2] = {}): Promise<CheckoutSession> {
  return seedSession(app.context.service, merchant, { now: noon, ...options });
}

const newAddress = async (input = {}) => sessionPath(await newSession({ input }));

function chargeOf({ id: sessionId }: CheckoutSession): Promise<Charge> {
  return app.context.service.prisma.charge.findUniqueOrThrow({ where: { sessionId } });
}

describe('a GET changes nothing', () => {
  test('neither of a session, a link nor the bare address, and it leaves no cookie', async () => {
    const link = await seedCheckoutLink(app.context.service, merchant, { now: noon });
    const query = new URLSearchParams({
      apiKey: merchant.keys.live.publishableKey,
      amount: '10',
      currency: 'HKD',
    });
    const session = await newSession();
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

test('parameters that mean nothing to the page are ignored', async () => {
  const address = await newAddress();
  const visit = await customer.get(`${address}&utm_source=mail&fbclid=1&limit=x`);
  expect([visit.status, visit.main]).toEqual([200, (await customer.get(address)).main]);
});

describe('the sandbox', () => {
  test('is marked, and its address says so', async () => {
    const session = await newSession({ mode: 'sandbox' });
    const plain = await customer.get(`/checkout?sessionId=${session.id}`);
    expect([plain.status, plain.location]).toEqual([302, sessionPath(session)]);
    const page = await customer.get(plain.location);
    expect(page.text).toContain('<strong>Sandbox');
    const paid = await customer.post(plain.location, payForm);
    expect([paid.status, paid.location]).toEqual([303, plain.location]);
    expect((await customer.get(paid.location)).text).toContain('<strong>Sandbox');
  });

  test('a charge of a sandbox link goes on in the sandbox', async () => {
    const link = await seedCheckoutLink(app.context.service, merchant, { mode: 'sandbox', now: noon });
    const paid = await customer.post(linkPath(link), payForm);
    expect(paid.status).toBe(303);
    expect(paid.location).toMatch(/^\/checkout\?charge=ch_[^&]+&isSandbox=true$/);
    expect((await customer.get(paid.location)).main).toContain('Waiting for your payment');
  });

  test('a live session, link or key is refused there, with help', async () => {
    const link = await seedCheckoutLink(app.context.service, merchant, { now: noon });
    const key = merchant.keys.live.publishableKey;
    for (const address of [
      await newAddress(),
      linkPath(link),
      `/checkout?apiKey=${key}&amount=10&currency=HKD`,
    ]) {
      const refused = await customer.get(`${address}&isSandbox=true`);
      expect(refused.status).toBe(400);
      expect(refused.main).toContain('This payment is not a test');
      expect((await customer.post(`${address}&isSandbox=true`, payForm)).status).toBe(400);
    }
  });

  test('live pages of real accounts carry no mark', async () => {
    const real = await seedMerchant(app.context.service, { name: 'Real Shop', demoAccounts: false });
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

describe('an amount that tells payments apart', () => {
  test('says what was added and that exactly that is to be paid, in every language', async () => {
    const { service } = app.context;
    const real = await seedMerchant(service, { demoAccounts: false });
    const details = { bankCode: '092', account: '100012345678', bank: 'Toss Bank' };
    await seedReceivingAccount(service, real, { method: 'toss', details, maxAmountOffset: 9 });
    const terms = { merchantAmount: 50_000, merchantCurrency: 'KRW', method: 'toss' };
    const asked = ['a', 'b'].map((name) => ({ ...terms, email: `${name}@example.com` }));
    const [plain, added] = [
      await seedCharge(service, real, { input: asked[0]! }),
      await seedCharge(service, real, { input: asked[1]! }),
    ];
    expect((await customer.get(chargePath(service, plain))).text).not.toContain('class="exact"');
    const page = await customer.get(chargePath(service, added));
    expect(page.main).toContain(
      'We’ve added ₩1 KRW so that we can recognize your payment. Please pay exactly ₩50,001 KRW',
    );
    for (const [lang, words] of Object.entries({ zh: '金额须完全一致', th: 'ให้ตรงตามยอด' })) {
      expect((await customer.get(`${chargePath(service, added)}&lang=${lang}`)).main).toContain(words);
    }
  });
});

describe('when it is too late', () => {
  test('an expired session is 410 and helps the customer back', async () => {
    const redirectUrl = 'https://shop.example/cart';
    const address = await newAddress({ redirectUrl });
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

  test('a session held for an hour without a charge is 410', async () => {
    const address = await newAddress();
    await customer.post(address, { do: 'claim' });
    clock.set(minutesAfter(noon, 61));
    expect((await customer.get(address)).status).toBe(410);
  });

  test('an expired charge says until when money counted, and what to do', async () => {
    const session = await newSession();
    await customer.post(sessionPath(session), payForm);
    const before = await customer.get(sessionPath(session));
    expect(before.main).toContain('Time left 30 min');
    clock.set(minutesAfter(noon, 31));
    const after = await customer.get(sessionPath(session));
    expect(after.status).toBe(200);
    expect(after.main).toContain('This payment has expired');
    expect(after.main).toContain((await chargeOf(session)).paymentReference);
    // The time of the place where the customer pays.
    expect(after.main).toContain('Nov 17, 8:30 PM GMT+8');
    expect(after.main).not.toContain('Account holder');
  });

  test('money that was paid in time and told of late still shows as paid', async () => {
    const session = await newSession();
    await customer.post(sessionPath(session), payForm);
    const paid = { now: minutesAfter(noon, 29) };
    await payCharge(app.context.service, merchant, await chargeOf(session), paid);
    clock.set(minutesAfter(noon, 40));
    expect((await customer.get(sessionPath(session))).main).toContain('Payment received');
  });
});

describe('cancelling', () => {
  test('by the customer, before there is a charge and after', async () => {
    for (const steps of [[], [payForm]]) {
      const address = await newAddress();
      for (const step of steps) await customer.post(address, step);
      const done = await customer.post(address, { do: 'cancel' });
      expect([done.status, done.location]).toEqual([303, address]);
      expect((await customer.get(address)).main).toContain('This payment was cancelled');
    }
  });

  test('by the shop', async () => {
    const session = await newSession();
    await cancelSession(app.context.service, { id: session.id, actor: 'user:test', now: noon });
    expect((await customer.get(sessionPath(session))).main).toContain('This payment was cancelled');
  });

  test('not by the customer once money has arrived', async () => {
    const charge = await seedCharge(app.context.service, merchant, { input: { email: 'part@example.com' } });
    const address = chargePath(app.context.service, charge);
    expect((await customer.get(address)).main).toContain('Cancel this payment');
    await payCharge(app.context.service, merchant, charge, { minor: 100n, now: noon });
    await customer.post(address, { do: 'cancel' });
    const page = await customer.get(address);
    expect(page.main).toContain('We’ve received $1.00 HKD');
    expect(page.main).not.toContain('Cancel this payment');
  });
});

describe('for the reader', () => {
  test('the methods of where the reader is come first', async () => {
    const address = await newAddress();
    const { text } = await customer.get(address, { 'accept-language': 'ms-MY, en-SG;q=0.9, en;q=0.5' });
    const methods = [...text.matchAll(/name="method" value="([^"]+)"/g)].map((match) => match[1]);
    expect(methods.slice(0, 3)).toEqual(['duit-now', 'paynow', 'fps']);
    expect(text).toContain('<html lang="en" data-locale="en-SG">');
  });

  test('the methods stand by country; those of others are folded, unless one of them is chosen', async () => {
    const address = await newAddress();
    const hongKong = { 'accept-language': 'en-HK' };
    const groups = ({ text }: { text: string }) =>
      [...text.matchAll(/<h3 id="country-(\w\w)">|<details class="countries"( open)?>/g)].map(
        ([whole, country]) => country ?? whole,
      );
    const folded = groups(await customer.get(address, hongKong));
    expect(folded.slice(0, 3)).toEqual(['HK', '<details class="countries">', 'SG']);
    expect(folded).toHaveLength(12);
    const chosen = { do: 'pay', method: 'toss', email: 'nonsense' };
    const refused = await customer.post(address, chosen, { 'sec-fetch-site': 'same-origin', ...hongKong });
    expect(groups(refused)).toContain('<details class="countries" open>');
    // Where the browser names no country of ours, nothing is folded: that of the shop's currency comes first.
    const anywhere = groups(await customer.get(await newAddress({ currency: 'THB' })));
    expect(anywhere).toHaveLength(11);
    expect(anywhere[0]).toBe('TH');
  });

  test('a session limited to methods offers those, and an e-mail the shop gave is filled in', async () => {
    const input = { methods: ['toss', 'fps'], customer: { email: 'ada@example.com' } };
    const { text } = await customer.get(await newAddress(input));
    const methods = [...text.matchAll(/name="method" value="([^"]+)"/g)].map((match) => match[1]);
    expect(methods).toEqual(['fps', 'toss']);
    expect(text).toContain('value="ada@example.com"');
  });
});
