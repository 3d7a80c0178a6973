import { beforeAll, describe, expect, test } from 'vitest';
import type { Charge, CheckoutLink } from '../../prisma/client/client.ts';
import { mailAlerts } from '../../src/domain/alert/mail-alerts.ts';
import { cancelCharge } from '../../src/domain/charge/cancel-charge.ts';
import { expireCharges } from '../../src/domain/charge/expire-charges.ts';
import { foldChargeCounts } from '../../src/domain/charge-list/fold-charge-counts.ts';
import { chargeCheckoutAddress } from '../../src/domain/checkout/charge-checkout-address.ts';
import { pruneCheckoutSlots } from '../../src/domain/checkout/checkout-slot.ts';
import { parseCheckoutAddress } from '../../src/domain/checkout/parse-checkout-address.ts';
import { chargeCheckoutLink } from '../../src/domain/checkout-link/charge-checkout-link.ts';
import type { NewMerchant } from '../../src/domain/merchant/create-merchant.ts';
import { watchReferences } from '../../src/domain/receiving-account/watch-references.ts';
import type { Service } from '../../src/domain/service.ts';
import { createSubscriptionLink } from '../../src/domain/subscription/create-subscription-link.ts';
import { enrolmentUrl } from '../../src/domain/subscription/customer-pages.ts';
import { clientNetwork } from '../../src/kit/client-network.ts';
import { dayMs } from '../../src/kit/duration.ts';
import { type TestApp, testApp } from '../setup/app.ts';
import {
  addressPath,
  linkPath,
  makeCheckoutLink,
  makeSession,
  payForm,
  sessionPath,
} from '../setup/checkout.ts';
import { type TestClock, testClock } from '../setup/clock.ts';
import { count } from '../setup/counts.ts';
import { doneOrCode } from '../setup/done-or-code.ts';
import { makeCharge, makeMerchant, minutesAfter, noon } from '../setup/makers.ts';
import { pageVisitor } from '../setup/page-visitor.ts';
import { otherProcess, type ServiceOnDatabase } from '../setup/service.ts';
import { expectSound } from '../setup/sound.ts';
import { makePlan } from '../setup/subscriptions.ts';
import { payCharge } from '../setup/transfers.ts';

/** Finding 9: anonymous visitors use up references and the uses of links. */

const cap = 3;
const clock: TestClock = testClock(noon);
let site: TestApp;
let service: Service;
let networks = 0;

beforeAll(async () => {
  site = await testApp({ clock, metricsToken: 'the token of the metrics' });
  service = site.context.service;
  service.settings.checkoutChargesMax = cap;
});

/** A network that has started nothing. */
const newNetwork = () => `198.51.100.${++networks}`;

async function newShop(): Promise<{ shop: NewMerchant; path: string }> {
  clock.set(noon);
  const shop = await makeMerchant(service);
  return { shop, path: addressPath(shop.keys.live.publishableKey) };
}

/** Starts so many payments, each in a browser of its own; the statuses of the answers. */
async function start(path: string, address: string, times: number): Promise<number[]> {
  const statuses: number[] = [];
  for (let i = 0; i < times; i++)
    statuses.push((await pageVisitor(site.app, address).post(path, payForm)).status);
  return statuses;
}

const newestCharge = ({ merchant: { id: merchantId } }: NewMerchant) =>
  service.prisma.charge.findFirstOrThrow({ where: { merchantId }, orderBy: { id: 'desc' } });
const readLink = ({ id }: CheckoutLink) => service.prisma.checkoutLink.findUniqueOrThrow({ where: { id } });
const cancel = ({ id, merchantId, mode }: Charge) =>
  cancelCharge(service, { id, merchantId, mode, by: 'customer', actor: 'customer', now: clock.now() });

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
    const links = [await makeCheckoutLink(service, shop), await makeCheckoutLink(service, shop)];
    expect(await start(linkPath(links[0]!), address, 2)).toEqual([303, 303]);
    const plan = await makePlan(service, shop, { now: noon });
    const link = await createSubscriptionLink(service, {
      ...{ merchant: shop.merchant, mode: plan.mode, now: noon },
      input: { subscriptionPlanId: plan.id },
    });
    const enrolment = new URL(enrolmentUrl(service, link));
    expect(await start(enrolment.pathname + enrolment.search, address, 2)).toEqual([303, 429]);
    expect(await start(linkPath(links[1]!), address, 1)).toEqual([429]);
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
      await makeCharge(service, shop, { input: { email: `api-${i}@example.com` } });
      const session = await makeSession(service, shop, { input: { currency: 'HKD' }, now: noon });
      expect(await start(sessionPath(session), address, 1)).toEqual([303]);
    }
    expect(await start(path, address, cap)).toEqual([303, 303, 303]);
    expect(await service.prisma.checkoutSlot.count({ where: { merchantId: shop.merchant.id } })).toBe(cap);
  });

  test('is free again once a charge is paid or its payment window is over, but not when it is cancelled', async () => {
    const { shop, path } = await newShop();
    const address = newNetwork();
    await start(path, address, cap);
    const charge = await newestCharge(shop);
    await cancel(charge);
    // Or starting and cancelling in turns would use a reference each time.
    expect(await start(path, address, 1)).toEqual([429]);
    const [pending] = await service.prisma.charge.findMany({
      where: { merchantId: shop.merchant.id, status: 'pending' },
    });
    await payCharge(service, shop, pending!, { now: noon });
    expect(await start(path, address, 2)).toEqual([303, 429]);
    clock.set(minutesAfter(noon, 31));
    expect(await start(path, address, cap + 1)).toEqual([303, 303, 303, 429]);
  });

  test('is off at 0', async () => {
    const { path } = await newShop();
    service.settings.checkoutChargesMax = 0;
    try {
      expect(await start(path, newNetwork(), cap + 1)).toEqual([303, 303, 303, 303]);
    } finally {
      service.settings.checkoutChargesMax = cap;
    }
  });

  test('holds among concurrent starts, from several processes', async () => {
    const { shop } = await newShop();
    const other = otherProcess(service as ServiceOnDatabase);
    const query = { apiKey: shop.keys.live.publishableKey, amount: '128.5', currency: 'HKD' };
    const address = await parseCheckoutAddress(service, query, noon);
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
        return doneOrCode(chargeCheckoutAddress(i % 2 === 0 ? service : other, given));
      });
      const ends = await Promise.all(starts);
      expect(ends.filter((end) => end === 'done')).toHaveLength(cap);
      expect(ends.filter((end) => end === 'rate_limited')).toHaveLength(2 * cap);
    }
    await expectSound(service);
  });

  test('stores no network in clear, and nothing once no charge counts', async () => {
    const { shop, path } = await newShop();
    const address = newNetwork();
    await start(path, address, cap);
    const rows = await service.prisma.checkoutSlot.findMany({ where: { merchantId: shop.merchant.id } });
    expect(rows).toHaveLength(cap);
    expect(JSON.stringify(rows)).not.toContain(clientNetwork(address));
    expect(new Set(rows.map(({ networkHash }) => networkHash)).size).toBe(1);
    const [{ chargeId }] = rows as [(typeof rows)[number]];
    await payCharge(
      service,
      shop,
      await service.prisma.charge.findUniqueOrThrow({ where: { id: chargeId } }),
      {
        now: noon,
      },
    );
    expect(await service.prisma.checkoutSlot.count({ where: { chargeId } })).toBe(0);
    await pruneCheckoutSlots(service, { now: minutesAfter(noon, 29) });
    expect(await service.prisma.checkoutSlot.count({ where: { merchantId: shop.merchant.id } })).toBe(
      cap - 1,
    );
    await pruneCheckoutSlots(service, { now: minutesAfter(noon, 31) });
    expect(await service.prisma.checkoutSlot.count({ where: { merchantId: shop.merchant.id } })).toBe(0);
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
    const customer = pageVisitor(site.app, address);
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
    const stranger = await pageVisitor(site.app, address).post(`${path}&lang=${lang}`, payForm);
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
    const { status, headers: sent, text } = await pageVisitor(site.app, address).post(path, payForm, headers);
    expect([status, sent['retry-after']]).toEqual([429, String(30 * 60)]);
    expect(sent['content-type']).toMatch(/^application\/problem\+json/);
    expect(JSON.parse(text)).toMatchObject({ status: 429, code: 'rate_limited' });
  });
});

describe('the uses of a limited link', () => {
  const limited = async (usesLimit: number) => {
    const { shop } = await newShop();
    const link = await makeCheckoutLink(service, shop, { input: { usesLimit }, now: noon });
    return { shop, link, path: linkPath(link) };
  };

  test('come back when charges expire or are cancelled, and can be taken again', async () => {
    const { shop, link, path } = await limited(2);
    expect(await start(path, newNetwork(), 1)).toEqual([303]);
    expect(await start(path, newNetwork(), 1)).toEqual([303]);
    expect((await pageVisitor(site.app, newNetwork()).get(path)).status).toBe(410);
    await cancel(await newestCharge(shop));
    expect((await readLink(link)).uses).toBe(1);
    expect(await start(path, newNetwork(), 1)).toEqual([303]);
    clock.set(minutesAfter(noon, 31));
    await expireCharges(service, { now: clock.now() });
    expect((await readLink(link)).uses).toBe(0);
    expect((await pageVisitor(site.app, newNetwork()).get(path)).status).toBe(200);
    await expectSound(service);
  });

  test('stay with charges that are paid', async () => {
    const { shop, link, path } = await limited(1);
    await start(path, newNetwork(), 1);
    await payCharge(service, shop, await newestCharge(shop), { now: noon });
    expect(await readLink(link)).toMatchObject({ uses: 1 });
    expect((await pageVisitor(site.app, newNetwork()).get(path)).status).toBe(410);
  });

  test('exceed the limit only by money that arrives for a charge that had ended', async () => {
    const { shop, link, path } = await limited(1);
    await start(path, newNetwork(), 1);
    const late = await newestCharge(shop);
    clock.set(minutesAfter(noon, 31));
    await expireCharges(service, { now: clock.now() });
    await start(path, newNetwork(), 1);
    const paidInTime = { paidAt: minutesAfter(noon, 20), now: clock.now() };
    expect(await payCharge(service, shop, late, paidInTime)).toMatchObject({ status: 'matched' });
    expect(await service.prisma.charge.findUnique({ where: { id: late.id } })).toMatchObject({
      status: 'completed',
    });
    expect(await readLink(link)).toMatchObject({ uses: 2, usesLimit: 1 });
    await expectSound(service);
  });

  test('are never taken twice among concurrent starts, cancellations and expiries', async () => {
    const other = otherProcess(service as ServiceOnDatabase);
    service.settings.checkoutChargesMax = 0;
    try {
      for (let round = 0; round < count(5, 50); round++) {
        const { shop, link } = await limited(2);
        const { merchant } = shop;
        const startOne = (i: number, at = noon) => {
          const customer = { email: `use-${i}@example.com` };
          const visitor = { address: newNetwork() };
          const given = { merchant, link, method: 'fps', customer, visitor, now: at } as const;
          return doneOrCode(chargeCheckoutLink(i % 2 === 0 ? service : other, given));
        };
        const starts = await Promise.all(Array.from({ length: 8 }, (_, i) => startOne(i)));
        expect(starts.filter((end) => end === 'done')).toHaveLength(2);
        const [first] = await service.prisma.charge.findMany({ where: { checkoutLinkId: link.id } });
        clock.set(minutesAfter(noon, 31));
        await Promise.all([
          doneOrCode(cancel(first!)),
          expireCharges(other, { now: clock.now() }),
          ...Array.from({ length: 6 }, (_, i) => startOne(i, clock.now())),
        ]);
        const open = await service.prisma.charge.count({
          where: { checkoutLinkId: link.id, status: { in: ['pending', 'completed'] } },
        });
        expect(open).toBeLessThanOrEqual(2);
        expect((await readLink(link)).uses).toBe(open);
      }
    } finally {
      service.settings.checkoutChargesMax = cap;
    }
    await expectSound(service);
  });
});

describe('payment references', () => {
  const readMetric = async () => {
    const headers = { authorization: 'Bearer the token of the metrics' };
    const { body } = await site.app.inject({ url: '/metrics', headers });
    return /^causeway_receiving_accounts_low_on_references (.*)$/m.exec(body)?.[1];
  };

  test('half used raise one alert, a mail and a metric, until fewer are', async () => {
    const { shop } = await newShop();
    const alertsOf = () => service.prisma.alert.findMany({ where: { merchantId: shop.merchant.id } });
    const watch = async (now: Date) => {
      await foldChargeCounts(service);
      return watchReferences(service, { now, referencesMax: 8 });
    };
    const charges: Charge[] = [];
    const more = async () =>
      charges.push(
        await makeCharge(service, shop, { input: { email: `used-${charges.length}@example.com` } }),
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
      url: `${service.settings.publicUrl}/dashboard/receiving-accounts/${receivingAccountId}`,
      detail: '4 of 8 in the last 180 days',
    });
    expect(Number(await readMetric())).toBeGreaterThan(0);
    await mailAlerts(service, { now: noon });
    const mails = await service.prisma.message.findMany({
      where: { merchantId: shop.merchant.id, kind: 'references-low' },
    });
    expect(mails.map(({ recipient }) => recipient)).toEqual([shop.email]);
    await watch(new Date(noon.getTime() + 181 * dayMs));
    expect(await readMetric()).toBe('0');
    expect(await alertsOf()).toHaveLength(1);
  });
});
