import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { renewSubscriptions } from '../../src/domain/billing/collection/renew-subscriptions.ts';
import { getInvoiceUrl } from '../../src/domain/billing/invoice/invoice-url.ts';
import { createSubscriptionLink } from '../../src/domain/billing/subscription/create-subscription-link.ts';
import { getEnrolmentUrl, getManageUrl } from '../../src/domain/billing/subscription/customer-pages.ts';
import { createRefund } from '../../src/domain/payments/refund/create-refund.ts';
import { getRefundDetailsUrl } from '../../src/domain/payments/refund/refund-details-page.ts';
import { dayMs } from '../../src/kit/duration.ts';
import { languageCodes, languages } from '../../src/language/languages.ts';
import { findAccessibilityErrors, findOverflow } from '../setup/accessibility.ts';
import { chargePath, linkPath, seedCheckoutLink, seedSession, sessionPath } from '../setup/checkout.ts';
import { type CheckoutSite, chooseMethod, checkoutTest as test } from '../setup/checkout-site.ts';
import { isLongRun } from '../setup/counts.ts';
import { seedCharge } from '../setup/seed.ts';
import { readInvoices, seedActiveSubscription, seedPlan } from '../setup/subscriptions.ts';
import { payCharge } from '../setup/transfers.ts';

type Scene = (site: CheckoutSite, page: Page) => Promise<unknown>;

const open = async (site: CheckoutSite, page: Page, path: string) =>
  page.goto(new URL(path, site.origin).href);

/** Opens a URL of the service, whose origin is the one of its settings. */
const openUrl = (site: CheckoutSite, page: Page, url: string) => open(site, page, new URL(url).pathname);

const session: Scene = async (site, page) => {
  const input = { redirectUrl: 'https://shop.example/thanks' };
  await open(site, page, sessionPath(await seedSession(site.service, site.merchant, { input })));
};

const paying: Scene = async (site, page) => {
  await session(site, page);
  await chooseMethod({ page }, 'fps');
};

const waitForTitle = (page: Page, title: string) =>
  page.getByRole('heading', { level: 1, name: title }).waitFor();

/** Expects that the errors are at the top and focused, and that each links to its field. */
async function expectFocusedErrors(page: Page): Promise<void> {
  const problem = page.getByRole('alert');
  await problem.waitFor();
  await expect.poll(() => problem.evaluate((element) => element === document.activeElement)).toBe(true);
  const links = await problem.getByRole('link').all();
  expect(links.length).toBeGreaterThan(0);
  for (const link of links) {
    const id = (await link.getAttribute('href'))?.slice(1) ?? '';
    expect(await page.locator(`[id="${id}"][aria-describedby*="${id}-error"]`).count()).toBe(1);
  }
}

async function seedPaidCharge(site: CheckoutSite) {
  const charge = await seedCharge(site.service, site.merchant, { now: new Date() });
  await payCharge(site.service, site.merchant, charge);
  return charge;
}

async function createRefundPage(site: CheckoutSite) {
  const { id: chargeId, merchantId } = await seedPaidCharge(site);
  const input = { chargeId, customerAmount: 20 };
  const by = { merchantId, mode: 'live', actor: 'user:test', now: new Date() } as const;
  const { refund } = await createRefund(site.service, { ...by, input });
  return getRefundDetailsUrl(site.service, refund)!;
}

const plan = (site: CheckoutSite) => seedPlan(site.service, site.merchant, { now: new Date() });

const scenes: Record<string, Record<string, Scene>> = {
  '/checkout': {
    choose: session,
    'invalid email': async (site, page) => {
      await session(site, page);
      await page.evaluate(() => document.querySelector('form')?.setAttribute('novalidate', ''));
      await page.getByRole('button', { name: 'Show payment details' }).click();
      await expectFocusedErrors(page);
    },
    'invalid amount': async (site, page) => {
      const input = { amount: null, customAmount: { min: 10 } };
      await open(site, page, linkPath(await seedCheckoutLink(site.service, site.merchant, { input })));
      await page.getByRole('button', { name: 'Continue' }).click();
      await expectFocusedErrors(page);
    },
    pay: paying,
    'paid in part': async (site, page) => {
      await paying(site, page);
      await payCharge(site.service, site.merchant, await site.newestCharge(), { minor: 5_000n });
      await page.getByRole('heading', { level: 1, name: 'Still to pay' }).waitFor();
      expect(await page.locator('#announce').textContent()).toMatch(/^Still to pay · Harbour Teas HK\$/);
    },
    paid: async (site, page) => {
      await paying(site, page);
      await payCharge(site.service, site.merchant, await site.newestCharge());
      await waitForTitle(page, 'Payment received');
    },
    expired: async (site, page) => {
      await paying(site, page);
      const { id } = await site.newestCharge();
      await site.service.prisma.charge.update({ where: { id }, data: { expiresAt: new Date() } });
      await page.reload();
      await waitForTitle(page, 'This payment has expired');
    },
    cancelled: async (site, page) => {
      await paying(site, page);
      await page.getByText('Cancel this payment').click();
      await page.getByRole('button', { name: 'Cancel payment' }).click();
      await waitForTitle(page, 'This payment was cancelled');
    },
    'open in another browser': async (site, page) => {
      const { page: first } = await site.customer();
      await session(site, first);
      await first.locator('main:not([data-claims-session])').waitFor();
      await page.goto(first.url());
      await waitForTitle(page, 'This payment is open in another browser');
    },
    'not found': (site, page) => open(site, page, '/checkout?sessionId=ses_nothing'),
  },
  '/pay/refund/:token': {
    form: async (site, page) => openUrl(site, page, `${await createRefundPage(site)}?alias=0`),
    'form for an alias': async (site, page) => openUrl(site, page, await createRefundPage(site)),
    'wrong details': async (site, page) => {
      await openUrl(site, page, await createRefundPage(site));
      for (const field of await page.getByRole('textbox').all()) await field.fill('x');
      await page.getByRole('button', { name: 'Submit details' }).click();
      await expectFocusedErrors(page);
    },
  },
  '/pay/enrol/:token': {
    form: async (site, page) => {
      const { id: subscriptionPlanId } = await plan(site);
      const { merchant } = site.merchant;
      const terms = { merchant, mode: 'live', input: { subscriptionPlanId }, now: new Date() } as const;
      await openUrl(
        site,
        page,
        getEnrolmentUrl(site.service, await createSubscriptionLink(site.service, terms)),
      );
    },
  },
  '/pay/invoice/:token': {
    open: async (site, page) => {
      const now = new Date();
      const subscription = await seedActiveSubscription(site.service, site.merchant, {
        plan: await plan(site),
        now,
      });
      await renewSubscriptions(site.service, { now: new Date(now.getTime() + 32 * dayMs) });
      const [invoice] = await readInvoices(site.service, subscription.id);
      await openUrl(site, page, getInvoiceUrl(site.service, invoice!));
    },
  },
  '/pay/subscription/:token': {
    active: async (site, page) => {
      const options = { plan: await plan(site), now: new Date() };
      const subscription = await seedActiveSubscription(site.service, site.merchant, options);
      await openUrl(site, page, getManageUrl(site.service, subscription));
    },
  },
  '/pay/c/:token': {
    rejected: (site, page) => open(site, page, '/pay/c/nothing'),
  },
  '/pay/subscription/:token/reminders': {
    rejected: (site, page) => open(site, page, '/pay/subscription/nothing/reminders'),
  },
};

/** Routes that are not pages. */
const noPages = [
  '/checkout/',
  '/checkout/live',
  '/checkout/page-qr.png',
  '/checkout/qr.png',
  '/checkout/qr.svg',
  '/pay/invoice/:token/pdf',
  '/pay/poster/:token',
];

test('every page is tested', ({ site }) => {
  const routes = site.app.printRoutes({ commonPrefix: false }).split('\n');
  const path: string[] = [];
  const pageRoutes = routes.flatMap((line) => {
    const [, indent = '', part, methods = ''] = /^([│ ]*)[├└]── (\S+)(?: \((.*)\))?$/.exec(line) ?? [];
    if (part === undefined) return [];
    path.splice(indent.length / 4, path.length, part);
    return methods.includes('GET') ? [path.join('')] : [];
  });
  const pages = pageRoutes.filter(
    (path) => /^\/(?:checkout|pay)(?:\/|$)/.test(path) && !noPages.includes(path),
  );
  expect(Object.keys(scenes).sort()).toEqual(pages.sort());
});

/** Light and dark alternate, because pages have the same parts; the long run tests both. */
const all = Object.entries(scenes)
  .flatMap(([path, states]) =>
    Object.entries(states).map(([name, scene]) => ({ name: `${path}: ${name}`, scene })),
  )
  .map((scene, i) => ({ ...scene, scheme: i % 2 === 0 ? ('light' as const) : ('dark' as const) }));

test.for(all)('$name has no accessibility errors', async ({ scene, scheme }, { site }) => {
  const { page } = await site.customer({ hasTouch: true, colorScheme: scheme });
  await scene(site, page);
  const problems = await findAccessibilityErrors(page);
  if (isLongRun) {
    // Other rules do not depend on colors.
    await page.emulateMedia({ colorScheme: scheme === 'light' ? 'dark' : 'light' });
    const rules = ['color-contrast', 'link-in-text-block'];
    problems.push(
      ...(await findAccessibilityErrors(page, { rules })).map((problem) => `not ${scheme}: ${problem}`),
    );
  }
  // 1280 pixels at a zoom of 400 % (and 200 % in the long run), then a phone with text of twice the size.
  for (const width of isLongRun ? [640, 320] : [320]) {
    await page.setViewportSize({ width, height: 640 });
    problems.push(...(await findOverflow(page)));
  }
  await page.setViewportSize({ width: 360, height: 740 });
  await page.evaluate(() => {
    document.documentElement.style.fontSize = '200%';
  });
  problems.push(...(await findOverflow(page)).map((problem) => `text of twice the size: ${problem}`));
  expect(problems).toEqual([]);
});

test.for(languageCodes)(
  'the choice of a method and the instructions have no accessibility errors and fit a phone in %s',
  async (language, { site }) => {
    const { page } = await site.customer({ hasTouch: true });
    const { service, merchant } = site;
    const name =
      'The Long-Established Harbour Teas Trading Company of Hongkong-and-Kowloon (Holdings) Limited';
    await service.prisma.merchant.update({
      where: { id: merchant.merchant.id },
      data: { name, supportEmail: 'help@shop.example' },
    });
    const choice = sessionPath(await seedSession(service, merchant));
    const pay = chargePath(service, await seedCharge(service, merchant, { now: new Date() }));
    const problems: string[] = [];
    for (const path of [choice, pay]) {
      await open(site, page, `${path}&lang=${language}`);
      expect(await page.locator('html').getAttribute('lang')).toBe(language);
      problems.push(...(await findAccessibilityErrors(page)));
      await page.setViewportSize({ width: 320, height: 640 });
      problems.push(...(await findOverflow(page)));
      await page.setViewportSize({ width: 360, height: 740 });
      await page.evaluate(() => {
        document.documentElement.style.fontSize = '200%';
      });
      problems.push(...(await findOverflow(page)).map((problem) => `text of twice the size: ${problem}`));
    }
    expect(problems).toEqual([]);
  },
);

test('the browser of the tests has glyphs for the script of each language', async ({ site }) => {
  const { page } = await site.customer();
  await open(site, page, '/checkout');
  const missing = await page.evaluate(
    (texts) => {
      const context = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
      if (!context) throw new Error('There is no canvas');
      const draw = (text: string): string => {
        context.clearRect(0, 0, 32, 32);
        context.font = '20px sans-serif';
        context.fillText(text, 4, 24);
        return context.getImageData(0, 0, 32, 32).data.join();
      };
      const [noGlyph, blank] = [draw('\u{10FFFF}'), draw(' ')];
      return [...new Set(texts.join('').replace(/[\s\p{M}]/gu, ''))].filter((character) =>
        [noGlyph, blank].includes(draw(character)),
      );
    },
    Object.values(languages).flatMap(({ language, pay }) => [language.name, pay.referenceText.written]),
  );
  expect(missing).toEqual([]);
});

test('nothing is animated with reduced motion', async ({ site }) => {
  const { page } = await site.customer();
  await paying(site, page);
  const moving = await page.evaluate(() => document.getAnimations().length);
  expect(moving).toBe(0);
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  expect(await page.evaluate(() => document.getAnimations().length)).toBeGreaterThan(0);
});

test('the layout does not shift while the instructions load, also in another time zone', async ({ site }) => {
  const { page } = await site.customer({ timezoneId: 'America/New_York' });
  await page.addInitScript(() => {
    new PerformanceObserver((list) => {
      const shifts = list.getEntries() as (PerformanceEntry & { value: number })[];
      const { dataset } = document.documentElement;
      dataset.moved = String(Number(dataset.moved ?? 0) + shifts.reduce((sum, { value }) => sum + value, 0));
    }).observe({ type: 'layout-shift', buffered: true });
  });
  await paying(site, page);
  await page.reload();
  await page.locator('html[data-ready]').waitFor();
  await page.evaluate(() => new Promise((painted) => requestAnimationFrame(() => setTimeout(painted))));
  expect(Number((await page.locator('html').getAttribute('data-moved')) ?? 0)).toBeLessThan(0.01);
});
