import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { buildDashboard } from '../../src/dashboard-server/build-dashboard.ts';
import { findAccessibilityErrors, findOverflow } from '../setup/accessibility.ts';
import { browserTest, desktop, openCustomers, type TestBrowser } from '../setup/browser.ts';
import { type EmailAndPassword, signInByForm, signInByRequest } from '../setup/browser-sign-in.ts';
import { isLongRun } from '../setup/counts.ts';
import { type DashboardSite, dashboardTest as test } from '../setup/dashboard-site.ts';
import { type GraphqlApp, setupGraphqlApp } from '../setup/graphql.ts';
import { seedWebhook } from '../setup/notifications.ts';
import { seedCharge } from '../setup/seed.ts';
import { seedOneOfEachType } from '../setup/seed-one-of-each-type.ts';
import { seedUser } from '../setup/sign-in.ts';
import { payCharge } from '../setup/transfers.ts';

type Ids = Awaited<ReturnType<typeof seedOneOfEachType>>;

type OpenCustomer = TestBrowser['customer'];

const narrow = { width: 320, height: 740 };

/** Every route, and the object that its page opens. Pages of operators are in operators.test.ts. */
const opened: Record<string, keyof Ids | undefined> = {
  '/': undefined,
  '/charges': undefined,
  '/charges/:id': 'charge',
  '/refunds': undefined,
  '/refunds/:id': 'refund',
  '/payouts': undefined,
  '/reconciliation': undefined,
  '/books': undefined,
  '/exports': undefined,
  '/transfers': undefined,
  '/transfers/:id': 'transfer',
  '/review': undefined,
  '/review/rules': undefined,
  '/statements': undefined,
  '/statements/new': undefined,
  '/statements/:id': 'statement',
  '/customers': undefined,
  '/customers/:id': 'customer',
  '/subscriptions': undefined,
  '/subscriptions/:id': 'subscription',
  '/plans': undefined,
  '/plans/:id': 'plan',
  '/invoices': undefined,
  '/invoices/:id': 'invoice',
  '/test-clock': undefined,
  '/checkout-links': undefined,
  '/counter': undefined,
  '/sessions': undefined,
  '/sessions/:id': 'session',
  '/receiving-accounts': undefined,
  '/receiving-accounts/new': undefined,
  '/receiving-accounts/:id': 'receivingAccount',
  '/bank-feeds': undefined,
  '/bank-feeds/:id': 'bankFeed',
  '/feed-deliveries/:id': 'feedDelivery',
  '/webhooks': undefined,
  '/notifications': undefined,
  '/notifications/:id': 'notification',
  '/certificates': undefined,
  '/api-keys': undefined,
  '/users': undefined,
  '/account': undefined,
  '/settings': undefined,
  '/access': undefined,
  '/audit': undefined,
  '/mailbox': undefined,
  '/mailbox/:id': 'message',
  '/help/*': undefined,
};

const pagesTest = browserTest
  .extend('served', { scope: 'file' }, async ({ onFileCleanup }) => {
    await buildDashboard();
    const app = await setupGraphqlApp(onFileCleanup);
    app.context.service.settings.publicUrl = app.url;
    return { app, ids: await seedOneOfEachType(app) };
  })
  .extend('app', ({ served }) => served.app)
  .extend('ids', ({ served }) => served.ids)
  .extend('customer', ({ app, browser }, { onCleanup }) => {
    const { customer, close } = openCustomers(browser, () => app.url);
    onCleanup(close);
    return customer;
  });

async function signIn(
  app: GraphqlApp,
  customer: OpenCustomer,
  user: EmailAndPassword = app.merchant,
): Promise<Page> {
  const { page, context } = await customer(desktop);
  await signInByRequest(context, app.url, user);
  await page.goto(`${app.url}/dashboard`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  return page;
}

function toPath(ids: Ids, pattern: string, noun: (typeof opened)[string]): string {
  if (noun === undefined) return pattern.replace('*', 'guides/README');
  const id = ids[noun];
  if (!id) throw new Error(`there is no ${noun}`);
  return pattern.replace(':id', id);
}

/** Navigates as a link of the dashboard does, and waits until the page is loaded. */
async function open(page: Page, path: string): Promise<void> {
  const address = `/dashboard${path}`.replace(/\/$/, '');
  if (new URL(page.url()).pathname === address) return;
  const headingChange = page.waitForFunction(
    (heading) => document.querySelector('h1') !== heading && document.querySelector('h1') !== null,
    await page.$('h1'),
  );
  await page.evaluate((to) => history.pushState(null, '', to), address);
  await headingChange;
  await page.waitForFunction(() => document.querySelector('[aria-busy=true]') === null);
}

/** The focused element and whether its focus is visible; runs in the page. Null if no element has the focus. */
function readFocusStop(): { name: string; isShown: boolean } | 'visited' | null {
  const element = document.activeElement as HTMLInputElement | null;
  if (!element || element === (document.body as HTMLElement)) return null;
  const last = document.querySelector<HTMLElement>('[data-stop="last"]');
  // A date field has a stop for each of its parts.
  if (element === last) return null;
  if ('stop' in element.dataset) return 'visited';
  if (last) last.dataset.stop = '';
  element.dataset.stop = 'last';
  // The label of a hidden radio button displays its focus.
  const labels = [...(element.labels ?? [])];
  const isShown = [element, ...labels].some((candidate) => {
    const { outlineStyle, outlineWidth } = getComputedStyle(candidate);
    return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2;
  });
  const name = element.ariaLabel || labels[0]?.textContent || element.textContent || element.tagName;
  return { name: name.trim(), isShown };
}

function isVisible(place: Locator): Promise<boolean> {
  return place.waitFor({ timeout: 15_000 }).then(
    () => true,
    () => false,
  );
}

const permissions = ['clipboard-read', 'clipboard-write'];

/** More than any page has. */
const stopsMax = 100;

async function tabTo(page: Page, name: string): Promise<void> {
  const visitedNames: string[] = [];
  for (let i = 0; i < stopsMax; i++) {
    await page.keyboard.press('Tab');
    const stop = await getFocusedName(page);
    if (stop === name) return;
    visitedNames.push(stop);
  }
  throw new Error(`no stop is ${name}: ${visitedNames.join(', ')}`);
}

async function press(page: Page, name: string, key = 'Enter'): Promise<void> {
  await tabTo(page, name);
  await page.keyboard.press(key);
}

function getFocusedName(page: Page): Promise<string> {
  return page.evaluate(() => {
    const element = document.activeElement as HTMLInputElement | null;
    if (element?.tagName === 'BODY') return '';
    const label = [...(element?.labels ?? [])][0]?.textContent;
    return (element?.ariaLabel || label || element?.textContent || element?.tagName || '').trim();
  });
}

/** Expects that a dialog opens with the title, takes the focus, closes by Escape, and returns the focus. */
async function expectDialog(page: Page, { opener, title }: { opener: string; title: string }): Promise<void> {
  await press(page, opener);
  const dialog = page.getByRole('dialog', { name: title });
  const expectFocusWithin = () =>
    expect.poll(() => dialog.evaluate((element) => element.contains(document.activeElement))).toBe(true);
  await expectFocusWithin();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await expect.poll(() => getFocusedName(page)).toBe(opener);
  await page.keyboard.press('Enter');
  await expectFocusWithin();
}

async function signInByKeyboard(site: DashboardSite, page: Page): Promise<void> {
  await page.addInitScript(() => sessionStorage.setItem('causeway-mode', 'sandbox'));
  await page.goto(`${site.url}/dashboard`);
  await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
  await tabTo(page, 'Email');
  await page.keyboard.type(site.merchant.email);
  await tabTo(page, 'Password');
  await page.keyboard.type(site.merchant.password);
  await page.keyboard.press('Enter');
  await page.getByText('No real money moves').waitFor();
}

/** Navigates as a link of the dashboard does; the title of the page then has the focus. */
async function openByKeyboard(page: Page, path: string, title: string): Promise<void> {
  await page.evaluate((to) => history.pushState(null, '', to), `/dashboard${path}`);
  await expect.poll(() => getFocusedName(page)).toBe(title);
}

pagesTest('every page of a merchant is tested', () => {
  const routes = readFileSync(join(import.meta.dirname, '../../src/dashboard/routes.tsx'), 'utf8');
  const addresses = [...routes.matchAll(/<Route path="([^"]+)"/g)].map((match) => match[1]);
  expect(Object.keys(opened).sort()).toEqual(addresses.sort());
});

pagesTest(
  'the sign-in page and the not-found page have no accessibility errors',
  async ({ app, customer }) => {
    const { page } = await customer({ ...desktop, colorScheme: 'dark' });
    await page.goto(`${app.url}/dashboard`);
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    expect(await findAccessibilityErrors(page)).toEqual([]);
    await signInByForm(page, app.merchant);
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
    await open(page, '/nothing');
    await page.getByRole('heading', { level: 1, name: 'Page not found' }).waitFor();
    expect(await findAccessibilityErrors(page)).toEqual([]);
  },
);

pagesTest(
  'every focus stop is visible, and nothing is animated with reduced motion',
  async ({ app, ids, customer }) => {
    const page = await signIn(app, customer);
    await open(page, '/charges');
    // From the title to the end of the page, and again from its beginning.
    const stops: { name: string; isShown: boolean }[] = [];
    while (stops.length < 80) {
      await page.keyboard.press('Tab');
      const stop = await page.evaluate(readFocusStop);
      if (stop === 'visited') break;
      if (stop) stops.push(stop);
    }
    const names = stops.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['Skip to content', 'Charges', 'Live', 'Search']));
    expect(stops.filter(({ isShown }) => !isShown)).toEqual([]);

    // In a narrow window the navigation is collapsed, and has no focus stops until its button is pressed.
    await page.setViewportSize({ width: 640, height: 450 });
    const navigationLink = page.getByRole('link', { name: 'Refunds', exact: true });
    await navigationLink.waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Navigation', expanded: false }).press('Enter');
    await navigationLink.press('Escape');
    await navigationLink.waitFor({ state: 'hidden' });
    expect(await page.evaluate(readFocusStop)).toMatchObject({ name: 'Navigation' });
    await page.setViewportSize(desktop.viewport);

    // The progress bar is animated without reduced motion only.
    await open(page, `/statements/${ids.statement}`);
    expect(await page.evaluate(() => document.getAnimations().length)).toBe(0);
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    expect(await page.evaluate(() => document.getAnimations().length)).toBeGreaterThan(0);
  },
);

pagesTest(
  'every page displays a skeleton while it loads, and an error when it fails to load',
  async ({ app, ids, customer }) => {
    const page = await signIn(app, customer);
    const silent: string[] = [];
    // Home is loaded at sign-in, live mode has no test clock, and guides are part of the bundle. The others load alike,
    // so that a few are enough here.
    const excluded = ['/', '/test-clock', '/help/*'];
    const others = Object.entries(opened).filter(([pattern]) => !excluded.includes(pattern));
    for (const [pattern, noun] of others.filter((_, i) => isLongRun || i % 10 === 0)) {
      const released = Promise.withResolvers<void>();
      await page.context().route('**/graphql', async (route) => {
        await released.promise;
        await route.abort();
      });
      const path = `/dashboard${toPath(ids, pattern, noun)}`;
      await page.evaluate((to) => history.pushState(null, '', to), path);
      const skeleton = page.getByRole('status', { name: 'Loading' }).first();
      if (!(await isVisible(skeleton))) silent.push(`${pattern} has no skeleton`);
      released.resolve();
      const failure = page.getByRole('alert').filter({ hasText: 'Can’t reach the server' }).first();
      if (!(await isVisible(failure.getByRole('button', { name: 'Try again' }))))
        silent.push(`${pattern} has no error`);
      await page.context().unroute('**/graphql');
    }
    expect(silent).toEqual([]);
  },
);

pagesTest(
  'every page of the menu can be opened by every role',
  async ({ app, customer }) => {
    const failures: string[] = [];
    const pageCounts: Record<string, number> = {};
    for (const role of ['read_only', 'support', 'developer', 'accountant', 'cashier'] as const) {
      const merchantId = app.merchant.merchant.id;
      const email = `menu-${role}@example.com`;
      const user = await seedUser(app.context.service, { merchantId, email, role, now: new Date() });
      const page = await signIn(app, customer, user);
      const menu = page.getByRole('navigation', { name: 'Main' });
      const developers = menu.getByRole('button', { name: 'Developers', expanded: false });
      if ((await developers.count()) > 0) await developers.click();
      const links = await menu
        .getByRole('link')
        .evaluateAll((all) => all.map((link) => link.getAttribute('href')!));
      for (const path of links.map((href) => href.replace('/dashboard', ''))) {
        await open(page, path);
        // `customer` reports errors that a page throws.
        const failure = page.getByRole('alert').filter({ hasText: /Couldn’t load|failed unexpectedly/ });
        if ((await failure.count()) > 0) failures.push(`${role}: ${path}`);
      }
      pageCounts[role] = links.length;
    }
    expect(failures).toEqual([]);
    expect(pageCounts).toEqual({ read_only: 27, support: 28, developer: 28, accountant: 27, cashier: 1 });
  },
  180_000,
);

pagesTest('a page that fails leaves the menu and the other pages usable', async ({ app, customer }) => {
  const page = await signIn(app, customer);
  await page.evaluate(() => {
    // Otherwise the browser would report the error, and the test would fail.
    window.addEventListener('error', (event) => event.preventDefault());
  });
  await page.route('**/graphql', async (route) => {
    if (!route.request().postData()?.includes('query Settings')) return route.fallback();
    const response = await route.fetch();
    const { data } = await response.json();
    await route.fulfill({ response, json: { data: { me: { ...data.me, paymentWindows: null } } } });
  });
  const menu = page.getByRole('navigation', { name: 'Main' });
  await menu.getByRole('link', { name: 'Settings' }).click();
  await page.getByRole('alert').getByText('This page failed unexpectedly').waitFor();
  await menu.getByRole('link', { name: 'Refunds', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Refunds' }).waitFor();
});

pagesTest('selected items differ from others with forced colors', async ({ app, customer }) => {
  const page = await signIn(app, customer);
  await page.emulateMedia({ forcedColors: 'active' });
  await open(page, '/api-keys');
  await page.getByRole('button', { name: 'New key' }).click();
  await page.getByRole('checkbox').first().waitFor();
  const looks = await page.evaluate(() => {
    const readStyle = (selector: string) => getComputedStyle(document.querySelector(selector) as Element);
    const label = '.mantine-SegmentedControl-label';
    return {
      mode: [`${label}[data-active]`, `${label}:not([data-active])`].map(
        (selector) => readStyle(selector).backgroundColor,
      ),
      navigation: ['[aria-current=page]', 'nav a:not([aria-current])'].map(
        (selector) => readStyle(selector).borderInlineStartWidth,
      ),
      tick: ['.mantine-Checkbox-icon', 'body'].map(
        (selector, i) => readStyle(selector)[i === 0 ? 'color' : 'backgroundColor'],
      ),
      dialog: readStyle('.mantine-Modal-content').borderTopWidth,
    };
  });
  for (const [chosen, other] of [looks.mode, looks.navigation, looks.tick]) expect(chosen).not.toBe(other);
  expect(looks.dialog).toBe('1px');
});

pagesTest(
  'pages have no accessibility errors, light or dark, and no overflow in a narrow window',
  async ({ app, ids, customer }) => {
    const page = await signIn(app, customer);
    const problems: string[] = [];
    const look = async (path: string, schemes: readonly ('light' | 'dark')[], within?: string) => {
      for (const colorScheme of schemes) {
        await page.emulateMedia({ colorScheme });
        const errors = await findAccessibilityErrors(page, within === undefined ? {} : { within });
        problems.push(...errors.map((problem) => `${path}, ${colorScheme}: ${problem}`));
      }
      // 1280 pixels at a zoom of 400 %, and 200 % in the long run.
      for (const width of isLongRun ? [640, narrow.width] : [narrow.width]) {
        await page.setViewportSize({ ...narrow, width });
        problems.push(...(await findOverflow(page)).map((problem) => `${path}, ${width} wide: ${problem}`));
      }
      // Otherwise the window stays narrow, because resizing renders each page twice.
      if (isLongRun) await page.setViewportSize(desktop.viewport);
    };
    await look('the frame', ['light', 'dark']);
    const titles = new Map<string, string>();
    // Pages have the same parts, so that every third is enough here.
    const pages = Object.entries(opened).filter((_, i) => isLongRun || i % 3 === 0);
    for (const [i, [pattern, noun]] of pages.entries()) {
      await open(page, toPath(ids, pattern, noun));
      const title = await page.title();
      if (titles.has(title)) problems.push(`${pattern} has the title of ${titles.get(title)}: ${title}`);
      titles.set(title, pattern);
      // Filled buttons are for the purpose of the page, not for its rows.
      const loud = page.locator('main :is(table, ul) .mantine-Button-root[data-variant=filled]');
      for (const name of await loud.allInnerTexts()) problems.push(`${pattern}: ${name} is filled in a list`);
      // Light and dark alternate; the long run tests both.
      await look(
        pattern,
        (['light', 'dark'] as const).slice(...(isLongRun ? [0] : [i % 2, (i % 2) + 1])),
        'main',
      );
    }
    expect(problems).toEqual([]);
  },
  180_000,
);

test('the title of the page does not take the focus after another element has had it', async ({ site }) => {
  const page = await site.open('/charges', desktop);
  await page.getByRole('heading', { level: 1, name: 'Charges' }).waitFor();
  const focusedTag = await page.evaluate(async () => {
    const addButton = () => document.body.appendChild(document.createElement('button'));
    const [removed, another] = [addButton(), addButton()];
    removed.focus();
    removed.remove();
    await new Promise(requestAnimationFrame);
    another.focus();
    another.blur();
    // Longer than the page waits before it moves a lost focus.
    await new Promise((resolve) => setTimeout(resolve, 500));
    return document.activeElement?.tagName;
  });
  expect(focusedTag).toBe('BODY');
});

test('charges, transfers, links, webhooks and keys are managed by keyboard', async ({ site }) => {
  const { service, merchant } = site;
  const now = new Date();
  const newCharge = (email: string) =>
    seedCharge(service, merchant, { mode: 'sandbox', input: { email }, now });
  const done = await newCharge('done@example.com');
  await newCharge('dropped@example.com');
  const assigned = await newCharge('assigned@example.com');
  await seedWebhook(service, merchant, { mode: 'sandbox' });
  await payCharge(service, merchant, done, { reference: 'tea', payerName: 'LAU KA YAN' });
  const { page } = await site.customer({ ...desktop, permissions });
  await signInByKeyboard(site, page);

  await openByKeyboard(page, `/charges/${done.id}`, 'HK$128.50');
  await expectDialog(page, { opener: 'Mark as paid', title: 'Mark this charge as paid?' });
  await press(page, 'Mark as paid');
  await page.getByText('Marked as paid without a transfer').waitFor();
  await expectDialog(page, { opener: 'Refund', title: 'Refund this charge' });
  expect(await findAccessibilityErrors(page)).toEqual([]);
  await page.keyboard.press('Control+A');
  await page.keyboard.type('28.50');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'Refund created' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('row', { name: 'HK$28.50 Awaiting details' }).waitFor();
  await expect.poll(() => getFocusedName(page)).toBe('Refund');

  await openByKeyboard(page, '/charges', 'Charges');
  await page.getByRole('link', { name: 'dropped@example.com' }).waitFor();
  await press(page, 'dropped@example.com');
  await expect.poll(() => getFocusedName(page)).toBe('HK$128.50');
  await expectDialog(page, { opener: 'Cancel charge', title: 'Cancel this charge?' });
  await press(page, 'Cancel charge');
  await page.getByRole('main').getByText('Cancelled', { exact: true }).first().waitFor();

  await openByKeyboard(page, '/transfers', 'Transfers');
  await page.getByRole('link', { name: 'LAU KA YAN' }).waitFor();
  await press(page, 'LAU KA YAN');
  await expect.poll(() => getFocusedName(page)).toBe('HK$128.50');
  await expectDialog(page, { opener: 'Assign', title: 'Assign to a charge' });
  await page.keyboard.type(assigned.id);
  await page.getByRole('option').waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('option').waitFor({ state: 'detached' });
  await page.keyboard.press('Enter');
  await page.getByText('HK$128.50 · Assigned').waitFor();

  await openByKeyboard(page, '/checkout-links', 'Checkout links');
  await expectDialog(page, { opener: 'New link', title: 'New checkout link' });
  await page.keyboard.type('12.50');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'The link is ready' }).waitFor();
  await expect.poll(() => getFocusedName(page)).toBe('Copy link');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain('/checkout?link=lnk_');
  await page.keyboard.press('Escape');
  await expect.poll(() => getFocusedName(page)).toBe('New link');

  await openByKeyboard(page, '/webhooks', 'Webhooks');
  await expectDialog(page, { opener: 'Send test…', title: 'Send a test notification?' });
  await press(page, 'Send test');
  await page.getByRole('status').getByText('1 test notification is on its way.').waitFor();

  await openByKeyboard(page, '/api-keys', 'API keys');
  await expectDialog(page, { opener: 'New key', title: 'New key' });
  await page.keyboard.type('Web shop');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'The key is ready' }).waitFor();
  await press(page, 'Copy secret');
  expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/^cs_test_/);
  await page.keyboard.press('Escape');
  await page.getByRole('row', { name: 'Web shop' }).waitFor();
}, 90_000);
