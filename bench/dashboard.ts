/**
 * What the dashboard takes with 1,000,000 charges of one merchant, in Chromium: from the click to the frame in which
 * the other rows stand, or the charge that was clicked.
 *   npm run bench -- dashboard [--rows 1000000] [--times 10]
 */
import type { Page } from 'playwright-core';
import { createUser, hashPassword } from '../src/domain/accounts/user/create-user.ts';
import { transact } from '../src/event/unit-of-work.ts';
import { launchChromium } from '../test/setup/chromium.ts';
import { signInByForm } from '../test/setup/enter-dashboard.ts';
import { type BenchDatabase, openBenchDatabase } from './support/bench-database.ts';
import { startBenchService } from './support/bench-service.ts';
import { type Benchmark, readCount } from './support/benchmark.ts';
import { seedCharges } from './support/seed-charges.ts';
import { median, printTable } from './support/table.ts';

const email = 'owner@bench.example';
const password = 'tea leaves at dawn';

/** What stands there once a list is shown, and once a charge is. */
const rows = 'table[aria-label=Charges] tbody';
const title = 'main h1';

/** What is done, and what it took each time. */
type Taken = Map<string, number[]>;

export const benchmark: Benchmark = async (options) => {
  const size = readCount(options, 'rows', 1_000_000);
  const times = readCount(options, 'times', 10);
  await using database = await openBenchDatabase(`lists-${size}`);
  const { merchantId } = await seedCharges(database.service, size, { merchants: 1 });
  await makeOwner(database, merchantId);
  await using service = await startBenchService({ connectionString: database.connectionString, role: 'api' });
  await using browser = await launchChromium();
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await signIn(page, service.url);
  const taken: Taken = new Map();
  const far = `${service.url}/dashboard/charges?after=${await farCursor(database, merchantId)}`;
  for (let i = 0; i < times; i++) {
    await walk(page, taken, i);
    await walkFar(page, taken, far);
  }
  printTable(
    [...taken].map(([step, each]) => ({
      step,
      'best, ms': Math.min(...each),
      'p50, ms': median(each),
      'worst, ms': Math.max(...each),
    })),
  );
};

async function makeOwner({ service }: BenchDatabase, merchantId: string): Promise<void> {
  if (await service.prisma.merchantUser.findFirst({ where: { email } })) return;
  const passwordHash = await hashPassword(password);
  const user = { merchantId, email, role: 'owner', passwordHash, actor: 'bench', now: new Date() } as const;
  await transact(service, (uow) => createUser(uow, user));
}

async function signIn(page: Page, url: string): Promise<void> {
  // The seeded charges are of the sandbox.
  await page.addInitScript(() => sessionStorage.setItem('causeway-mode', 'sandbox'));
  await page.goto(`${url}/dashboard`);
  await signInByForm(page, { email, password });
  await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
}

/** The cursor behind nine tenths of the charges. */
async function farCursor({ service }: BenchDatabase, merchantId: string): Promise<string> {
  const { pool } = service;
  const { rows } = await pool.query<{ id: string }>(
    `SELECT id FROM charge WHERE merchant_id = $1 AND mode = 'sandbox' ORDER BY created_at DESC, id DESC
     OFFSET (SELECT count(*) * 9 / 10 FROM charge WHERE merchant_id = $1) LIMIT 1`,
    [merchantId],
  );
  return encodeURIComponent(Buffer.from(`GPC:S:${rows[0]!.id}`).toString('base64'));
}

/** As somebody looks for a charge: through the list, by its filters, by a search. */
async function walk(page: Page, taken: Taken, turn: number): Promise<void> {
  const button = (name: string) => () => page.getByRole('button', { name }).click();
  const choose = async (filter: string, value: string) => {
    await page.getByRole('combobox', { name: filter }).click();
    await time(page, taken, `filter: ${filter}`, () => page.getByRole('option', { name: value }).click());
  };
  const find = async (step: string, text: string) => {
    await page.getByRole('searchbox').fill(text);
    await time(page, taken, step, button('Search'));
  };
  await page.getByRole('link', { name: 'Home' }).click();
  await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
  await time(page, taken, 'open the list', () =>
    page.getByRole('link', { name: 'Charges', exact: true }).first().click(),
  );
  await time(page, taken, 'older', button('Next'));
  await time(page, taken, 'older again', button('Next'));
  await time(page, taken, 'newer', button('Previous'));
  // Another each time: what was read before is shown at once.
  const row = page.locator(`${rows} tr`).nth(turn);
  await time(page, taken, 'open one charge', () => row.getByRole('link').first().click(), title);
  await time(page, taken, 'back to the list', () => page.getByRole('link', { name: '‹ Charges' }).click());
  await choose('Status', 'Expired');
  await choose('Method', 'PayNow');
  await page.goto(page.url().split('?')[0]!);
  await find('search: an e-mail', `buyer${turn + 3}@shop.example`);
  await find('search: what nobody has', 'nobody@shop.example');
}

async function walkFar(page: Page, taken: Taken, far: string): Promise<void> {
  await page.goto(far);
  await page.locator(`${rows} tr`).first().waitFor();
  await time(page, taken, 'older, after nine tenths', () =>
    page.getByRole('button', { name: 'Next' }).click(),
  );
  await time(page, taken, 'newer, after nine tenths', () =>
    page.getByRole('button', { name: 'Previous' }).click(),
  );
}

/** From the click to the frame in which something else stands in `place`, by the page's own clock. */
async function time(
  page: Page,
  taken: Taken,
  step: string,
  act: () => Promise<void>,
  place = rows,
): Promise<void> {
  await page.evaluate(watch, place);
  await act();
  const handle = await page.waitForFunction(() => (globalThis as { showedAfter?: number }).showedAfter);
  const ms = Math.round(Number(await handle.jsonValue()));
  taken.set(step, [...(taken.get(step) ?? []), ms]);
}

/** Runs in the page: notes in `showedAfter` how long after the next click something else stands in `place`. */
function watch(place: string): void {
  const told = globalThis as { showedAfter?: number };
  delete told.showedAfter;
  const text = () => document.querySelector(place)?.textContent;
  const isEmpty = () => document.body.textContent?.includes('No charge matches');
  const before = text();
  let clicked: number | undefined;
  const note = () => {
    clicked ??= performance.now();
  };
  window.addEventListener('click', note, { capture: true, once: true });
  const look = () => {
    const now = text();
    if (clicked !== undefined && now !== before && (now || isEmpty()))
      told.showedAfter = performance.now() - clicked;
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}
