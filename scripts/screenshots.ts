/**
 * Takes the screenshots for the documentation:
 *
 *   node scripts/screenshots.ts [FOLDER [PREFIX]]
 *
 * FOLDER is docs/images by default. PREFIX selects the screenshots with names that begin with it; `method` takes
 * the instructions of each payment method in the language of its country and in English, on a phone and a desktop.
 * Runs a temporary service with an embedded database.
 */
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { buildApp } from '../src/app.ts';
import { buildDashboard } from '../src/dashboard-server/build-dashboard.ts';
import { createMerchant } from '../src/domain/accounts/merchant/create-merchant.ts';
import { createRefund } from '../src/domain/payments/refund/create-refund.ts';
import { getRefundDetailsUrl } from '../src/domain/payments/refund/refund-details-page.ts';
import { createSession } from '../src/domain/payments/session/create-session.ts';
import type { Service } from '../src/domain/platform/service.ts';
import { startAnnouncer } from '../src/event/announcer.ts';
import { systemClock } from '../src/kit/clock.ts';
import { closeDb, openDb } from '../src/kit/db.ts';
import { startEmbeddedPostgres } from '../src/kit/embedded-postgres.ts';
import { migrate } from '../src/kit/migrate.ts';
import { newDataKey, openKeyring } from '../src/kit/secrets.ts';
import { createHub } from '../src/live/hub.ts';
import { listen } from '../src/live/listen.ts';
import { launchChromium } from '../test/setup/chromium.ts';
import {
  payCharge,
  type SceneContext,
  showCharge,
  showCharges,
  showHome,
  showRefund,
  showSessionForm,
} from './dashboard-scenes.ts';
import { methodScreenshots } from './method-scenes.ts';

const phone = { viewport: { width: 360, height: 740 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true };
const desktop = { viewport: { width: 1440, height: 900 } };

/** Brings a page into the state that a screenshot shows. */
type PageScene = (page: Page, context: SceneContext) => Promise<void>;

const showMethods: PageScene = async (page, context) => {
  await page.goto(await openNewSession(context));
  await page.getByRole('radio', { name: /FPS/ }).check();
};

const showInstructions: PageScene = async (page, context) => {
  await showMethods(page, context);
  await page.getByLabel('Your email').fill('mei@example.com');
  await page.getByRole('button', { name: 'Show payment details' }).click();
  await page.getByRole('timer').waitFor();
};

/** Returns a scene that shows the payment instructions in another language. */
function showInstructionsIn(lang: string, method: string): PageScene {
  return async (page, context) => {
    await page.goto(await openNewSession(context));
    await page.locator(`[value=${method}]`).check();
    await page.locator('[type=email]').fill(`${lang}@example.com`);
    await page.locator('form:has([type=email]) button').click();
    await page.getByRole('timer').waitFor();
  };
}

const showPaymentReceived: PageScene = async (page, context) => {
  await showInstructions(page, context);
  const charge = await context.service.prisma.charge.findFirstOrThrow({ orderBy: { id: 'desc' } });
  const paidInFull = { minor: charge.customerAmount, now: new Date() };
  await payCharge(context.service, context.merchant, charge, paidInFull);
  await page.getByRole('heading', { name: 'Payment received' }).waitFor();
};

const showRefundDetailsForm: PageScene = async (page, context) => {
  await showPaymentReceived(page, context);
  const { service } = context;
  const charge = await service.prisma.charge.findFirstOrThrow({ orderBy: { id: 'desc' } });
  const { refund } = await createRefund(service, {
    merchantId: charge.merchantId,
    mode: charge.mode,
    actor: 'key:script',
    input: { chargeId: charge.id, customerAmount: 50 },
    now: new Date(),
  });
  await page.goto(getRefundDetailsUrl(service, refund)!);
};

const screenshots: [name: string, scene: PageScene, options: object][] = [
  // The dashboard comes first, because the scenes of the checkout create newer charges.
  ['dashboard', showHome, desktop],
  ['dashboard-phone', showHome, { ...phone, colorScheme: 'dark' }],
  ['dashboard-charges', showCharges, desktop],
  ['dashboard-session', showSessionForm, desktop],
  ['dashboard-charge', showCharge, { ...desktop, colorScheme: 'dark' }],
  ['dashboard-refund', showRefund, desktop],
  ['checkout-choose-phone', showMethods, phone],
  ['checkout-choose-desktop', showMethods, desktop],
  ['checkout-phone', showInstructions, phone],
  ['checkout-phone-dark', showInstructions, { ...phone, colorScheme: 'dark' }],
  ['checkout-desktop', showInstructions, desktop],
  ['checkout-phone-zh', showInstructionsIn('zh', 'fps'), { ...phone, locale: 'zh-HK' }],
  ['checkout-phone-th', showInstructionsIn('th', 'prompt-pay'), { ...phone, locale: 'th-TH' }],
  ['checkout-paid-phone', showPaymentReceived, phone],
  ['refund-phone', showRefundDetailsForm, phone],
];

/** Screenshots of whole pages, for review and not for the documentation. */
const reviewScreenshots = methodScreenshots.flatMap(({ name, scene }): typeof screenshots => [
  [`${name}-phone`, scene, { ...phone, isWholePage: true }],
  [`${name}-desktop`, scene, { ...desktop, isWholePage: true }],
]);

/**
 * Returns a time zone where it is 2 p.m., so that the dashboard shows a day with data. In the names of these zones, `+`
 * means west of Greenwich.
 */
function getAfternoonZone(): string {
  const east = 14 - new Date().getUTCHours();
  return `Etc/GMT${east > 0 ? '-' : '+'}${Math.abs(east)}`;
}

async function openNewSession({ origin, service, merchant }: SceneContext): Promise<string> {
  const session = await createSession(service, {
    merchant: merchant.merchant,
    mode: 'live',
    actor: 'key:script',
    input: {
      amount: 86.4,
      currency: 'USD',
      orders: [
        { name: 'Dragon Well, first harvest', quantity: 2, amount: 24 },
        { name: 'Porcelain gaiwan', quantity: 1, amount: 38.4 },
      ],
      redirectUrl: 'https://shop.example/thanks',
    },
    now: new Date(),
  });
  return `${origin}/checkout?sessionId=${session.id}`;
}

const [, , folderArgument, namePrefix = ''] = process.argv;
const folder = folderArgument ?? join(import.meta.dirname, '../docs/images');
// The dashboard is built first, so that the first request does not wait for the build.
await buildDashboard();
const dataDir = await mkdtemp(join(tmpdir(), 'causeway-pictures-'));
const onError = (error: Error) => console.error(error);
const postgres = await startEmbeddedPostgres({ dataDir, settings: { fsync: 'off' } });
const { connectionString } = postgres;
await migrate(connectionString);
const announcer = startAnnouncer(connectionString, onError);
const service: Service = {
  ...openDb({ connectionString, poolSize: 5, onError }),
  announce: announcer.announce,
  secrets: await openKeyring(async () => ({ current: newDataKey(), others: [] })),
  settings: {
    publicUrl: 'http://127.0.0.1',
    allowPrivateTargets: true,
    exchangeRateFeeds: [],
    checkoutChargesMax: 500,
  },
};
const hub = createHub();
const listener = await listen(connectionString, hub, onError);
const app = await buildApp({ service, clock: systemClock, hub, options: { trustProxy: [] } });
const origin = await app.listen({ port: 0, host: '127.0.0.1' });
// Dashboard sessions are valid only at the service's own origin.
service.settings.publicUrl = origin;
const merchant = await createMerchant(service, {
  input: { name: 'Harbour Teas', hasDemoAccounts: true },
  now: new Date(),
});
const browser = await launchChromium();
try {
  await mkdir(folder, { recursive: true });
  const all = namePrefix.startsWith('method') ? reviewScreenshots : screenshots;
  for (const [name, scene, options] of all.filter(([picture]) => picture.startsWith(namePrefix))) {
    const context = await browser.newContext({ locale: 'en-HK', timezoneId: getAfternoonZone(), ...options });
    const page = await context.newPage();
    await scene(page, { origin, service, merchant });
    await page.screenshot({ path: join(folder, `${name}.png`), fullPage: 'isWholePage' in options });
    await context.close();
  }
} finally {
  await browser.close();
  await app.close();
  await announcer.stop();
  await listener.stop();
  await closeDb(service);
  await postgres.stop();
  await rm(dataDir, { recursive: true, force: true });
}
