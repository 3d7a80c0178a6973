import type { Locator, Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { desktop } from '../setup/browser.ts';
import { dashboardTest as test } from '../setup/dashboard-site.ts';

const phone = { viewport: { width: 360, height: 640 } };

/** Whether the center of the element is what the user sees there, and not a header above it. */
const isUncovered = (element: Locator) =>
  element.evaluate((target) => {
    const { left, top, width, height } = target.getBoundingClientRect();
    const shown = document.elementFromPoint(left + width / 2, top + height / 2);
    return shown !== null && (target.contains(shown) || shown.contains(target));
  });

async function openLinkForm(page: Page): Promise<Locator> {
  await page.getByRole('button', { name: 'New link' }).click();
  const dialog = page.getByRole('dialog', { name: 'New checkout link' });
  await dialog.getByLabel('Amount', { exact: true }).waitFor();
  return dialog;
}

describe.each([
  ['a desktop', desktop],
  ['a phone', phone],
])('In a long dialog on %s', (_name, options) => {
  test('the first invalid field is shown below the header and has the focus', async ({ site }) => {
    const page = await site.open('/checkout-links', options);
    const dialog = await openLinkForm(page);
    const amount = dialog.getByLabel('Amount', { exact: true });
    await amount.fill('1.500');
    await dialog.getByRole('button', { name: 'Create link' }).click();
    await dialog.getByText(/did you mean/i).waitFor();
    await expect.poll(() => isUncovered(amount)).toBe(true);
    expect(await amount.evaluate((field) => field === document.activeElement)).toBe(true);
  });

  test('a rejection is shown, has the focus, and links to the remedy', async ({ site }) => {
    await site.service.prisma.receivingAccount.deleteMany({
      where: { merchantId: site.merchant.merchant.id },
    });
    const page = await site.open('/checkout-links', options);
    const dialog = await openLinkForm(page);
    await dialog.getByLabel('Amount', { exact: true }).fill('25');
    for (const attempt of [1, 2]) {
      await dialog.getByRole('button', { name: 'Create link' }).click();
      const alert = dialog.getByRole('alert');
      await expect.poll(() => alert.evaluate((box) => box === document.activeElement)).toBe(true);
      expect({ attempt, isUncovered: await isUncovered(alert) }).toEqual({ attempt, isUncovered: true });
    }
    await dialog.getByRole('link', { name: 'Add a receiving account' }).click();
    await page.getByRole('heading', { level: 1, name: 'New receiving account' }).waitFor();
  });
});
