import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Fastify from 'fastify';
import { expect } from 'vitest';
import { setSecurityHeaders } from '../../src/http/security-headers.ts';
import { mountGuides } from '../../src/pages/mount-guides.ts';
import { findAccessibilityErrors, findOverflow } from '../setup/accessibility.ts';
import { browserTest, desktop, openCustomers } from '../setup/browser.ts';

/** Builds the documentation site as `npm run docs:build` does, and walks it in Chromium. */

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = join(root, 'dist/guides');
const buildTimeoutMs = 300_000;

const test = browserTest
  .extend('origin', { scope: 'file' }, async ({ onFileCleanup }) => {
    // The test runner sets the base path of its own server, which the generator would use.
    const { BASE_URL: _base, MODE: _mode, DEV: _dev, PROD: _prod, SSR: _ssr, ...env } = process.env;
    const options = { cwd: root, env, encoding: 'utf8' } as const;
    const { status, stdout, stderr } = spawnSync('npm', ['run', 'docs:build'], options);
    if (status !== 0) throw new Error(`${stdout}\n${stderr}`);
    const app = Fastify();
    onFileCleanup(() => app.close());
    setSecurityHeaders(app, { settings: { publicUrl: 'http://127.0.0.1' } as never });
    await mountGuides(app, folder);
    return app.listen({ port: 0, host: '127.0.0.1' });
  })
  .extend('site', async ({ origin, browser }, { onCleanup }) => {
    const { customer, close } = openCustomers(browser, () => origin);
    onCleanup(close);
    return { customer, origin };
  });

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true };

test('every link and picture of every page has a target', { timeout: buildTimeoutMs }, async ({
  origin: _,
}) => {
  const pages = new Map(
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.html'))
      .map((name) => [toUrl(name), readFileSync(join(folder, name), 'utf8')]),
  );
  expect(pages.size).toBeGreaterThan(300);
  const ids = new Map([...pages].map(([url, html]) => [url, listIds(html)]));
  const broken = [...pages].flatMap(([url, html]) =>
    [...html.matchAll(/(?:href|src)="([^"]+)"/g)]
      .map(([, href = '']) => href.replaceAll('&amp;', '&'))
      .filter((href) => !/^(?:https?|mailto|data):/.test(href))
      .filter((href) => !hasTarget(new URL(href, `http://site${url}`), ids))
      .map((href) => `${url} -> ${href}`),
  );
  expect([...new Set(broken)]).toEqual([]);
});

test('a page is small enough for a phone on a slow network', async ({ site }) => {
  const { page, context } = await site.customer(phone);
  const session = await context.newCDPSession(page);
  await session.send('Network.enable');
  let bytes = 0;
  session.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  await page.goto(`${site.origin}/guides/quick-start/`, { waitUntil: 'networkidle' });
  const kilobytes = Math.round(bytes / 1024);
  expect(kilobytes).toBeLessThan(200);
});

test('a reader finds a page by search, and copies the sample of a language that stays chosen', async ({
  site,
}) => {
  const { page } = await site.customer(desktop);
  // Headless Chromium does not always call back when idle, so the search loads as in browsers without this function.
  await page.addInitScript(() => Object.assign(window, { requestIdleCallback: undefined }));
  await page.goto(`${site.origin}/guides/quick-start/`);
  const session = page.getByRole('tablist').nth(1);
  await session.getByRole('tab', { name: 'curl' }).focus();
  await page.keyboard.press('ArrowRight');
  await page.getByText('causeway.sessions.create').first().waitFor();
  await page.getByRole('tab', { name: 'GraphQL' }).first().click();
  await page.goto(`${site.origin}/guides/refunds/`);
  const selected = page.getByRole('tab', { name: 'GraphQL' }).first();
  expect(await selected.getAttribute('aria-selected')).toBe('true');

  await page.keyboard.press('Control+k');
  await page.getByRole('dialog').locator('input').fill('charge_not_pending');
  await page.getByRole('dialog').getByRole('link', { name: 'charge_not_pending' }).first().click();
  await page.waitForURL('**/guides/reference/errors/charge_not_pending/');
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('charge_not_pending');
});

test('pages are accessible in light and dark, and fit a phone', async ({ site }) => {
  const { page } = await site.customer({ viewport: { width: 320, height: 740 } });
  const paths = [
    '',
    'quick-start/',
    'dashboard/',
    'reference/errors/',
    'reference/graphql/mutations/createCharge/',
  ];
  const problems: string[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    for (const path of paths) {
      await page.goto(`${site.origin}/guides/${path}`);
      const errors = [...(await findAccessibilityErrors(page)), ...(await findOverflow(page))];
      problems.push(...errors.map((error) => `${colorScheme} ${path}: ${error}`));
    }
  }
  expect(problems).toEqual([]);
});

test('the menu of a phone opens the navigation', async ({ site }) => {
  const { page } = await site.customer(phone);
  await page.goto(`${site.origin}/guides/`);
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('link', { name: 'Refund a payment' }).first().click();
  await page.waitForURL('**/guides/refunds/');
  const missing = await page.goto(`${site.origin}/guides/none/`);
  expect(missing?.status()).toBe(404);
  expect(await page.getByRole('main').textContent()).toContain('404');
});

function toUrl(name: string): string {
  return `/guides/${name.replace(/(?:^|(?<=\/))index\.html$/, '')}`;
}

function listIds(html: string): Set<string> {
  return new Set([...html.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id!));
}

function hasTarget({ pathname, hash }: URL, ids: Map<string, Set<string>>): boolean {
  const page = ids.get(pathname);
  if (page) return hash === '' || page.has(decodeURIComponent(hash.slice(1)));
  const file = join(folder, decodeURIComponent(pathname.replace(/^\/guides\//, '')));
  return pathname.startsWith('/guides/') && statSync(file, { throwIfNoEntry: false })?.isFile() === true;
}
