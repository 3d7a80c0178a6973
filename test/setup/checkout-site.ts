import type { Charge } from '../../prisma/client/client.ts';
import type { NewMerchant } from '../../src/domain/accounts/merchant/create-merchant.ts';
import type { Service } from '../../src/domain/platform/service.ts';
import type { MethodCode } from '../../src/method/catalog.ts';
import { setupApp, type TestApp } from './app.ts';
import { browserTest, type Customer, openCustomers, type TestBrowser } from './browser.ts';
import { seedMerchant } from './seed.ts';

/** A listening service with a new merchant for each test, and a browser for customers. */
export type CheckoutSite = TestBrowser & {
  readonly origin: string;
  readonly testApp: TestApp;
  readonly app: TestApp['app'];
  readonly service: Service;
  readonly merchant: NewMerchant;
  newestCharge(): Promise<Charge>;
};

export const checkoutTest = browserTest
  .extend('server', { scope: 'file' }, async ({ onFileCleanup }) => {
    const testApp = await setupApp(onFileCleanup);
    return { testApp, origin: await testApp.app.listen({ port: 0, host: '127.0.0.1' }) };
  })
  .extend('site', async ({ server, browser }, { onCleanup }): Promise<CheckoutSite> => {
    const { testApp, origin } = server;
    const { service } = testApp.context;
    const { customer, close } = openCustomers(browser, () => origin);
    onCleanup(close);
    return {
      customer,
      origin,
      testApp,
      app: testApp.app,
      service,
      merchant: await seedMerchant(service),
      newestCharge: () => service.prisma.charge.findFirstOrThrow({ orderBy: { id: 'desc' } }),
    };
  });

/** Chooses the method on the current page, enters the email, and continues to the instructions. */
export async function chooseMethod(
  { page }: Pick<Customer, 'page'>,
  method: MethodCode,
  email = 'mei@example.com',
): Promise<void> {
  const option = page.locator(`input[value="${method}"]`);
  // Other countries are collapsed.
  if (!(await option.isVisible())) await page.getByText('Other countries').click();
  await option.check();
  await page.getByLabel('Your email').fill(email);
  await page.getByRole('button', { name: 'Show payment details' }).click();
  await page.getByRole('timer').waitFor();
}

export function readValue({ page }: Pick<Customer, 'page'>, name: string): Promise<string | null> {
  return page.locator(`[data-value="${name}"]`).textContent();
}
