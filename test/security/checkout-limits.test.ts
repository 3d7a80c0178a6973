import { describe, expect, onTestFinished } from 'vitest';
import type { Charge, CheckoutLink, Prisma } from '../../prisma/client/client.ts';
import type { NewMerchant } from '../../src/domain/accounts/merchant/create-merchant.ts';
import { mailAlerts } from '../../src/domain/accounts/notice/mail-alerts.ts';
import { alertLowReferences } from '../../src/domain/accounts/receiving-account/alert-low-references.ts';
import { paySubscription } from '../../src/domain/billing/collection/pay-subscription.ts';
import { createSubscriptionLink } from '../../src/domain/billing/subscription/create-subscription-link.ts';
import { getEnrolmentUrl, getManageUrl } from '../../src/domain/billing/subscription/customer-pages.ts';
import { enrol } from '../../src/domain/billing/subscription/enrol.ts';
import { eraseCustomer } from '../../src/domain/operations/customer-data/erase-customer.ts';
import { cancelCharge } from '../../src/domain/payments/charge/cancel-charge.ts';
import { expireCharges } from '../../src/domain/payments/charge/expire-charges.ts';
import { foldChargeCounts } from '../../src/domain/payments/charge-list/fold-charge-counts.ts';
import { chargeCheckoutUrl } from '../../src/domain/payments/checkout/charge-checkout-url.ts';
import { parseCheckoutUrl } from '../../src/domain/payments/checkout/parse-checkout-url.ts';
import { chargeCheckoutLink } from '../../src/domain/payments/checkout-link/charge-checkout-link.ts';
import { pruneCheckoutSlots } from '../../src/domain/payments/customer-page/checkout-slot.ts';
import { getClientNetwork } from '../../src/kit/client-network.ts';
import { dayMs, minuteMs } from '../../src/kit/duration.ts';
import { toPath } from '../../src/pages/to-path.ts';
import { setupApp, type TestApp } from '../setup/app.ts';
import { appTest } from '../setup/app-fixtures.ts';
import {
  addressPath,
  linkPath,
  payForm,
  seedCheckoutLink,
  seedSession,
  sessionPath,
} from '../setup/checkout.ts';
import { count } from '../setup/counts.ts';
import { doneOrCode } from '../setup/errors.ts';
import type { FakeClock } from '../setup/fake-clock.ts';
import { expectInvariants } from '../setup/invariants.ts';
import { createPageVisitor } from '../setup/page-visitor.ts';
import { minutesAfter, noon, seedCharge, seedMerchant } from '../setup/seed.ts';
import { connectOtherProcess } from '../setup/service.ts';
import { seedPlan, seedSubscription } from '../setup/subscriptions.ts';
import { payCharge } from '../setup/transfers.ts';

const cap = 3;
const dayMinutes = dayMs / minuteMs;

/** The number of unpaid charges of a network is limited to `cap`. */
function createCappedCheckout(
  { app, context: { service }, connectionString }: TestApp,
  clock: FakeClock,
  networks: Iterator<string>,
) {
  return {
    app,
    connectionString,
    service,
    clock,
    /** An address of a network without charges. */
    newNetwork: (): string => networks.next().value,
    async newShop(): Promise<{ shop: NewMerchant; path: string }> {
      const shop = await seedMerchant(service);
      return { shop, path: addressPath(shop.keys.live.publishableKey) };
    },
    /** Starts `times` payments, each in a new browser; returns the statuses of the responses. */
    async start(path: string, address: string, times: number): Promise<number[]> {
      const statuses: number[] = [];
      for (let i = 0; i < times; i++)
        statuses.push((await createPageVisitor(app, address).post(path, payForm)).status);
      return statuses;
    },
    newestCharge: ({ merchant: { id: merchantId } }: NewMerchant) =>
      service.prisma.charge.findFirstOrThrow({ where: { merchantId }, orderBy: { id: 'desc' } }),
    readLink: ({ id }: CheckoutLink) => service.prisma.checkoutLink.findUniqueOrThrow({ where: { id } }),
    cancel: ({ id, merchantId, mode }: Charge) =>
      cancelCharge(service, { id, merchantId, mode, by: 'customer', actor: 'customer', now: clock.now() }),
    /** Runs `work` without the cap. */
    async uncapped(work: () => Promise<void>): Promise<void> {
      service.settings.checkoutChargesMax = 0;
      try {
        await work();
      } finally {
        service.settings.checkoutChargesMax = cap;
      }
    },
  };
}
type CappedCheckout = ReturnType<typeof createCappedCheckout>;

function* newNetworks(): Generator<string, never> {
  for (let n = 1; ; n++) yield `198.51.100.${n}`;
}

const test = appTest
  .extend('app', { scope: 'file' }, async ({ onFileCleanup, fileClock }) => {
    const app = await setupApp(onFileCleanup, { clock: fileClock, metricsToken: 'the token of the metrics' });
    app.context.service.settings.checkoutChargesMax = cap;
    return app;
  })
  .extend('networks', { scope: 'file' }, () => newNetworks())
  .extend('checkout', ({ app, clock, networks }) => createCappedCheckout(app, clock, networks));

const countSlots = (checkout: CappedCheckout, where: Prisma.CheckoutSlotWhereInput) =>
  checkout.service.prisma.checkoutSlot.count({ where });

describe('Limit of unpaid charges of a network', () => {
  test('applies to one network at one publishable key', async ({ checkout }) => {
    const { path } = await checkout.newShop();
    const { path: elsewhere } = await checkout.newShop();
    const address = checkout.newNetwork();
    expect(await checkout.start(path, address, cap + 2)).toEqual([303, 303, 303, 429, 429]);
    expect(await checkout.start(path, checkout.newNetwork(), 1)).toEqual([303]);
    expect(await checkout.start(elsewhere, address, 1)).toEqual([303]);
  });

  test('includes all checkout links and enrolment links of a merchant', async ({ checkout }) => {
    const { shop } = await checkout.newShop();
    const address = checkout.newNetwork();
    const links = [
      await seedCheckoutLink(checkout.service, shop),
      await seedCheckoutLink(checkout.service, shop),
    ];
    expect(await checkout.start(linkPath(links[0]!), address, 2)).toEqual([303, 303]);
    const plan = await seedPlan(checkout.service, shop, { now: noon });
    const link = await createSubscriptionLink(checkout.service, {
      ...{ merchant: shop.merchant, mode: plan.mode, now: noon },
      input: { subscriptionPlanId: plan.id },
    });
    const enrolment = new URL(getEnrolmentUrl(checkout.service, link));
    expect(await checkout.start(enrolment.pathname + enrolment.search, address, 2)).toEqual([303, 429]);
    expect(await checkout.start(linkPath(links[1]!), address, 1)).toEqual([429]);
  });

  test('includes each charge by which a subscriber’s browser replaces another', async ({ checkout }) => {
    const { shop } = await checkout.newShop();
    const { subscription } = await seedSubscription(checkout.service, shop);
    const path = toPath(getManageUrl(checkout.service, subscription));
    const customer = createPageVisitor(checkout.app, checkout.newNetwork());
    const change = (method: string) => customer.post(path, { do: 'method', method });
    const changes: number[] = [];
    for (const method of ['paynow', 'fps', 'paynow', 'fps', 'toss'])
      changes.push((await change(method)).status);
    expect(changes).toEqual([200, 200, 200, 429, 429]);
    expect((await change('fps')).main).toContain('Too many unfinished payments on your network');
    const pending = await checkout.service.prisma.charge.findMany({
      where: { subscriptionId: subscription.id, status: 'pending' },
    });
    expect(pending.map(({ method }) => method)).toEqual(['paynow']);
  });

  test('treats an IPv6 /64 as one network, and also limits its /56 and /48', async ({ checkout }) => {
    const { path } = await checkout.newShop();
    const toSubnetAddress = (subnet: number, host: number) => `2001:db8:7:${subnet.toString(16)}::${host}`;
    for (let host = 1; host <= cap; host++)
      expect(await checkout.start(path, toSubnetAddress(0x100, host), 1)).toEqual([303]);
    expect(await checkout.start(path, toSubnetAddress(0x100, 99), 1)).toEqual([429]);
    expect(await checkout.start(path, toSubnetAddress(0x101, 1), cap + 1)).toEqual([303, 303, 303, 429]);
    for (const subnet of [0x102, 0x103]) await checkout.start(path, toSubnetAddress(subnet, 1), cap);
    // Four times the cap in the /56.
    expect(await checkout.start(path, toSubnetAddress(0x104, 1), 1)).toEqual([429]);
    for (const subnet of [0x200, 0x300, 0x400])
      await Promise.all([0, 1, 2, 3].map((i) => checkout.start(path, toSubnetAddress(subnet + i, 1), cap)));
    // Sixteen times the cap in the /48.
    expect(await checkout.start(path, toSubnetAddress(0xcc00, 1), 1)).toEqual([429]);
    expect(await checkout.start(path, '2001:db8:8::1', 1)).toEqual([303]);
  });

  test('excludes sessions and charges of the API', async ({ checkout }) => {
    const { shop, path } = await checkout.newShop();
    const address = checkout.newNetwork();
    for (let i = 0; i <= cap; i++) {
      await seedCharge(checkout.service, shop, { input: { email: `api-${i}@example.com` } });
      const session = await seedSession(checkout.service, shop, { input: { currency: 'HKD' }, now: noon });
      expect(await checkout.start(sessionPath(session), address, 1)).toEqual([303]);
    }
    expect(await checkout.start(path, address, cap)).toEqual([303, 303, 303]);
    expect(await countSlots(checkout, { merchantId: shop.merchant.id })).toBe(cap);
  });

  test('is released when a charge is paid or its payment window ends, but not when the charge is cancelled', async ({
    checkout,
  }) => {
    const { shop, path } = await checkout.newShop();
    const address = checkout.newNetwork();
    await checkout.start(path, address, cap);
    const charge = await checkout.newestCharge(shop);
    await checkout.cancel(charge);
    // Otherwise, each cancelled start would use another reference.
    expect(await checkout.start(path, address, 1)).toEqual([429]);
    const [pending] = await checkout.service.prisma.charge.findMany({
      where: { merchantId: shop.merchant.id, status: 'pending' },
    });
    await payCharge(checkout.service, shop, pending!, { now: noon });
    expect(await checkout.start(path, address, 2)).toEqual([303, 429]);
    checkout.clock.set(minutesAfter(noon, 31));
    expect(await checkout.start(path, address, cap + 1)).toEqual([303, 303, 303, 429]);
  });

  test('is disabled by 0', async ({ checkout }) => {
    const { path } = await checkout.newShop();
    await checkout.uncapped(async () =>
      expect(await checkout.start(path, checkout.newNetwork(), cap + 1)).toEqual([303, 303, 303, 303]),
    );
  });

  test('applies to concurrent starts by several processes', async ({ checkout }) => {
    const { shop } = await checkout.newShop();
    const other = connectOtherProcess(onTestFinished, {
      ...checkout.service,
      connectionString: checkout.connectionString,
    });
    const query = { apiKey: shop.keys.live.publishableKey, amount: '128.5', currency: 'HKD' };
    const address = await parseCheckoutUrl(checkout.service, query, noon);
    for (let round = 0; round < count(5, 50); round++) {
      const visitor = { ipAddress: checkout.newNetwork() };
      const starts = Array.from({ length: 3 * cap }, (_, i) => {
        const customer = { email: `racer-${round}-${i % 4}@example.com` };
        const options = {
          merchant: shop.merchant,
          urlTerms: address,
          method: 'fps',
          customer,
          visitor,
          now: noon,
        } as const;
        return doneOrCode(chargeCheckoutUrl(i % 2 === 0 ? checkout.service : other, options));
      });
      const outcomes = await Promise.all(starts);
      expect(outcomes.filter((outcome) => outcome === 'done')).toHaveLength(cap);
      expect(outcomes.filter((outcome) => outcome === 'rate_limited')).toHaveLength(2 * cap);
    }
    await expectInvariants(checkout.service);
  });

  test('stores no network in plain text, and nothing after the payment or a day', async ({ checkout }) => {
    const { shop, path } = await checkout.newShop();
    const address = checkout.newNetwork();
    await checkout.start(path, address, cap);
    const rows = await checkout.service.prisma.checkoutSlot.findMany({
      where: { merchantId: shop.merchant.id },
    });
    expect(rows).toHaveLength(cap);
    expect(JSON.stringify(rows)).not.toContain(getClientNetwork(address));
    expect(new Set(rows.map(({ networkHash }) => networkHash)).size).toBe(1);
    const charge = await checkout.newestCharge(shop);
    await payCharge(checkout.service, shop, charge, { now: noon });
    expect(await countSlots(checkout, { objectId: charge.id })).toBe(0);
    await pruneCheckoutSlots(checkout.service, { now: minutesAfter(noon, dayMinutes - 1) });
    expect(await countSlots(checkout, { merchantId: shop.merchant.id })).toBe(cap - 1);
    await pruneCheckoutSlots(checkout.service, { now: minutesAfter(noon, dayMinutes) });
    expect(await countSlots(checkout, { merchantId: shop.merchant.id })).toBe(0);
  });

  test('includes a charge until the end of a payment window of several days', async ({ checkout }) => {
    const { shop, path } = await checkout.newShop();
    const paymentWindows = { fps: 2 * dayMinutes };
    await checkout.service.prisma.merchant.update({
      where: { id: shop.merchant.id },
      data: { paymentWindows },
    });
    const address = checkout.newNetwork();
    expect(await checkout.start(path, address, cap + 1)).toEqual([303, 303, 303, 429]);
    checkout.clock.set(minutesAfter(noon, dayMinutes + 60));
    await pruneCheckoutSlots(checkout.service, { now: checkout.clock.now() });
    expect(await checkout.start(path, address, 1)).toEqual([429]);
    checkout.clock.set(minutesAfter(noon, 2 * dayMinutes));
    expect(await checkout.start(path, address, 1)).toEqual([303]);
  });
});

describe('At the limit', () => {
  test.for([
    ['en', 'Too many unfinished payments on your network', /Continue to pay HK\$128\.50/],
    ['zh', '您的网络中未完成的付款过多', /继续支付 HK\$128\.50/],
    ['th', 'มีรายการชำระเงินที่ยังไม่เสร็จจากเครือข่ายของคุณมากเกินไป', /ชำระ HK\$128\.50 ต่อ/],
  ] as const)(
    'the page offers in %s to resume the payment of this browser',
    async ([lang, title, resume], { checkout }) => {
      const { path } = await checkout.newShop();
      const address = checkout.newNetwork();
      const customer = createPageVisitor(checkout.app, address);
      const startedPayment = await customer.post(path, payForm);
      await checkout.start(path, address, cap - 1);
      checkout.clock.set(minutesAfter(noon, 10));
      const capped = await customer.post(`${path}&lang=${lang}&view=new`, payForm);
      expect([capped.status, capped.headers['retry-after']]).toEqual([429, String(20 * 60)]);
      expect(capped.main).toContain(title);
      expect(capped.main).toMatch(resume);
      const [, href = ''] = /class="button" href="([^"]+)"/.exec(capped.text) ?? [];
      const token = (url: string) => new URL(url, 'http://page').searchParams.get('charge');
      expect(token(href.replaceAll('&amp;', '&'))).toBe(token(startedPayment.location));
      const stranger = await createPageVisitor(checkout.app, address).post(`${path}&lang=${lang}`, payForm);
      expect([stranger.status, stranger.main.includes(title), resume.test(stranger.main)]).toEqual([
        429,
        true,
        false,
      ]);
    },
  );

  test('a program that accepts JSON receives problem+json', async ({ checkout }) => {
    const { path } = await checkout.newShop();
    const address = checkout.newNetwork();
    await checkout.start(path, address, cap);
    const headers = { 'sec-fetch-site': 'same-origin', accept: 'application/json' };
    const {
      status,
      headers: sent,
      text,
    } = await createPageVisitor(checkout.app, address).post(path, payForm, headers);
    expect([status, sent['retry-after']]).toEqual([429, String(30 * 60)]);
    expect(sent['content-type']).toMatch(/^application\/problem\+json/);
    expect(JSON.parse(text)).toMatchObject({ status: 429, code: 'rate_limited' });
  });
});

describe('Payment references', () => {
  const readMetric = async (checkout: CappedCheckout) => {
    const headers = { authorization: 'Bearer the token of the metrics' };
    const { body } = await checkout.app.inject({ url: '/metrics', headers });
    return /^causeway_receiving_accounts_low_on_references (.*)$/m.exec(body)?.[1];
  };

  test('raise one alert, a mail and a metric when half of them are used', async ({ checkout }) => {
    const { shop } = await checkout.newShop();
    const readAlerts = () =>
      checkout.service.prisma.alert.findMany({ where: { merchantId: shop.merchant.id } });
    const watch = async (now: Date) => {
      await foldChargeCounts(checkout.service);
      return alertLowReferences(checkout.service, { now, referenceCount: 8 });
    };
    const charges: Charge[] = [];
    const seedOne = async () =>
      charges.push(
        await seedCharge(checkout.service, shop, { input: { email: `used-${charges.length}@example.com` } }),
      );
    for (let i = 0; i < 3; i++) await seedOne();
    await watch(noon);
    expect(await readAlerts()).toEqual([]);
    await seedOne();
    await watch(noon);
    await watch(minutesAfter(noon, 60));
    const [alert, ...others] = await readAlerts();
    const { receivingAccountId } = charges[0]!;
    expect(others).toEqual([]);
    expect(alert).toMatchObject({
      kind: 'references_low',
      receivingAccountId,
      url: `${checkout.service.settings.publicUrl}/dashboard/receiving-accounts/${receivingAccountId}`,
      detail: '4 of 8 references used in the last 180 days',
    });
    expect(Number(await readMetric(checkout))).toBeGreaterThan(0);
    await mailAlerts(checkout.service, { now: noon });
    const mails = await checkout.service.prisma.message.findMany({
      where: { merchantId: shop.merchant.id, kind: 'references-low' },
    });
    expect(mails.map(({ recipient }) => recipient)).toEqual([shop.email]);
    await watch(new Date(noon.getTime() + 181 * dayMs));
    expect(await readMetric(checkout)).toBe('0');
    expect(await readAlerts()).toHaveLength(1);
  });
});

/** An enrolment link of a plan that begins without a payment. */
async function seedFreeEnrolmentLink(checkout: CappedCheckout, shop: NewMerchant) {
  const plan = await seedPlan(checkout.service, shop, {
    input: { initialPayment: { amount: 0, period: 'days', count: 14 } },
    now: noon,
  });
  return createSubscriptionLink(checkout.service, {
    ...{ merchant: shop.merchant, mode: plan.mode, now: noon },
    input: { subscriptionPlanId: plan.id },
  });
}

describe('Limit of unpaid starts in 24 hours', () => {
  test('applies over several payment windows, until 24 hours after the first start', async ({ checkout }) => {
    const { path } = await checkout.newShop();
    const address = checkout.newNetwork();
    for (let window = 0; window < 4; window++) {
      checkout.clock.set(minutesAfter(noon, 31 * window));
      expect(await checkout.start(path, address, cap)).toEqual([303, 303, 303]);
    }
    checkout.clock.set(minutesAfter(noon, 31 * 4));
    await pruneCheckoutSlots(checkout.service, { now: checkout.clock.now() });
    const { status, headers } = await createPageVisitor(checkout.app, address).post(path, payForm);
    expect([status, headers['retry-after']]).toEqual([429, String((dayMinutes - 31 * 4) * 60)]);
    expect(await checkout.start(path, checkout.newNetwork(), 1)).toEqual([303]);
    checkout.clock.set(minutesAfter(noon, dayMinutes));
    expect(await checkout.start(path, address, cap + 1)).toEqual([303, 303, 303, 429]);
  });

  test('excludes paid charges', async ({ checkout }) => {
    const { shop, path } = await checkout.newShop();
    const address = checkout.newNetwork();
    for (let window = 0; window < 6; window++) {
      checkout.clock.set(minutesAfter(noon, 31 * window));
      expect(await checkout.start(path, address, cap)).toEqual([303, 303, 303]);
      const pending = await checkout.service.prisma.charge.findMany({
        where: { merchantId: shop.merchant.id, status: 'pending' },
      });
      for (const charge of pending)
        await payCharge(checkout.service, shop, charge, { now: checkout.clock.now() });
    }
    expect(await countSlots(checkout, { merchantId: shop.merchant.id })).toBe(0);
  });

  test('includes enrolments that begin without a payment, until they are paid', async ({ checkout }) => {
    const { shop, path: chargePath } = await checkout.newShop();
    const { merchant } = shop;
    const link = await seedFreeEnrolmentLink(checkout, shop);
    const path = toPath(getEnrolmentUrl(checkout.service, link));
    let visitors = 0;
    const enrolFrom = (address: string) =>
      createPageVisitor(checkout.app, address).post(path, {
        ...payForm,
        email: `free-${++visitors}@example.com`,
      });
    const address = checkout.newNetwork();
    for (let i = 0; i < 4 * cap; i++) expect((await enrolFrom(address)).status).toBe(303);
    const { status, headers } = await enrolFrom(address);
    expect([status, headers['retry-after']]).toEqual([429, String(dayMinutes * 60)]);
    const enrolled = await checkout.service.prisma.subscription.findMany({ where: { linkId: link.id } });
    expect(enrolled.map((subscription) => subscription.status)).toEqual(Array(4 * cap).fill('active'));
    expect((await enrolFrom(checkout.newNetwork())).status).toBe(303);
    expect(await checkout.start(chargePath, address, 1)).toEqual([303]);

    const { id, mode } = enrolled[0]!;
    const owner = { merchantId: merchant.id, mode };
    const charge = await paySubscription(checkout.service, { ...owner, id, actor: 'customer', now: noon });
    await payCharge(checkout.service, shop, charge, { now: noon });
    expect([(await enrolFrom(address)).status, (await enrolFrom(address)).status]).toEqual([303, 429]);
    checkout.clock.set(minutesAfter(noon, dayMinutes));
    expect((await enrolFrom(address)).status).toBe(303);
    await expectInvariants(checkout.service);
  });

  test('is deleted when the customer is erased', async ({ checkout }) => {
    const { shop, path } = await checkout.newShop();
    const address = checkout.newNetwork();
    const link = await seedFreeEnrolmentLink(checkout, shop);
    await checkout.start(path, address, 1);
    await checkout.start(toPath(getEnrolmentUrl(checkout.service, link)), address, 1);
    const merchantId = shop.merchant.id;
    expect(await countSlots(checkout, { merchantId })).toBe(2);
    for (const { id } of await checkout.service.prisma.customer.findMany({ where: { merchantId } }))
      await eraseCustomer(checkout.service, { id, now: noon });
    expect(await countSlots(checkout, { merchantId })).toBe(0);
  });

  test('applies to concurrent free enrolments', async ({ checkout }) => {
    const { shop } = await checkout.newShop();
    const { merchant } = shop;
    const link = await seedFreeEnrolmentLink(checkout, shop);
    const visitor = { ipAddress: checkout.newNetwork() };
    const enrolments = Array.from({ length: 6 * cap }, (_, i) =>
      doneOrCode(
        enrol(checkout.service, {
          ...{ merchant, link, visitor, method: 'fps', language: 'en', actor: 'customer', now: noon },
          customer: { email: `racing-${i}@example.com` },
        }),
      ),
    );
    const outcomes = await Promise.all(enrolments);
    expect(outcomes.filter((outcome) => outcome === 'done')).toHaveLength(4 * cap);
    expect(outcomes.filter((outcome) => outcome === 'rate_limited')).toHaveLength(2 * cap);
  });
});

describe('Uses of a limited link', () => {
  const limited = async (checkout: CappedCheckout, usageLimit: number) => {
    const { shop } = await checkout.newShop();
    const link = await seedCheckoutLink(checkout.service, shop, { input: { usageLimit }, now: noon });
    return { shop, link, path: linkPath(link) };
  };

  test('become available again when charges expire or are cancelled', async ({ checkout }) => {
    const { shop, link, path } = await limited(checkout, 2);
    expect(await checkout.start(path, checkout.newNetwork(), 1)).toEqual([303]);
    expect(await checkout.start(path, checkout.newNetwork(), 1)).toEqual([303]);
    expect((await createPageVisitor(checkout.app, checkout.newNetwork()).get(path)).status).toBe(410);
    await checkout.cancel(await checkout.newestCharge(shop));
    expect((await checkout.readLink(link)).uses).toBe(1);
    expect(await checkout.start(path, checkout.newNetwork(), 1)).toEqual([303]);
    checkout.clock.set(minutesAfter(noon, 31));
    await expireCharges(checkout.service, { now: checkout.clock.now() });
    expect((await checkout.readLink(link)).uses).toBe(0);
    expect((await createPageVisitor(checkout.app, checkout.newNetwork()).get(path)).status).toBe(200);
    await expectInvariants(checkout.service);
  });

  test('remain used by paid charges', async ({ checkout }) => {
    const { shop, link, path } = await limited(checkout, 1);
    await checkout.start(path, checkout.newNetwork(), 1);
    await payCharge(checkout.service, shop, await checkout.newestCharge(shop), { now: noon });
    expect(await checkout.readLink(link)).toMatchObject({ uses: 1 });
    expect((await createPageVisitor(checkout.app, checkout.newNetwork()).get(path)).status).toBe(410);
  });

  test('exceed the limit only when money arrives for a charge that had ended', async ({ checkout }) => {
    const { shop, link, path } = await limited(checkout, 1);
    await checkout.start(path, checkout.newNetwork(), 1);
    const late = await checkout.newestCharge(shop);
    checkout.clock.set(minutesAfter(noon, 31));
    await expireCharges(checkout.service, { now: checkout.clock.now() });
    await checkout.start(path, checkout.newNetwork(), 1);
    const paidInTime = { paidAt: minutesAfter(noon, 20), now: checkout.clock.now() };
    expect(await payCharge(checkout.service, shop, late, paidInTime)).toMatchObject({ status: 'matched' });
    expect(await checkout.service.prisma.charge.findUnique({ where: { id: late.id } })).toMatchObject({
      status: 'completed',
    });
    expect(await checkout.readLink(link)).toMatchObject({ uses: 2, usageLimit: 1 });
    await expectInvariants(checkout.service);
  });

  test('are never used twice by concurrent starts, cancellations and expiries', async ({ checkout }) => {
    const other = connectOtherProcess(onTestFinished, {
      ...checkout.service,
      connectionString: checkout.connectionString,
    });
    await checkout.uncapped(async () => {
      for (let round = 0; round < count(5, 50); round++) {
        const { shop, link } = await limited(checkout, 2);
        const { merchant } = shop;
        const startOne = (i: number, now = noon) => {
          const customer = { email: `use-${i}@example.com` };
          const visitor = { ipAddress: checkout.newNetwork() };
          const options = { merchant, link, method: 'fps', customer, visitor, now: now } as const;
          return doneOrCode(chargeCheckoutLink(i % 2 === 0 ? checkout.service : other, options));
        };
        const starts = await Promise.all(Array.from({ length: 8 }, (_, i) => startOne(i)));
        expect(starts.filter((outcome) => outcome === 'done')).toHaveLength(2);
        const [first] = await checkout.service.prisma.charge.findMany({ where: { checkoutLinkId: link.id } });
        checkout.clock.set(minutesAfter(noon, 31));
        await Promise.all([
          doneOrCode(checkout.cancel(first!)),
          expireCharges(other, { now: checkout.clock.now() }),
          ...Array.from({ length: 6 }, (_, i) => startOne(i, checkout.clock.now())),
        ]);
        const open = await checkout.service.prisma.charge.count({
          where: { checkoutLinkId: link.id, status: { in: ['pending', 'completed'] } },
        });
        expect(open).toBeLessThanOrEqual(2);
        expect((await checkout.readLink(link)).uses).toBe(open);
      }
    });
    await expectInvariants(checkout.service);
  });
});
