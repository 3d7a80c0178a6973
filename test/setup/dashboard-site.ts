import type { BrowserContextOptions, Page } from 'playwright-core';
import type { Mode, UserRole } from '../../prisma/client/client.ts';
import { buildDashboard } from '../../src/dashboard-server/build-dashboard.ts';
import type { CreateMerchantInput, NewMerchant } from '../../src/domain/accounts/merchant/create-merchant.ts';
import type { Service } from '../../src/domain/platform/service.ts';
import { setupApp, type TestApp } from './app.ts';
import { browserTest, openCustomers, type TestBrowser } from './browser.ts';
import { type EmailAndPassword, signInByRequest } from './browser-sign-in.ts';
import type { OnCleanup } from './cleanup.ts';
import { createCounter } from './create-counter.ts';
import { seedMerchant } from './seed.ts';
import { seedUser } from './sign-in.ts';

/** A listening service with its dashboard, a browser, and a new merchant for each test. */
export type DashboardSite = TestBrowser & {
  readonly url: string;
  readonly app: TestApp['app'];
  readonly service: Service;
  readonly merchant: NewMerchant;
  /** An operator belongs to no merchant. */
  newUser(role: UserRole): Promise<EmailAndPassword>;
  /**
   * Opens a page of the dashboard in a new browser in which the user, by default the owner, has signed in. `mode` is
   * the mode that the browser has stored.
   */
  open(
    path: string,
    options?: BrowserContextOptions & { mode?: Mode },
    user?: EmailAndPassword,
  ): Promise<Page>;
};

type Dashboard = { testApp: TestApp; url: string };

/** Builds the dashboard and starts a service with it. `prepare` runs before the service listens. */
export async function startDashboard(
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

/** A `site` with a new merchant for each test. Tests may override `merchantInput`. */
export const dashboardTest = browserTest
  .extend('dashboard', { scope: 'file' }, ({ onFileCleanup }) => startDashboard(onFileCleanup))
  .extend('merchantInput', (): Partial<CreateMerchantInput> => ({}))
  .extend('site', async ({ dashboard, browser, merchantInput }, { onCleanup }): Promise<DashboardSite> => {
    const { testApp, url } = dashboard;
    const { service } = testApp.context;
    const { customer, close } = openCustomers(browser, () => listOrigins(dashboard));
    onCleanup(close);
    const merchant = await seedMerchant(service, merchantInput, new Date());
    const site = { customer, url, app: testApp.app, service, merchant };
    return { ...site, ...createActions(site) };
  });

const nextUserNumber = createCounter();

function createActions(
  site: Pick<DashboardSite, 'customer' | 'url' | 'service' | 'merchant'>,
): Pick<DashboardSite, 'newUser' | 'open'> {
  const { customer, url, service, merchant } = site;
  return {
    newUser(role) {
      const merchantId = role === 'operator' ? null : merchant.merchant.id;
      const user = { merchantId, email: `${role}${nextUserNumber()}@example.com`, role, now: new Date() };
      return seedUser(service, user);
    },
    async open(path, { mode, ...options } = {}, user = merchant) {
      const { page, context } = await customer(options);
      await signInByRequest(context, url, user);
      if (mode)
        await page.addInitScript((storedMode) => localStorage.setItem('causeway-mode', storedMode), mode);
      await page.goto(`${url}/dashboard${path}`);
      return page;
    },
  };
}
