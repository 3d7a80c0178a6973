import { describe, expect, test } from 'vitest';
import type { Charge, Prisma } from '../../prisma/client/client.ts';
import { mailAlerts } from '../../src/domain/accounts/alert/mail-alerts.ts';
import { watchReferences } from '../../src/domain/accounts/receiving-account/watch-references.ts';
import { createSubscriptionLink } from '../../src/domain/billing/subscription/create-subscription-link.ts';
import { enrolmentUrl, manageUrl } from '../../src/domain/billing/subscription/customer-pages.ts';
import { foldChargeCounts } from '../../src/domain/payments/charge-list/fold-charge-counts.ts';
import { chargeCheckoutAddress } from '../../src/domain/payments/checkout/charge-checkout-address.ts';
import { pruneCheckoutSlots } from '../../src/domain/payments/checkout/checkout-slot.ts';
import { parseCheckoutAddress } from '../../src/domain/payments/checkout/parse-checkout-address.ts';
import { clientNetwork } from '../../src/kit/client-network.ts';
import { dayMs, minuteMs } from '../../src/kit/duration.ts';
import { toPath } from '../../src/pages/to-path.ts';
import { setupCappedCheckout } from '../setup/capped-checkout.ts';
import { linkPath, payForm, seedCheckoutLink, seedSession, sessionPath } from '../setup/checkout.ts';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import { count } from '../setup/counts.ts';
import { doneOrCode } from '../setup/errors.ts';
import { expectInvariants } from '../setup/invariants.ts';
import { createPageVisitor } from '../setup/page-visitor.ts';
import { minutesAfter, noon, seedCharge } from '../setup/seed.ts';
import { connectOtherProcess, type ServiceOnDatabase } from '../setup/service.ts';
import { seedPlan, seedSubscription } from '../setup/subscriptions.ts';
import { payCharge } from '../setup/transfers.ts';

const onCleanup = cleanupAfterFile();

/** Finding 9: anonymous visitors use up payment references. The limit of a day: finding-09-daily-limit.test.ts; uses of links: finding-09-link-uses.test.ts. */

const cap = 3;
const dayMinutes = dayMs / minuteMs;
const { clock, app, service, newNetwork, newShop, start, newestCharge, cancel, uncapped } =
  setupCappedCheckout(cap);

const countSlots = (where: Prisma.CheckoutSlotWhereInput) => service().prisma.checkoutSlot.count({ where });

describe('the cap of unpaid charges', () => {
  test('stops one network at one publishable key, and neither another network nor another key', async () => {
    const { path } = await newShop();
    const { path: elsewhere } = await newShop();
    const address = newNetwork();
    expect(await start(path, address, cap + 2)).toEqual([303, 303, 303, 429, 429]);
    expect(await start(path, newNetwork(), 1)).toEqual([303]);
    expect(await start(elsewhere, address, 1)).toEqual([303]);
  });

  test('counts all checkout links and enrolment links of a merchant together', async () => {
    const { shop } = await newShop();
    const address = newNetwork();
    const links = [await seedCheckoutLink(service(), shop), await seedCheckoutLink(service(), shop)];
    expect(await start(linkPath(links[0]!), address, 2)).toEqual([303, 303]);
    const plan = await seedPlan(service(), shop, { now: noon });
    const link = await createSubscriptionLink(service(), {
      ...{ merchant: shop.merchant, mode: plan.mode, now: noon },
      input: { subscriptionPlanId: plan.id },
    });
    const enrolment = new URL(enrolmentUrl(service(), link));
    expect(await start(enrolment.pathname + enrolment.search, address, 2)).toEqual([303, 429]);
    expect(await start(linkPath(links[1]!), address, 1)).toEqual([429]);
  });

  test('counts each charge by which a subscriber’s browser replaces another', async () => {
    const { shop } = await newShop();
    const { subscription } = await seedSubscription(service(), shop);
    const path = toPath(manageUrl(service(), subscription));
    const customer = createPageVisitor(app(), newNetwork());
    const change = (method: string) => customer.post(path, { do: 'method', method });
    const changes: number[] = [];
    for (const method of ['paynow', 'fps', 'paynow', 'fps', 'toss'])
      changes.push((await change(method)).status);
    expect(changes).toEqual([200, 200, 200, 429, 429]);
    expect((await change('fps')).main).toContain('Too many payments are open on your network');
    const pending = await service().prisma.charge.findMany({
      where: { subscriptionId: subscription.id, status: 'pending' },
    });
    expect(pending.map(({ method }) => method)).toEqual(['paynow']);
  });

  test('counts an IPv6 /64 as one network, and bounds the /56 and the /48 around it', async () => {
    const { path } = await newShop();
    const inSubnet = (subnet: number, host: number) => `2001:db8:7:${subnet.toString(16)}::${host}`;
    for (let host = 1; host <= cap; host++)
      expect(await start(path, inSubnet(0x100, host), 1)).toEqual([303]);
    expect(await start(path, inSubnet(0x100, 99), 1)).toEqual([429]);
    expect(await start(path, inSubnet(0x101, 1), cap + 1)).toEqual([303, 303, 303, 429]);
    for (const subnet of [0x102, 0x103]) await start(path, inSubnet(subnet, 1), cap);
    // Four times the cap in the /56.
    expect(await start(path, inSubnet(0x104, 1), 1)).toEqual([429]);
    for (const subnet of [0x200, 0x300, 0x400])
      await Promise.all([0, 1, 2, 3].map((i) => start(path, inSubnet(subnet + i, 1), cap)));
    // Sixteen times the cap in the /48.
    expect(await start(path, inSubnet(0xcc00, 1), 1)).toEqual([429]);
    expect(await start(path, '2001:db8:8::1', 1)).toEqual([303]);
  });

  test('never counts sessions, nor charges of the API', async () => {
    const { shop, path } = await newShop();
    const address = newNetwork();
    for (let i = 0; i <= cap; i++) {
      await seedCharge(service(), shop, { input: { email: `api-${i}@example.com` } });
      const session = await seedSession(service(), shop, { input: { currency: 'HKD' }, now: noon });
      expect(await start(sessionPath(session), address, 1)).toEqual([303]);
    }
    expect(await start(path, address, cap)).toEqual([303, 303, 303]);
    expect(await countSlots({ merchantId: shop.merchant.id })).toBe(cap);
  });

  test('is free again once a charge is paid or its payment window is over, but not when it is cancelled', async () => {
    const { shop, path } = await newShop();
    const address = newNetwork();
    await start(path, address, cap);
    const charge = await newestCharge(shop);
    await cancel(charge);
    // Or starting and cancelling in turns would use a reference each time.
    expect(await start(path, address, 1)).toEqual([429]);
    const [pending] = await service().prisma.charge.findMany({
      where: { merchantId: shop.merchant.id, status: 'pending' },
    });
    await payCharge(service(), shop, pending!, { now: noon });
    expect(await start(path, address, 2)).toEqual([303, 429]);
    clock.set(minutesAfter(noon, 31));
    expect(await start(path, address, cap + 1)).toEqual([303, 303, 303, 429]);
  });

  test('is off at 0', async () => {
    const { path } = await newShop();
    await uncapped(async () =>
      expect(await start(path, newNetwork(), cap + 1)).toEqual([303, 303, 303, 303]),
    );
  });

  test('holds among concurrent starts, from several processes', async () => {
    const { shop } = await newShop();
    const other = connectOtherProcess(onCleanup, service() as ServiceOnDatabase);
    const query = { apiKey: shop.keys.live.publishableKey, amount: '128.5', currency: 'HKD' };
    const address = await parseCheckoutAddress(service(), query, noon);
    for (let round = 0; round < count(5, 50); round++) {
      const visitor = { address: newNetwork() };
      const starts = Array.from({ length: 3 * cap }, (_, i) => {
        const customer = { email: `racer-${round}-${i % 4}@example.com` };
        const given = {
          merchant: shop.merchant,
          address,
          method: 'fps',
          customer,
          visitor,
          now: noon,
        } as const;
        return doneOrCode(chargeCheckoutAddress(i % 2 === 0 ? service() : other, given));
      });
      const ends = await Promise.all(starts);
      expect(ends.filter((end) => end === 'done')).toHaveLength(cap);
      expect(ends.filter((end) => end === 'rate_limited')).toHaveLength(2 * cap);
    }
    await expectInvariants(service());
  });

  test('stores no network in clear, and nothing once paid or a day old', async () => {
    const { shop, path } = await newShop();
    const address = newNetwork();
    await start(path, address, cap);
    const rows = await service().prisma.checkoutSlot.findMany({ where: { merchantId: shop.merchant.id } });
    expect(rows).toHaveLength(cap);
    expect(JSON.stringify(rows)).not.toContain(clientNetwork(address));
    expect(new Set(rows.map(({ networkHash }) => networkHash)).size).toBe(1);
    const charge = await newestCharge(shop);
    await payCharge(service(), shop, charge, { now: noon });
    expect(await countSlots({ objectId: charge.id })).toBe(0);
    await pruneCheckoutSlots(service(), { now: minutesAfter(noon, dayMinutes - 1) });
    expect(await countSlots({ merchantId: shop.merchant.id })).toBe(cap - 1);
    await pruneCheckoutSlots(service(), { now: minutesAfter(noon, dayMinutes) });
    expect(await countSlots({ merchantId: shop.merchant.id })).toBe(0);
  });

  test('counts a payment window of several days to its end', async () => {
    const { shop, path } = await newShop();
    const paymentWindows = { fps: 2 * dayMinutes };
    await service().prisma.merchant.update({ where: { id: shop.merchant.id }, data: { paymentWindows } });
    const address = newNetwork();
    expect(await start(path, address, cap + 1)).toEqual([303, 303, 303, 429]);
    clock.set(minutesAfter(noon, dayMinutes + 60));
    await pruneCheckoutSlots(service(), { now: clock.now() });
    expect(await start(path, address, 1)).toEqual([429]);
    clock.set(minutesAfter(noon, 2 * dayMinutes));
    expect(await start(path, address, 1)).toEqual([303]);
  });
});

describe('at the cap', () => {
  test.each([
    ['en', 'Too many payments are open on your network', /Continue to pay \$128\.50 HKD/],
    ['zh', '您的网络中未完成的付款过多', /继续支付 \$128\.50 HKD/],
    ['th', 'มีรายการชำระเงินที่ยังไม่เสร็จจากเครือข่ายของคุณมากเกินไป', /ชำระ \$128\.50 HKD ต่อ/],
  ])('the page offers in %s to resume what this browser started', async (lang, title, resume) => {
    const { path } = await newShop();
    const address = newNetwork();
    const customer = createPageVisitor(app(), address);
    const own = await customer.post(path, payForm);
    await start(path, address, cap - 1);
    clock.set(minutesAfter(noon, 10));
    const capped = await customer.post(`${path}&lang=${lang}`, payForm);
    expect([capped.status, capped.headers['retry-after']]).toEqual([429, String(20 * 60)]);
    expect(capped.main).toContain(title);
    expect(capped.main).toMatch(resume);
    const [, href = ''] = /class="button" href="([^"]+)"/.exec(capped.text) ?? [];
    const token = (url: string) => new URL(url, 'http://page').searchParams.get('charge');
    expect(token(href.replaceAll('&amp;', '&'))).toBe(token(own.location));
    const stranger = await createPageVisitor(app(), address).post(`${path}&lang=${lang}`, payForm);
    expect([stranger.status, stranger.main.includes(title), resume.test(stranger.main)]).toEqual([
      429,
      true,
      false,
    ]);
  });

  test('a program that accepts JSON gets problem+json', async () => {
    const { path } = await newShop();
    const address = newNetwork();
    await start(path, address, cap);
    const headers = { 'sec-fetch-site': 'same-origin', accept: 'application/json' };
    const {
      status,
      headers: sent,
      text,
    } = await createPageVisitor(app(), address).post(path, payForm, headers);
    expect([status, sent['retry-after']]).toEqual([429, String(30 * 60)]);
    expect(sent['content-type']).toMatch(/^application\/problem\+json/);
    expect(JSON.parse(text)).toMatchObject({ status: 429, code: 'rate_limited' });
  });
});

describe('payment references', () => {
  const readMetric = async () => {
    const headers = { authorization: 'Bearer the token of the metrics' };
    const { body } = await app().inject({ url: '/metrics', headers });
    return /^causeway_receiving_accounts_low_on_references (.*)$/m.exec(body)?.[1];
  };

  test('half used raise one alert, a mail and a metric, until fewer are', async () => {
    const { shop } = await newShop();
    const alertsOf = () => service().prisma.alert.findMany({ where: { merchantId: shop.merchant.id } });
    const watch = async (now: Date) => {
      await foldChargeCounts(service());
      return watchReferences(service(), { now, referencesMax: 8 });
    };
    const charges: Charge[] = [];
    const more = async () =>
      charges.push(
        await seedCharge(service(), shop, { input: { email: `used-${charges.length}@example.com` } }),
      );
    for (let i = 0; i < 3; i++) await more();
    await watch(noon);
    expect(await alertsOf()).toEqual([]);
    await more();
    await watch(noon);
    await watch(minutesAfter(noon, 60));
    const [alert, ...others] = await alertsOf();
    const { receivingAccountId } = charges[0]!;
    expect(others).toEqual([]);
    expect(alert).toMatchObject({
      kind: 'references_low',
      receivingAccountId,
      url: `${service().settings.publicUrl}/dashboard/receiving-accounts/${receivingAccountId}`,
      detail: '4 of 8 references used in the last 180 days',
    });
    expect(Number(await readMetric())).toBeGreaterThan(0);
    await mailAlerts(service(), { now: noon });
    const mails = await service().prisma.message.findMany({
      where: { merchantId: shop.merchant.id, kind: 'references-low' },
    });
    expect(mails.map(({ recipient }) => recipient)).toEqual([shop.email]);
    await watch(new Date(noon.getTime() + 181 * dayMs));
    expect(await readMetric()).toBe('0');
    expect(await alertsOf()).toHaveLength(1);
  });
});
