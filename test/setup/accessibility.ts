import axe from 'axe-core';
import type { Page } from 'playwright-core';

/**
 * What axe finds on the page as it stands, a line each: every rule of WCAG 2.2 A and AA and the good practices, or those
 * named. What it cannot decide is not counted. `within`: a selector, where the rest has been looked at before.
 */
export async function accessibilityFaults(
  page: Page,
  options: { rules?: string[]; within?: string } = {},
): Promise<string[]> {
  // By the debugger, which the page's content security policy does not hold up.
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

/** Looks at one page after the other, light and dark in turn: what axe finds, and what sticks out of a phone's window. */
export function lookInTurn(): (page: Page) => Promise<string[]> {
  let looks = 0;
  return async (page) => {
    await page.waitForFunction(() => document.querySelector('[aria-busy=true]') === null);
    await page.emulateMedia({ colorScheme: looks++ % 2 === 0 ? 'light' : 'dark' });
    const before = page.viewportSize();
    await page.setViewportSize({ width: 320, height: 740 });
    // The frame around them is looked at once, elsewhere.
    const within = (await page.getByRole('dialog').count()) > 0 ? '[role=dialog]' : 'main';
    const faults = [...(await accessibilityFaults(page, { within })), ...(await widerThanWindow(page))];
    if (before) await page.setViewportSize(before);
    return faults;
  };
}

/** What makes the page wider than its window: reading it would need scrolling both ways. */
export async function widerThanWindow(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const { clientWidth, scrollWidth } = document.documentElement;
    if (scrollWidth <= clientWidth) return [];
    const sticksOut = (element: Element) => element.getBoundingClientRect().right > clientWidth + 1;
    const inmost = [...document.body.querySelectorAll('*')].filter(
      (element) => sticksOut(element) && ![...element.children].some(sticksOut),
    );
    const names = inmost.map(({ outerHTML }) => outerHTML.slice(0, 160));
    return [`${scrollWidth} wide in ${clientWidth}: ${names.join(' ')}`];
  });
}
