import type { BrowserContextOptions, Page } from 'playwright-core';
import { beforeAll, beforeEach } from 'vitest';
import type { Mode, UserRole } from '../../prisma/client/client.ts';
import { buildDashboard } from '../../src/dashboard-server/build-dashboard.ts';
import type { CreateMerchantInput, NewMerchant } from '../../src/domain/accounts/merchant/create-merchant.ts';
import type { Service } from '../../src/domain/platform/service.ts';
import { setupApp, type TestApp } from './app.ts';
import { openCustomers, setupBrowser, type TestBrowser } from './browser.ts';
import { type Credentials, signInByRequest } from './browser-sign-in.ts';
import { launchChromium } from './chromium.ts';
import { cleanupAfterFile, type OnCleanup } from './cleanup.ts';
import { fileTest } from './fixtures.ts';
import { seedMerchant } from './seed.ts';
import { seedUser } from './sign-in.ts';

/** A listening service with its dashboard, a browser, and a new merchant for each test. */
export type DashboardSite = TestBrowser & {
  readonly url: string;
  readonly app: TestApp['app'];
  readonly service: Service;
  readonly merchant: NewMerchant;
  /** Creates another user of the merchant; an operator belongs to no merchant. */
  newUser(role: UserRole): Promise<Credentials>;
  /**
   * Opens a page of the dashboard in a new browser in which the user has signed in, by default the owner.
   * `mode` is the stored mode.
   */
  open(path: string, options?: BrowserContextOptions & { mode?: Mode }, user?: Credentials): Promise<Page>;
};

type Dashboard = { testApp: TestApp; url: string };

/** Builds the dashboard and starts a service with it. `prepare` runs before the service listens. */
async function startDashboard(
  onCleanup: OnCleanup,
  prepare?: (testApp: TestApp) => Promise<void>,
): Promise<Dashboard> {
  await buildDashboard();
  const testApp = await setupApp(onCleanup);
  await prepare?.(testApp);
  const url = await testApp.app.listen({ port: 0, host: '127.0.0.1' });
  testApp.context.service.settings.publicUrl = url;
  return { testApp, url };
}

const listOrigins = ({ testApp, url }: Dashboard) => [url, testApp.context.service.settings.publicUrl];

/** A `site` with a new merchant for each test. */
export const dashboardTest = fileTest
  .extend('dashboard', { scope: 'file' }, ({ onFileCleanup }) => startDashboard(onFileCleanup))
  .extend('browser', { scope: 'file' }, async ({ onFileCleanup }) => {
    const browser = await launchChromium();
    onFileCleanup(() => browser.close());
    return browser;
  })
  .extend('site', async ({ dashboard, browser }, { onCleanup }): Promise<DashboardSite> => {
    const { testApp, url } = dashboard;
    const { service } = testApp.context;
    const { customer, close } = openCustomers(browser, () => listOrigins(dashboard));
    onCleanup(close);
    const merchant = await seedMerchant(service, {}, new Date());
    const site = { customer, url, app: testApp.app, service, merchant };
    return { ...site, ...createActions(() => site) };
  });

/** Sets a site up for the test file; it exists once the first test runs. New tests use `dashboardTest`. */
export function setupDashboardSite(
  input: Partial<CreateMerchantInput> = {},
  { prepare }: { prepare?: (testApp: TestApp) => Promise<void> } = {},
): DashboardSite {
  const onCleanup = cleanupAfterFile();
  let dashboard: Dashboard;
  let merchant: NewMerchant;
  const { customer } = setupBrowser(() => listOrigins(dashboard));

  beforeAll(async () => {
    dashboard = await startDashboard(onCleanup, prepare);
  });
  beforeEach(async () => {
    merchant = await seedMerchant(dashboard.testApp.context.service, input, new Date());
  });

  const site = {
    customer,
    get url() {
      return dashboard.url;
    },
    get app() {
      return dashboard.testApp.app;
    },
    get service() {
      return dashboard.testApp.context.service;
    },
    get merchant() {
      return merchant;
    },
  };
  return Object.assign(
    site,
    createActions(() => site),
  );
}

let userCount = 0;

function createActions(
  getSite: () => Pick<DashboardSite, 'customer' | 'url' | 'service' | 'merchant'>,
): Pick<DashboardSite, 'newUser' | 'open'> {
  return {
    newUser(role) {
      userCount += 1;
      const { service, merchant } = getSite();
      const merchantId = role === 'operator' ? null : merchant.merchant.id;
      const user = { merchantId, email: `${role}${userCount}@example.com`, role, now: new Date() };
      return seedUser(service, user);
    },
    async open(path, { mode, ...options } = {}, user = getSite().merchant) {
      const { customer, url } = getSite();
      const { page, context } = await customer(options);
      await signInByRequest(context, url, user);
      if (mode)
        await page.addInitScript((storedMode) => localStorage.setItem('causeway-mode', storedMode), mode);
      await page.goto(`${url}/dashboard${path}`);
      return page;
    },
  };
}
