/**
 * Takes the screenshots for the documentation:
 *
 *   node scripts/screenshots.ts [FOLDER [NAME]]
 *
 * The defaults are docs/images and all screenshots. Runs a temporary service with an embedded database.
 */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { buildApp } from '../src/app.ts';
import { buildDashboard } from '../src/dashboard-server/build-dashboard.ts';
import { createMerchant } from '../src/domain/accounts/merchant/create-merchant.ts';
import { createRefund } from '../src/domain/payments/refund/create-refund.ts';
import { refundDetailsUrl } from '../src/domain/payments/refund/details-url.ts';
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
  dashboardCharge,
  dashboardCharges,
  dashboardHome,
  dashboardRefund,
  dashboardSession,
  payCharge,
  type SceneContext,
} from './dashboard-scenes.ts';

const phone = { viewport: { width: 360, height: 740 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true };
const desktop = { viewport: { width: 1440, height: 900 } };

/** Brings a page into the state of the screenshot. */
type PageScene = (page: Page, context: SceneContext) => Promise<void>;

const choose: PageScene = async (page, context) => {
  await page.goto(await openNewSession(context));
  await page.getByRole('radio', { name: /FPS/ }).check();
};

const pay: PageScene = async (page, context) => {
  await choose(page, context);
  await page.getByLabel('Your email').fill('mei@example.com');
  await page.getByRole('button', { name: 'Show payment details' }).click();
  await page.getByRole('timer').waitFor();
};

/** The payment instructions in another language. */
function inLanguage(lang: string, method: string): PageScene {
  return async (page, context) => {
    await page.goto(await openNewSession(context));
    await page.locator(`[value=${method}]`).check();
    await page.locator('[type=email]').fill(`${lang}@example.com`);
    await page.locator('form:has([type=email]) button').click();
    await page.getByRole('timer').waitFor();
  };
}

const paid: PageScene = async (page, context) => {
  await pay(page, context);
  const charge = await context.service.prisma.charge.findFirstOrThrow({ orderBy: { id: 'desc' } });
  const paidInFull = { minor: charge.customerAmount, now: new Date() };
  await payCharge(context.service, context.merchant, charge, paidInFull);
  await page.getByRole('heading', { name: 'Payment received' }).waitFor();
};

const refundDetails: PageScene = async (page, context) => {
  await paid(page, context);
  const { service } = context;
  const charge = await service.prisma.charge.findFirstOrThrow({ orderBy: { id: 'desc' } });
  const { refund } = await createRefund(service, {
    merchantId: charge.merchantId,
    mode: charge.mode,
    actor: 'script',
    input: { chargeId: charge.id, customerAmount: 50 },
    now: new Date(),
  });
  await page.goto(refundDetailsUrl(service, refund)!);
};

const screenshots: [name: string, scene: PageScene, options: object, whole: boolean][] = [
  // First, while the charges of the day are the newest ones.
  ['dashboard', dashboardHome, desktop, false],
  ['dashboard-phone', dashboardHome, { ...phone, colorScheme: 'dark' }, false],
  ['dashboard-charges', dashboardCharges, desktop, false],
  ['dashboard-session', dashboardSession, desktop, false],
  ['dashboard-charge', dashboardCharge, { ...desktop, colorScheme: 'dark' }, false],
  ['dashboard-refund', dashboardRefund, desktop, false],
  ['checkout-choose-phone', choose, phone, false],
  ['checkout-choose-desktop', choose, desktop, false],
  ['checkout-phone', pay, phone, false],
  ['checkout-phone-dark', pay, { ...phone, colorScheme: 'dark' }, false],
  ['checkout-desktop', pay, desktop, false],
  ['checkout-phone-zh', inLanguage('zh', 'fps'), { ...phone, locale: 'zh-HK' }, false],
  ['checkout-phone-th', inLanguage('th', 'prompt-pay'), { ...phone, locale: 'th-TH' }, false],
  ['checkout-paid-phone', paid, phone, false],
  ['refund-phone', refundDetails, phone, false],
];

/**
 * Returns a time zone where it is 2 p.m., so that the page shows a day with data. In these names `+` means
 * west.
 */
function afternoonZone(): string {
  const east = 14 - new Date().getUTCHours();
  return `Etc/GMT${east > 0 ? '-' : '+'}${Math.abs(east)}`;
}

async function openNewSession({ origin, service, merchant }: SceneContext): Promise<string> {
  const session = await createSession(service, {
    merchant: merchant.merchant,
    mode: 'live',
    actor: 'script',
    input: {
      amount: 86.4,
      currency: 'USD',
      orders: [
        { name: 'Dragon Well, first harvest', quantity: 2, amount: 48 },
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
// Built first, so that the first request does not wait for it.
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
    allowPrivateWebhookUrls: true,
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
  input: { name: 'Harbour Teas', demoAccounts: true },
  now: new Date(),
});
// The fonts of the PDF documents, so that Chinese and Thai render on machines without such fonts.
const fonts = join(import.meta.dirname, '../src/document/fonts');
const fontConfig = join(dataDir, 'fonts.conf');
await writeFile(
  fontConfig,
  `<fontconfig><include ignore_missing="yes">/etc/fonts/fonts.conf</include><dir>${fonts}</dir></fontconfig>`,
);
const browser = await launchChromium({ FONTCONFIG_FILE: fontConfig });
try {
  await mkdir(folder, { recursive: true });
  for (const [name, scene, options, isFullPage] of screenshots.filter(([one]) =>
    one.startsWith(namePrefix),
  )) {
    const context = await browser.newContext({ locale: 'en-HK', timezoneId: afternoonZone(), ...options });
    const page = await context.newPage();
    await scene(page, { origin, service, merchant });
    await page.screenshot({ path: join(folder, `${name}.png`), fullPage: isFullPage });
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
