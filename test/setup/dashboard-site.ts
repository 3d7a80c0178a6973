import type { BrowserContextOptions, Page } from 'playwright-core';
import { beforeAll, beforeEach } from 'vitest';
import { buildDashboard } from '../../src/dashboard-server/build-dashboard.ts';
import type { CreateMerchantInput, NewMerchant } from '../../src/domain/merchant/create-merchant.ts';
import type { Service } from '../../src/domain/service.ts';
import { type TestApp, testApp } from './app.ts';
import { type TestBrowser, testBrowser } from './browser.ts';
import { enterDashboard } from './enter-dashboard.ts';
import { makeMerchant } from './makers.ts';

/** A service that listens, with its dashboard, a browser, and a new merchant for each test. */
export type DashboardSite = TestBrowser & {
  readonly url: string;
  readonly app: TestApp['app'];
  readonly service: Service;
  readonly merchant: NewMerchant;
  /** A page of the dashboard, in a browser of its own in which the owner, or another user, has signed in. */
  open(
    path: string,
    options?: BrowserContextOptions,
    user?: { email: string; password: string },
  ): Promise<Page>;
};

/** Sets it up for the test file. It is there once the first test runs. */
export function dashboardSite(input: Partial<CreateMerchantInput> = {}): DashboardSite {
  let served: TestApp;
  let url = '';
  let merchant: NewMerchant;
  const { customer } = testBrowser(() => [url, served.context.service.settings.publicUrl]);

  beforeAll(async () => {
    await buildDashboard();
    served = await testApp();
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
    async open(path, options = {}, user = merchant) {
      const { page, context } = await customer(options);
      await enterDashboard(context, url, user);
      await page.goto(`${url}/dashboard${path}`);
      return page;
    },
  };
}
