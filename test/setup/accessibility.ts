import axe from 'axe-core';
import type { Page } from 'playwright-core';

/**
 * Returns one string for each error that axe finds on the current page by its default rules (WCAG 2.1 A and AA, and
 * best practices), or by `rules`. Results that need a human decision are omitted. `within` is the selector of the part
 * to check.
 */
export async function findAccessibilityErrors(
  page: Page,
  options: { rules?: string[]; within?: string } = {},
): Promise<string[]> {
  // Evaluated through the debugger, because the content security policy of the page blocks scripts.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe.source);
  const { violations } = await page.evaluate(async ({ rules, within }) => {
    const { axe: loaded } = globalThis as unknown as { axe: typeof axe };
    return loaded.run(within ?? document, {
      resultTypes: ['violations'],
      ...(rules && { runOnly: { type: 'rule', values: rules } }),
    });
  }, options);
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} (${help}) at ${target.join(' ')}: ${failureSummary}`),
  );
}

/**
 * Returns a function that checks a page for accessibility errors and for overflow at the width of a small phone. Its
 * calls alternate between light and dark.
 */
export function createPageChecker(): (page: Page) => Promise<string[]> {
  let checkCount = 0;
  return async (page) => {
    await page.waitForFunction(() => document.querySelector('[aria-busy=true]') === null);
    await page.emulateMedia({ colorScheme: checkCount++ % 2 === 0 ? 'light' : 'dark' });
    const viewport = page.viewportSize();
    await page.setViewportSize({ width: 320, height: 740 });
    // Another test checks the frame around the main part.
    const within = (await page.getByRole('dialog').count()) > 0 ? '[role=dialog]' : 'main';
    const errors = [...(await findAccessibilityErrors(page, { within })), ...(await findOverflow(page))];
    if (viewport) await page.setViewportSize(viewport);
    return errors;
  };
}

/**
 * Returns a line with the elements that are wider than the window, so that readers would have to scroll horizontally.
 */
export async function findOverflow(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const { clientWidth, scrollWidth } = document.documentElement;
    if (scrollWidth <= clientWidth) return [];
    const sticksOut = (element: Element) => element.getBoundingClientRect().right > clientWidth + 1;
    const innermost = [...document.body.querySelectorAll('*')].filter(
      (element) => sticksOut(element) && ![...element.children].some(sticksOut),
    );
    const names = innermost.map(({ outerHTML }) => outerHTML.slice(0, 160));
    return [`${scrollWidth} wide in ${clientWidth}: ${names.join(' ')}`];
  });
}
