import type { Page, Request } from 'playwright-core';

/** Drops the response to the next request of this mutation, after the service has executed it. */
export async function dropResponse(page: Page, operation: string): Promise<void> {
  let isDropped = false;
  await page.route('**/graphql', async (route) => {
    if (isDropped || !route.request().postData()?.includes(`mutation ${operation}(`)) return route.fallback();
    isDropped = true;
    await route.fetch();
    return route.abort();
  });
}

/**
 * Delays the next request of this mutation until `release` is called, which resolves when the page has the response.
 */
export async function holdResponse(page: Page, mutation: string): Promise<{ release: () => Promise<void> }> {
  const isHeldMutation = (request: Request) => request.postData()?.includes(`mutation ${mutation}(`) ?? false;
  const { promise, resolve } = Promise.withResolvers<void>();
  let heldRequest: Request | undefined;
  await page.route('**/graphql', async (route) => {
    if (heldRequest || !isHeldMutation(route.request())) return route.fallback();
    heldRequest = route.request();
    await promise;
    await route.continue();
  });
  const release = async () => {
    const finished = page.waitForEvent('requestfinished', (request) => request === heldRequest);
    resolve();
    await finished;
    await page.unroute('**/graphql');
  };
  return { release };
}
