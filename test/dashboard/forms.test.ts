import type { Locator, Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { desktop } from '../setup/browser.ts';
import { dashboardTest as test } from '../setup/dashboard-site.ts';

const emptyShopTest = test.extend('merchantInput', () => ({ hasDemoAccounts: false }));

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

emptyShopTest(
  'a new merchant starts in the sandbox, where sample data ticks the first step of the setup guide',
  async ({ site }) => {
    const page = await site.open('/', desktop);
    await page.getByText('No real money moves').waitFor();
    await page.getByText('0 of 12 done').waitFor();
    await page.getByRole('button', { name: 'Add sample data' }).click();
    await page.getByText('1 of 12 done').waitFor();
    await page.getByRole('link', { name: '1 transfer needs review' }).waitFor();
    await page.getByRole('link', { name: 'Add a receiving account' }).click();
    await page.getByRole('heading', { level: 1, name: 'New receiving account' }).waitFor();
    expect(await page.getByText('No real money moves').count()).toBe(0);
  },
);

test('the help opens the guide to the page, whose links open other guides', async ({ site }) => {
  const page = await site.open('/refunds', desktop);
  await page.getByRole('button', { name: 'Help' }).click();
  await page.getByRole('menuitem', { name: 'Guide to this page' }).click();
  await page.getByRole('heading', { level: 1, name: 'Refund a payment' }).waitFor();
  await page.getByRole('link', { name: 'All guides' }).click();
  await page.getByRole('link', { name: 'Reconcile and export' }).click();
  await page.getByRole('heading', { level: 1, name: 'Reconcile and export' }).waitFor();
  expect(await page.getByRole('table').count()).toBeGreaterThan(0);
});

test('the navigation remembers which groups are folded, and opens the group of the page', async ({
  site,
}) => {
  const page = await site.open('/', desktop);
  const nav = page.getByRole('navigation', { name: 'Main' });
  const audit = nav.getByRole('link', { name: 'Audit log' });
  const { y, height } = (await audit.boundingBox())!;
  expect(y + height).toBeLessThan(900);
  expect(await nav.getByRole('link', { name: 'Webhooks' }).count()).toBe(0);
  await nav.getByRole('button', { name: 'Developers' }).click();
  await nav.getByRole('link', { name: 'Webhooks' }).waitFor();
  await nav.getByRole('button', { name: 'Subscriptions' }).click();
  await page.reload();
  await nav.getByRole('link', { name: 'Webhooks' }).waitFor();
  expect(await nav.getByRole('link', { name: 'Plans' }).count()).toBe(0);
  await page.goto(`${site.url}/dashboard/plans`);
  await nav.getByRole('link', { name: 'Plans' }).waitFor();
});
