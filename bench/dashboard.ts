/**
 * Measures, in Chromium, the time from a click or an input in the dashboard to the frame that shows the new rows, the
 * clicked charge or the new metrics, for a merchant with many charges.
 *
 *   npm run bench -- dashboard [--rows 1000000] [--rounds 10]
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

const rowsSelector = 'table[aria-label=Charges] tbody';
const homeMetricsSelector = 'table[aria-label="Payment methods"] tbody';
const searchResultsSelector = '[role=listbox][aria-label=Results]';
/** The title of the page changes when a charge is opened. */
const titleSelector = 'main h1';

/** The duration of a step in each round in milliseconds, by the name of the step. */
type StepTimings = Map<string, number[]>;

export const benchmark: Benchmark = async (options) => {
  const size = readCount(options, 'rows', 1_000_000);
  const rounds = readCount(options, 'rounds', 10);
  await using database = await openBenchDatabase(`lists-${size}`);
  const { merchantId } = await seedCharges(database.service, size, { merchants: 1 });
  await createOwner(database, merchantId);
  await using service = await startBenchService({ connectionString: database.connectionString, role: 'api' });
  await using browser = await launchChromium();
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await signIn(page, service.url);
  const timings: StepTimings = new Map();
  const lateUrl = `${service.url}/dashboard/charges?after=${await findLateCursor(database, merchantId)}`;
  const amount = await findAmount(database);
  for (let round = 0; round < rounds; round++) {
    await measureList(page, timings, round);
    await measureHome(page, timings);
    await measureSearchEverywhere(page, timings, { round, amount });
    await measureLatePages(page, timings, lateUrl);
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
  const user = {
    merchantId,
    email,
    role: 'owner',
    passwordHash,
    actor: 'job:bench',
    now: new Date(),
  } as const;
  await transact(service, (uow) => createUser(uow, user));
}

async function signIn(page: Page, url: string): Promise<void> {
  // The seeded charges are in the sandbox.
  await page.addInitScript(() => sessionStorage.setItem('causeway-mode', 'sandbox'));
  await page.goto(`${url}/dashboard`);
  await signInByForm(page, { email, password });
  await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
}

/** Returns the cursor of a charge at nine tenths of the list. */
async function findLateCursor({ service }: BenchDatabase, merchantId: string): Promise<string> {
  const { pool } = service;
  const { rows } = await pool.query<{ id: string }>(
    `SELECT id FROM charge WHERE merchant_id = $1 AND mode = 'sandbox' ORDER BY created_at DESC, id DESC
     OFFSET (SELECT count(*) * 9 / 10 FROM charge WHERE merchant_id = $1) LIMIT 1`,
    [merchantId],
  );
  return encodeURIComponent(Buffer.from(`GPC:S:${rows[0]!.id}`).toString('base64'));
}

async function measureHome(page: Page, timings: StepTimings): Promise<void> {
  const measurePeriod = (step: string, label: string) =>
    measureStep(
      page,
      timings,
      step,
      () => page.getByText(label, { exact: true }).click(),
      homeMetricsSelector,
    );
  // A reload empties the cache of the dashboard.
  await page.getByRole('link', { name: 'Home' }).click();
  await page.reload();
  await page.locator(homeMetricsSelector).waitFor();
  await measurePeriod('Home: 7 days', '7 days');
  await measurePeriod('Home: 90 days', '90 days');
}

/** Measures the search of all objects, which includes the delay after the last typed character. */
async function measureSearchEverywhere(
  page: Page,
  timings: StepTimings,
  { round, amount }: { round: number; amount: string },
): Promise<void> {
  const measureText = async (step: string, text: string) => {
    await page.keyboard.press('Control+K');
    const box = page.getByRole('combobox', { name: 'Search' });
    await box.waitFor();
    await measureStep(page, timings, step, () => box.fill(text), searchResultsSelector);
    await page.keyboard.press('Escape');
    await box.waitFor({ state: 'detached' });
  };
  await measureText('search everywhere: part of an email address', `buyer${round + 3}@sh`);
  await measureText('search everywhere: an order of all charges', 'oolong');
  await measureText('search everywhere: an amount', amount);
}

/** Returns the amount of a charge in baht. Each thirteenth seeded charge has it. */
async function findAmount({ service }: BenchDatabase): Promise<string> {
  const charge = await service.prisma.charge.findFirstOrThrow({ where: { customerCurrency: 'THB' } });
  return String(Number(charge.customerAmount) / 100);
}

/** Measures the steps in which a user finds a charge: open the list, turn pages, filter and search. */
async function measureList(page: Page, timings: StepTimings, round: number): Promise<void> {
  const button = (name: string) => () => page.getByRole('button', { name, exact: true }).click();
  const measureFilter = async (filter: string, value: string) => {
    await page.getByRole('combobox', { name: filter }).click();
    await measureStep(page, timings, `filter: ${filter}`, () =>
      page.getByRole('option', { name: value }).click(),
    );
  };
  const measureSearch = async (step: string, text: string) => {
    await page.getByRole('searchbox').fill(text);
    await measureStep(page, timings, step, button('Search'));
  };
  await page.getByRole('link', { name: 'Home' }).click();
  await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
  await measureStep(page, timings, 'open the list while Home loads', () =>
    page.getByRole('link', { name: 'Charges', exact: true }).first().click(),
  );
  await measureStep(page, timings, 'older', button('Next'));
  await measureStep(page, timings, 'older again', button('Next'));
  await measureStep(page, timings, 'newer', button('Previous'));
  // Opens a different charge in each round, because the dashboard shows a cached charge immediately.
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
  await measureFilter('Status', 'Expired');
  await measureFilter('Method', 'PayNow');
  await page.goto(page.url().split('?')[0]!);
  await measureSearch('search: an email address', `buyer${round + 3}@shop.example`);
  await measureSearch('search: without a match', 'nobody@shop.example');
}

async function measureLatePages(page: Page, timings: StepTimings, lateUrl: string): Promise<void> {
  await page.goto(lateUrl);
  await page.locator(`${rowsSelector} tr`).first().waitFor();
  await measureStep(page, timings, 'older, after nine tenths', () =>
    page.getByRole('button', { name: 'Next' }).click(),
  );
  await measureStep(page, timings, 'newer, after nine tenths', () =>
    page.getByRole('button', { name: 'Previous' }).click(),
  );
}

/** Records the time from the click or input by `action` to the frame in which the content of `selector` changes. */
async function measureStep(
  page: Page,
  timings: StepTimings,
  step: string,
  action: () => Promise<void>,
  selector = rowsSelector,
): Promise<void> {
  await page.evaluate(watchChange, selector);
  await action();
  const handle = await page.waitForFunction(
    () => (globalThis as { renderedAfterMs?: number }).renderedAfterMs,
  );
  const ms = Math.round(Number(await handle.jsonValue()));
  timings.set(step, [...(timings.get(step) ?? []), ms]);
}

/**
 * Runs in the page: sets `renderedAfterMs` to the milliseconds from the next click or input until the content of
 * `selector` changes.
 */
function watchChange(selector: string): void {
  const state = globalThis as { renderedAfterMs?: number };
  delete state.renderedAfterMs;
  const readText = () => document.querySelector(selector)?.textContent;
  const isListEmpty = () => document.body.textContent?.includes('No charges found');
  const oldText = readText();
  let startedAt: number | undefined;
  const recordStart = () => {
    startedAt ??= performance.now();
  };
  for (const type of ['click', 'input'])
    window.addEventListener(type, recordStart, { capture: true, once: true });
  const checkChange = () => {
    const newText = readText();
    if (startedAt !== undefined && newText !== oldText && (newText || isListEmpty()))
      state.renderedAfterMs = performance.now() - startedAt;
    else requestAnimationFrame(checkChange);
  };
  requestAnimationFrame(checkChange);
}
