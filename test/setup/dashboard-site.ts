import type { BrowserContextOptions, Page } from 'playwright-core';
import { beforeAll, beforeEach } from 'vitest';
import type { Mode, UserRole } from '../../prisma/client/client.ts';
import { buildDashboard } from '../../src/dashboard-server/build-dashboard.ts';
import type { CreateMerchantInput, NewMerchant } from '../../src/domain/accounts/merchant/create-merchant.ts';
import type { Service } from '../../src/domain/platform/service.ts';
import { type TestApp, testApp } from './app.ts';
import { type TestBrowser, testBrowser } from './browser.ts';
import { type Credentials, enterDashboard } from './enter-dashboard.ts';
import { makeMerchant } from './makers.ts';
import { makeUser } from './sign-in.ts';

/** A service that listens, with its dashboard, a browser, and a new merchant for each test. */
type DashboardSite = TestBrowser & {
  readonly url: string;
  readonly app: TestApp['app'];
  readonly service: Service;
  readonly merchant: NewMerchant;
  /** Another user of the merchant; an operator is nobody's. */
  newUser(role: UserRole): Promise<Credentials>;
  /**
   * A page of the dashboard, in a browser of its own in which the owner, or another user, has signed in; as they left it
   * in a mode, where one is given.
   */
  open(path: string, options?: BrowserContextOptions & { mode?: Mode }, user?: Credentials): Promise<Page>;
};

/** Sets it up for the test file. It is there once the first test runs. `prepare`: before it listens. */
export function dashboardSite(
  input: Partial<CreateMerchantInput> = {},
  { prepare }: { prepare?: (served: TestApp) => Promise<void> } = {},
): DashboardSite {
  let served: TestApp;
  let url = '';
  let merchant: NewMerchant;
  let users = 0;
  const { customer } = testBrowser(() => [url, served.context.service.settings.publicUrl]);

  beforeAll(async () => {
    await buildDashboard();
    served = await testApp();
    await prepare?.(served);
    url = await served.app.listen({ port: 0, host: '127.0.0.1' });
    served.context.service.settings.publicUrl = url;
  });
  beforeEach(async () => {
    merchant = await makeMerchant(served.context.service, input, new Date());
  });

  return {
    customer,
    get url() {
      return url;
    },
    get app() {
      return served.app;
    },
    get service() {
      return served.context.service;
    },
    get merchant() {
      return merchant;
    },
    newUser(role) {
      users += 1;
      const merchantId = role === 'operator' ? null : merchant.merchant.id;
      const user = { merchantId, email: `${role}${users}@example.com`, role, now: new Date() };
      return makeUser(served.context.service, user);
    },
    async open(path, { mode, ...options } = {}, user = merchant) {
      const { page, context } = await customer(options);
      await enterDashboard(context, url, user);
      if (mode) await page.addInitScript((kept) => localStorage.setItem('causeway-mode', kept), mode);
      await page.goto(`${url}/dashboard${path}`);
      return page;
    },
  };
}
