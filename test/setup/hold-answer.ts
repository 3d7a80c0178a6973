import type { Page, Request } from 'playwright-core';

/**
 * Keeps back what the page asks next by this mutation, until it is let go; that ends when the page has the answer.
 */
export async function holdAnswer(page: Page, mutation: string): Promise<{ letGo: () => Promise<void> }> {
  const isMeant = (request: Request) => request.postData()?.includes(`mutation ${mutation}(`) ?? false;
  const { promise, resolve } = Promise.withResolvers<void>();
  let held: Request | undefined;
  await page.route('**/graphql', async (route) => {
    if (held || !isMeant(route.request())) return route.fallback();
    held = route.request();
    await promise;
    await route.continue();
  });
  const letGo = async () => {
    const answered = page.waitForEvent('requestfinished', (request) => request === held);
    resolve();
    await answered;
    await page.unroute('**/graphql');
  };
  return { letGo };
}
