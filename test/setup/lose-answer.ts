import type { Page } from 'playwright-core';

/** The next time that the page sends the operation it is carried out, and its answer does not arrive. */
export async function loseAnswer(page: Page, operation: string): Promise<void> {
  let isLost = false;
  await page.route('**/graphql', async (route) => {
    if (isLost || !route.request().postData()?.includes(`mutation ${operation}(`)) return route.fallback();
    isLost = true;
    await route.fetch();
    return route.abort();
  });
}
