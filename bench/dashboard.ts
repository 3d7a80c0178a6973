/**
 * Measures the dashboard with 1,000,000 charges of one merchant in Chromium, from the click to the frame that shows
 * the new rows or the clicked charge.
 *   npm run bench -- dashboard [--rows 1000000] [--times 10]
 */
import type { Page } from 'playwright-core';
import { createUser, hashPassword } from '../src/domain/accounts/user/create-user.ts';
import { transact } from '../src/event/unit-of-work.ts';
import { signInByForm } from '../test/setup/browser-sign-in.ts';
import { launchChromium } from '../test/setup/chromium.ts';
import { type BenchDatabase, openBenchDatabase } from './support/bench-database.ts';
import { startBenchService } from './support/bench-service.ts';
import { type Benchmark, readCount } from './support/benchmark.ts';
import { seedCharges } from './support/seed-charges.ts';
import { median, printTable } from './support/table.ts';

const email = 'owner@bench.example';
const password = 'tea leaves at dawn';

/** The elements to watch on the list and on the page of a charge. */
const rowsSelector = 'table[aria-label=Charges] tbody';
const titleSelector = 'main h1';

/** Milliseconds of each round by step. */
type StepTimings = Map<string, number[]>;

export const benchmark: Benchmark = async (options) => {
  const size = readCount(options, 'rows', 1_000_000);
  const times = readCount(options, 'times', 10);
  await using database = await openBenchDatabase(`lists-${size}`);
  const { merchantId } = await seedCharges(database.service, size, { merchants: 1 });
  await createOwner(database, merchantId);
  await using service = await startBenchService({ connectionString: database.connectionString, role: 'api' });
  await using browser = await launchChromium();
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await signIn(page, service.url);
  const timings: StepTimings = new Map();
  const farUrl = `${service.url}/dashboard/charges?after=${await findFarCursor(database, merchantId)}`;
  for (let i = 0; i < times; i++) {
    await browseList(page, timings, i);
    await browseFarPage(page, timings, farUrl);
  }
  printTable(
    [...timings].map(([step, durations]) => ({
      step,
      'best, ms': Math.min(...durations),
      'p50, ms': median(durations),
      'worst, ms': Math.max(...durations),
    })),
  );
};

async function createOwner({ service }: BenchDatabase, merchantId: string): Promise<void> {
  if (await service.prisma.merchantUser.findFirst({ where: { email } })) return;
  const passwordHash = await hashPassword(password);
  const user = { merchantId, email, role: 'owner', passwordHash, actor: 'bench', now: new Date() } as const;
  await transact(service, (uow) => createUser(uow, user));
}

async function signIn(page: Page, url: string): Promise<void> {
  // The seeded charges are in the sandbox.
  await page.addInitScript(() => sessionStorage.setItem('causeway-mode', 'sandbox'));
  await page.goto(`${url}/dashboard`);
  await signInByForm(page, { email, password });
  await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
}

/** Returns the cursor after nine tenths of the charges. */
async function findFarCursor({ service }: BenchDatabase, merchantId: string): Promise<string> {
  const { pool } = service;
  const { rows } = await pool.query<{ id: string }>(
    `SELECT id FROM charge WHERE merchant_id = $1 AND mode = 'sandbox' ORDER BY created_at DESC, id DESC
     OFFSET (SELECT count(*) * 9 / 10 FROM charge WHERE merchant_id = $1) LIMIT 1`,
    [merchantId],
  );
  return encodeURIComponent(Buffer.from(`GPC:S:${rows[0]!.id}`).toString('base64'));
}

/** Browses the list like a user searching for a charge: pages, filters and searches. */
async function browseList(page: Page, timings: StepTimings, round: number): Promise<void> {
  const button = (name: string) => () => page.getByRole('button', { name }).click();
  const choose = async (filter: string, value: string) => {
    await page.getByRole('combobox', { name: filter }).click();
    await measureStep(page, timings, `filter: ${filter}`, () =>
      page.getByRole('option', { name: value }).click(),
    );
  };
  const search = async (step: string, text: string) => {
    await page.getByRole('searchbox').fill(text);
    await measureStep(page, timings, step, button('Search'));
  };
  await page.getByRole('link', { name: 'Home' }).click();
  await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
  await measureStep(page, timings, 'open the list', () =>
    page.getByRole('link', { name: 'Charges', exact: true }).first().click(),
  );
  await measureStep(page, timings, 'older', button('Next'));
  await measureStep(page, timings, 'older again', button('Next'));
  await measureStep(page, timings, 'newer', button('Previous'));
  // A different charge in each round, because cached ones are shown immediately.
  const row = page.locator(`${rowsSelector} tr`).nth(round);
  await measureStep(
    page,
    timings,
    'open one charge',
    () => row.getByRole('link').first().click(),
    titleSelector,
  );
  await measureStep(page, timings, 'back to the list', () =>
    page.getByRole('link', { name: '‹ Charges' }).click(),
  );
  await choose('Status', 'Expired');
  await choose('Method', 'PayNow');
  await page.goto(page.url().split('?')[0]!);
  await search('search: an e-mail', `buyer${round + 3}@shop.example`);
  await search('search: what nobody has', 'nobody@shop.example');
}

async function browseFarPage(page: Page, timings: StepTimings, farUrl: string): Promise<void> {
  await page.goto(farUrl);
  await page.locator(`${rowsSelector} tr`).first().waitFor();
  await measureStep(page, timings, 'older, after nine tenths', () =>
    page.getByRole('button', { name: 'Next' }).click(),
  );
  await measureStep(page, timings, 'newer, after nine tenths', () =>
    page.getByRole('button', { name: 'Previous' }).click(),
  );
}

/** Measures from the click to the frame in which the content of `selector` changes, by the page's own clock. */
async function measureStep(
  page: Page,
  timings: StepTimings,
  step: string,
  action: () => Promise<void>,
  selector = rowsSelector,
): Promise<void> {
  await page.evaluate(watchChange, selector);
  await action();
  const handle = await page.waitForFunction(() => (globalThis as { showedAfter?: number }).showedAfter);
  const ms = Math.round(Number(await handle.jsonValue()));
  timings.set(step, [...(timings.get(step) ?? []), ms]);
}

/**
 * Runs in the page: sets `showedAfter` to the milliseconds from the next click until the content of `selector`
 * changes.
 */
function watchChange(selector: string): void {
  const state = globalThis as { showedAfter?: number };
  delete state.showedAfter;
  const text = () => document.querySelector(selector)?.textContent;
  const isEmpty = () => document.body.textContent?.includes('No charge matches');
  const before = text();
  let clicked: number | undefined;
  const recordClick = () => {
    clicked ??= performance.now();
  };
  window.addEventListener('click', recordClick, { capture: true, once: true });
  const checkChange = () => {
    const now = text();
    if (clicked !== undefined && now !== before && (now || isEmpty()))
      state.showedAfter = performance.now() - clicked;
    else requestAnimationFrame(checkChange);
  };
  requestAnimationFrame(checkChange);
}
