import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { buildDashboard } from '../../src/dashboard-server/build-dashboard.ts';
import { findAccessibilityErrors, findOverflow } from '../setup/accessibility.ts';
import { desktop, setupBrowser } from '../setup/browser.ts';
import { signInByForm, signInByRequest } from '../setup/browser-sign-in.ts';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import { isLongRun } from '../setup/counts.ts';
import { type GraphqlApp, setupGraphqlApp } from '../setup/graphql.ts';
import { seedEveryType } from '../setup/seed-every-type.ts';

const onCleanup = cleanupAfterFile();

/**
 * Every page of a merchant's dashboard, with something on it, as people see it who see or point less well; operator.test.ts
 * looks so at those of operators.
 */

const narrow = { width: 320, height: 740 };

/** Every address of the router, and of what the page with an id is opened. A page that is not listed fails the test. */
const opened: Record<string, keyof Awaited<ReturnType<typeof seedEveryType>> | undefined> = {
  '/': undefined,
  '/charges': undefined,
  '/charges/:id': 'charge',
  '/refunds': undefined,
  '/refunds/:id': 'refund',
  '/payouts': undefined,
  '/reconciliation': undefined,
  '/exports': undefined,
  '/transfers': undefined,
  '/transfers/:id': 'transfer',
  '/statements': undefined,
  '/statements/new': undefined,
  '/statements/:id': 'statement',
  '/subscriptions': undefined,
  '/subscriptions/:id': 'subscription',
  '/plans': undefined,
  '/plans/:id': 'plan',
  '/invoices': undefined,
  '/invoices/:id': 'invoice',
  '/test-clock': undefined,
  '/checkout-links': undefined,
  '/sessions': undefined,
  '/sessions/:id': 'session',
  '/receiving-accounts': undefined,
  '/receiving-accounts/new': undefined,
  '/receiving-accounts/:id': 'receivingAccount',
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
};

let served: GraphqlApp;
let ids: Awaited<ReturnType<typeof seedEveryType>>;
const browser = setupBrowser(() => served.url);

beforeAll(async () => {
  await buildDashboard();
  served = await setupGraphqlApp(onCleanup);
  served.context.service.settings.publicUrl = served.url;
  ids = await seedEveryType(served);
});

async function signIn(): Promise<Page> {
  const { page, context } = await browser.customer(desktop);
  await signInByRequest(context, served.url, served.merchant);
  await page.goto(`${served.url}/dashboard`);
  await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
  return page;
}

/** Where the page stands, with the id of something that is there. */
function pathOf(pattern: string, noun: (typeof opened)[string]): string {
  if (noun === undefined) return pattern;
  const id = ids[noun];
  if (!id) throw new Error(`there is no ${noun} to look at`);
  return pattern.replace(':id', id);
}

/** Goes there as a link of the dashboard would, and waits until everything on the page is there. */
async function open(page: Page, path: string): Promise<void> {
  const address = `/dashboard${path}`.replace(/\/$/, '');
  if (new URL(page.url()).pathname === address) return;
  const shown = page.waitForFunction(
    (heading) => document.querySelector('h1') !== heading && document.querySelector('h1') !== null,
    await page.$('h1'),
  );
  await page.evaluate((to) => history.pushState(null, '', to), address);
  await shown;
  await page.waitForFunction(() => document.querySelector('[aria-busy=true]') === null);
}

test('every address of the router is looked at', () => {
  const routes = readFileSync(join(import.meta.dirname, '../../src/dashboard/routes.tsx'), 'utf8');
  const addresses = [...routes.matchAll(/<Route path="([^"]+)"/g)].map((match) => match[1]);
  expect(Object.keys(opened).sort()).toEqual(addresses.sort());
});

test('the sign-in page and an address without a page', async () => {
  const { page } = await browser.customer({ ...desktop, colorScheme: 'dark' });
  await page.goto(`${served.url}/dashboard`);
  await page.getByRole('button', { name: 'Sign in' }).waitFor();
  expect(await findAccessibilityErrors(page)).toEqual([]);
  await signInByForm(page, served.merchant);
  await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
  await open(page, '/nothing');
  await page.getByRole('heading', { level: 1, name: 'Page not found' }).waitFor();
  expect(await findAccessibilityErrors(page)).toEqual([]);
});

test('by keyboard alone every stop shows that it is one; for who wants no motion nothing moves', async () => {
  const page = await signIn();
  await open(page, '/charges');
  // From the title on, around by the end of the page to its beginning.
  const stops: { name: string; isShown: boolean }[] = [];
  while (stops.length < 80) {
    await page.keyboard.press('Tab');
    const stop = await page.evaluate(focusStop);
    if (stop === 'seen before') break;
    if (stop) stops.push(stop);
  }
  const names = stops.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(['Skip to content', 'Charges', 'Live', 'Search']));
  expect(stops.filter(({ isShown }) => !isShown)).toEqual([]);

  // In a narrow window the other pages are folded away, and nothing of them is a stop until their button is pressed.
  await page.setViewportSize({ width: 640, height: 450 });
  const place = page.getByRole('link', { name: 'Refunds', exact: true });
  await place.waitFor({ state: 'hidden' });
  await page.getByRole('button', { name: 'Navigation', expanded: false }).press('Enter');
  await place.press('Escape');
  await place.waitFor({ state: 'hidden' });
  expect(await page.evaluate(focusStop)).toMatchObject({ name: 'Navigation' });
  await page.setViewportSize(desktop.viewport);

  // A bar that runs stands still for who wants no motion.
  await open(page, `/statements/${ids.statement}`);
  expect(await page.evaluate(() => document.getAnimations().length)).toBe(0);
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  expect(await page.evaluate(() => document.getAnimations().length)).toBeGreaterThan(0);
});

/** What has the focus, and whether one sees it; runs in the page. Null when the browser's own parts have it. */
function focusStop(): { name: string; isShown: boolean } | 'seen before' | null {
  const element = document.activeElement as HTMLInputElement | null;
  if (!element || element === (document.body as HTMLElement)) return null;
  if ('stop' in element.dataset) return 'seen before';
  element.dataset.stop = '';
  // A hidden radio button shows on its label that it has the focus.
  const labels = [...(element.labels ?? [])];
  const isShown = [element, ...labels].some((one) => {
    const { outlineStyle, outlineWidth } = getComputedStyle(one);
    return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2;
  });
  const name = element.ariaLabel || labels[0]?.textContent || element.textContent || element.tagName;
  return { name: name.trim(), isShown };
}

test('every page has an outline while it loads, and says when it could not be loaded', async () => {
  const page = await signIn();
  const silent: string[] = [];
  // Home was read when one signed in, and live mode has no test clock to read. All pages load by the same parts: a few of
  // them, and each where there is time.
  const others = Object.entries(opened).filter(([pattern]) => pattern !== '/' && pattern !== '/test-clock');
  for (const [pattern, noun] of others.filter((_, i) => isLongRun || i % 10 === 0)) {
    const held = Promise.withResolvers<void>();
    await page.context().route('**/graphql', async (route) => {
      await held.promise;
      await route.abort();
    });
    const path = `/dashboard${pathOf(pattern, noun)}`;
    await page.evaluate((to) => history.pushState(null, '', to), path);
    const outline = page.getByRole('status', { name: 'Loading' }).first();
    if (!(await seen(outline))) silent.push(`${pattern} has no outline`);
    held.resolve();
    const failure = page.getByRole('alert').filter({ hasText: 'Can’t reach the server' }).first();
    if (!(await seen(failure.getByRole('button', { name: 'Try again' }))))
      silent.push(`${pattern} does not say it`);
    await page.context().unroute('**/graphql');
  }
  expect(silent).toEqual([]);
});

function seen(place: Locator): Promise<boolean> {
  return place.waitFor({ timeout: 15_000 }).then(
    () => true,
    () => false,
  );
}

test('what is chosen shows in the colours of who forces colours of their own', async () => {
  const page = await signIn();
  await page.emulateMedia({ forcedColors: 'active' });
  await open(page, '/api-keys');
  await page.getByRole('button', { name: 'New key' }).click();
  await page.getByRole('checkbox').first().waitFor();
  const looks = await page.evaluate(() => {
    const style = (selector: string) => getComputedStyle(document.querySelector(selector) as Element);
    const label = '.mantine-SegmentedControl-label';
    return {
      mode: [`${label}[data-active]`, `${label}:not([data-active])`].map((one) => style(one).backgroundColor),
      place: ['[aria-current=page]', 'nav a:not([aria-current])'].map(
        (one) => style(one).borderInlineStartWidth,
      ),
      tick: ['.mantine-Checkbox-icon', 'body'].map(
        (one, i) => style(one)[i === 0 ? 'color' : 'backgroundColor'],
      ),
      dialog: style('.mantine-Modal-content').borderTopWidth,
    };
  });
  for (const [chosen, other] of [looks.mode, looks.place, looks.tick]) expect(chosen).not.toBe(other);
  expect(looks.dialog).toBe('1px');
});

test('axe finds nothing, light or dark, and nothing sticks out of a narrow window', async () => {
  const page = await signIn();
  const found: string[] = [];
  const look = async (path: string, schemes: readonly ('light' | 'dark')[], within?: string) => {
    for (const colorScheme of schemes) {
      await page.emulateMedia({ colorScheme });
      const faults = await findAccessibilityErrors(page, within === undefined ? {} : { within });
      found.push(...faults.map((fault) => `${path}, ${colorScheme}: ${fault}`));
    }
    // What is left of a window of 1280 pixels at a zoom of 400 %, and where there is time of 200 %.
    for (const width of isLongRun ? [640, narrow.width] : [narrow.width]) {
      await page.setViewportSize({ ...narrow, width });
      found.push(...(await findOverflow(page)).map((fault) => `${path}, ${width} wide: ${fault}`));
    }
    // Else the window stays narrow after the frame was seen in a wide one: there and back draws each page twice.
    if (isLongRun) await page.setViewportSize(desktop.viewport);
  };
  await look('the frame', ['light', 'dark']);
  const titles = new Map<string, string>();
  // Pages are made of the same parts: where time is short, every third.
  const pages = Object.entries(opened).filter((_, i) => isLongRun || i % 3 === 0);
  for (const [i, [pattern, noun]] of pages.entries()) {
    await open(page, pathOf(pattern, noun));
    const title = await page.title();
    if (titles.has(title)) found.push(`${pattern} has the title of ${titles.get(title)}: ${title}`);
    titles.set(title, pattern);
    // What stands out is what the page is for, not what each of its lines offers.
    const loud = page.locator('main :is(table, ul) .mantine-Button-root[data-variant=filled]');
    for (const name of await loud.allInnerTexts()) found.push(`${pattern}: ${name} stands out in a list`);
    // In turn; each in both where there is time.
    await look(
      pattern,
      (['light', 'dark'] as const).slice(...(isLongRun ? [0] : [i % 2, (i % 2) + 1])),
      'main',
    );
  }
  expect(found).toEqual([]);
}, 180_000);
