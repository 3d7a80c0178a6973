import { beforeAll } from 'vitest';
import type { Charge } from '../../prisma/client/client.ts';
import type { NewMerchant } from '../../src/domain/accounts/merchant/create-merchant.ts';
import type { Service } from '../../src/domain/platform/service.ts';
import type { MethodCode } from '../../src/method/catalogue.ts';
import { type TestApp, testApp } from './app.ts';
import { type Customer, type TestBrowser, testBrowser } from './browser.ts';
import { makeMerchant } from './makers.ts';

/** A service that listens, a merchant, and a browser for its customers. */
type CheckoutSite = TestBrowser & {
  origin(): string;
  app(): TestApp['app'];
  service(): Service;
  merchant(): NewMerchant;
  newestCharge(): Promise<Charge>;
};

/** Sets them up for the test file. They are there once the first test runs. */
export function checkoutSite(): CheckoutSite {
  let origin = '';
  let site: TestApp;
  let merchant: NewMerchant;
  beforeAll(async () => {
    site = await testApp();
    origin = await site.app.listen({ port: 0, host: '127.0.0.1' });
    merchant = await makeMerchant(site.context.service);
  });
  const browser = testBrowser(() => origin);
  return {
    ...browser,
    origin: () => origin,
    app: () => site.app,
    service: () => site.context.service,
    merchant: () => merchant,
    newestCharge: () => site.context.service.prisma.charge.findFirstOrThrow({ orderBy: { id: 'desc' } }),
  };
}

/** On the open page: chooses the method, gives the e-mail, and goes on to the instructions. */
export async function choose(
  { page }: Pick<Customer, 'page'>,
  method: MethodCode,
  email = 'mei@example.com',
): Promise<void> {
  const way = page.locator(`input[value="${method}"]`);
  // The countries that are not the customer's own are folded.
  if (!(await way.isVisible())) await page.getByText('Other countries').click();
  await way.check();
  await page.getByLabel('Your email').fill(email);
  await page.getByRole('button', { name: 'Show payment details' }).click();
  await page.getByRole('timer').waitFor();
}

/** A value of the instructions, as the customer reads it. */
export function shownValue({ page }: Pick<Customer, 'page'>, name: string): Promise<string | null> {
  return page.locator(`[data-value="${name}"]`).textContent();
}
