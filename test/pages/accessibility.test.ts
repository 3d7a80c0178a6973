import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { createSubscriptionLink } from '../../src/domain/billing/subscription/create-subscription-link.ts';
import { enrolmentUrl, invoiceUrl, manageUrl } from '../../src/domain/billing/subscription/customer-pages.ts';
import { renewSubscriptions } from '../../src/domain/billing/subscription/renew-subscriptions.ts';
import { createRefund } from '../../src/domain/payments/refund/create-refund.ts';
import { refundDetailsUrl } from '../../src/domain/payments/refund/details-url.ts';
import { dayMs } from '../../src/kit/duration.ts';
import { findAccessibilityErrors, findOverflow } from '../setup/accessibility.ts';
import { seedSession, sessionPath } from '../setup/checkout.ts';
import { chooseMethod, setupCheckoutSite } from '../setup/checkout-site.ts';
import { isLongRun } from '../setup/counts.ts';
import { seedCharge } from '../setup/seed.ts';
import { readInvoices, seedActiveSubscription, seedPlan } from '../setup/subscriptions.ts';
import { payCharge } from '../setup/transfers.ts';

/** Every page that customers see, in each of its states, as people see it who see or point less well. */

const site = setupCheckoutSite();

/** Brings the page into a state. */
type Scene = (page: Page) => Promise<unknown>;

const open = async (page: Page, path: string) => page.goto(new URL(path, site.origin()).href);

/** An address the service made, which names the origin of its settings. */
const openMade = (page: Page, url: string) => open(page, new URL(url).pathname);

const session: Scene = async (page) => {
  const input = { redirectUrl: 'https://shop.example/thanks' };
  await open(page, sessionPath(await seedSession(site.service(), site.merchant(), { input })));
};

const paying: Scene = async (page) => {
  await session(page);
  await chooseMethod({ page }, 'fps');
};

const shown = (page: Page, title: string) => page.getByRole('heading', { level: 1, name: title }).waitFor();

/** What is wrong stands at the top and has the focus; each fault leads to its field. */
async function problemIsRead(page: Page): Promise<void> {
  const problem = page.getByRole('alert');
  await problem.waitFor();
  await expect.poll(() => problem.evaluate((one) => one === document.activeElement)).toBe(true);
  const links = await problem.getByRole('link').all();
  expect(links.length).toBeGreaterThan(0);
  for (const link of links) {
    const id = (await link.getAttribute('href'))?.slice(1) ?? '';
    expect(await page.locator(`[id="${id}"][aria-describedby*="${id}-fault"]`).count()).toBe(1);
  }
}

async function paidCharge() {
  const charge = await seedCharge(site.service(), site.merchant(), { now: new Date() });
  await payCharge(site.service(), site.merchant(), charge);
  return charge;
}

async function newRefund() {
  const { id: chargeId, merchantId } = await paidCharge();
  const input = { chargeId, customerAmount: 20 };
  const by = { merchantId, mode: 'live', actor: 'test', now: new Date() } as const;
  const { refund } = await createRefund(site.service(), { ...by, input });
  return refundDetailsUrl(site.service(), refund)!;
}

const plan = () => seedPlan(site.service(), site.merchant(), { now: new Date() });

/** All pages of each address; `of` what is wrong, for those that have no address of their own. */
const scenes: Record<string, Record<string, Scene>> = {
  '/checkout': {
    choose: session,
    'a mistyped e-mail': async (page) => {
      await session(page);
      await page.evaluate(() => document.querySelector('form')?.setAttribute('novalidate', ''));
      await page.getByRole('button', { name: 'Show payment details' }).click();
      await problemIsRead(page);
    },
    pay: paying,
    'paid in part': async (page) => {
      await paying(page);
      await payCharge(site.service(), site.merchant(), await site.newestCharge(), { minor: 5_000n });
      await page.getByRole('heading', { level: 1, name: 'Still to pay' }).waitFor();
      expect(await page.locator('#announce').textContent()).toMatch(/^Still to pay · Harbour Teas \$/);
    },
    paid: async (page) => {
      await paying(page);
      await payCharge(site.service(), site.merchant(), await site.newestCharge());
      await shown(page, 'Payment received');
    },
    expired: async (page) => {
      await paying(page);
      const { id } = await site.newestCharge();
      await site.service().prisma.charge.update({ where: { id }, data: { expiresAt: new Date() } });
      await page.reload();
      await shown(page, 'This payment has expired');
    },
    cancelled: async (page) => {
      await paying(page);
      await page.getByText('Cancel this payment').click();
      await page.getByRole('button', { name: 'Cancel payment' }).click();
      await shown(page, 'This payment was cancelled');
    },
    'open elsewhere': async (page) => {
      const { page: first } = await site.customer();
      await session(first);
      await first.locator('main:not([data-claims])').waitFor();
      await page.goto(first.url());
      await shown(page, 'This payment is open in another browser');
    },
    'nothing there': (page) => open(page, '/checkout?sessionId=ses_nothing'),
  },
  '/pay/refund/:token': {
    form: async (page) => openMade(page, await newRefund()),
    'wrong details': async (page) => {
      await openMade(page, await newRefund());
      for (const field of await page.getByRole('textbox').all()) await field.fill('x');
      await page.getByRole('button', { name: 'Submit details' }).click();
      await problemIsRead(page);
    },
  },
  '/pay/enrol/:token': {
    form: async (page) => {
      const { id: subscriptionPlanId } = await plan();
      const { merchant } = site.merchant();
      const terms = { merchant, mode: 'live', input: { subscriptionPlanId }, now: new Date() } as const;
      await openMade(page, enrolmentUrl(site.service(), await createSubscriptionLink(site.service(), terms)));
    },
  },
  '/pay/invoice/:token': {
    open: async (page) => {
      const now = new Date();
      const made = await seedActiveSubscription(site.service(), site.merchant(), { plan: await plan(), now });
      await renewSubscriptions(site.service(), { now: new Date(now.getTime() + 32 * dayMs) });
      const [invoice] = await readInvoices(site.service(), made.id);
      await openMade(page, invoiceUrl(site.service(), invoice!));
    },
  },
  '/pay/subscription/:token': {
    active: async (page) => {
      const options = { plan: await plan(), now: new Date() };
      const made = await seedActiveSubscription(site.service(), site.merchant(), options);
      await openMade(page, manageUrl(site.service(), made));
    },
  },
  '/pay/subscription/:token/reminders': {
    refused: (page) => open(page, '/pay/subscription/nothing/reminders'),
  },
};

/** What is answered under these addresses besides pages. */
const noPages = ['/checkout/', '/checkout/live', '/checkout/qr.png', '/pay/invoice/:token/pdf'];

test('every address of the pages is looked at', () => {
  const routes = site.app().printRoutes({ commonPrefix: false }).split('\n');
  const path: string[] = [];
  const found = routes.flatMap((line) => {
    const [, indent = '', part, methods = ''] = /^([│ ]*)[├└]── (\S+)(?: \((.*)\))?$/.exec(line) ?? [];
    if (part === undefined) return [];
    path.splice(indent.length / 4, path.length, part);
    return methods.includes('GET') ? [path.join('')] : [];
  });
  const pages = found.filter((one) => /^\/(?:checkout|pay)(?:\/|$)/.test(one) && !noPages.includes(one));
  expect(Object.keys(scenes).sort()).toEqual(pages.sort());
});

/** Light and dark in turn, since pages are made of the same parts; each in both where there is time. */
const all = Object.entries(scenes)
  .flatMap(([path, states]) =>
    Object.entries(states).map(([name, scene]) => ({ name: `${path}: ${name}`, scene })),
  )
  .map((one, i) => ({ ...one, scheme: i % 2 === 0 ? ('light' as const) : ('dark' as const) }));

test.each(all)('$name', async ({ scene, scheme }) => {
  const { page } = await site.customer({ hasTouch: true, colorScheme: scheme });
  await scene(page);
  const found = await findAccessibilityErrors(page);
  if (isLongRun) {
    // What else there is does not depend on colours.
    await page.emulateMedia({ colorScheme: scheme === 'light' ? 'dark' : 'light' });
    const rules = ['color-contrast', 'link-in-text-block'];
    found.push(...(await findAccessibilityErrors(page, { rules })).map((fault) => `not ${scheme}: ${fault}`));
  }
  // A window of 1280 pixels at a zoom of 400 %, and where there is time of 200 %; and letters of twice the size on a phone.
  for (const width of isLongRun ? [640, 320] : [320]) {
    await page.setViewportSize({ width, height: 640 });
    found.push(...(await findOverflow(page)));
  }
  await page.setViewportSize({ width: 360, height: 740 });
  await page.evaluate(() => {
    document.documentElement.style.fontSize = '200%';
  });
  found.push(...(await findOverflow(page)).map((fault) => `letters of twice the size: ${fault}`));
  expect(found).toEqual([]);
});

test('nothing moves for who wants no motion', async () => {
  const { page } = await site.customer();
  await paying(page);
  const moving = await page.evaluate(() => document.getAnimations().length);
  expect(moving).toBe(0);
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  expect(await page.evaluate(() => document.getAnimations().length)).toBeGreaterThan(0);
});

test('nothing moves while the instructions load, also for a reader in another time zone', async () => {
  const { page } = await site.customer({ timezoneId: 'America/New_York' });
  await page.addInitScript(() => {
    new PerformanceObserver((list) => {
      const shifts = list.getEntries() as (PerformanceEntry & { value: number })[];
      const { dataset } = document.documentElement;
      dataset.moved = String(Number(dataset.moved ?? 0) + shifts.reduce((sum, { value }) => sum + value, 0));
    }).observe({ type: 'layout-shift', buffered: true });
  });
  await paying(page);
  await page.reload();
  await page.locator('html[data-ready]').waitFor();
  await page.evaluate(() => new Promise((painted) => requestAnimationFrame(() => setTimeout(painted))));
  expect(Number((await page.locator('html').getAttribute('data-moved')) ?? 0)).toBeLessThan(0.01);
});
