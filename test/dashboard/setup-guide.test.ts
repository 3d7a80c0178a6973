import { expect } from 'vitest';
import { desktop } from '../setup/browser.ts';
import { dashboardTest as test } from '../setup/dashboard-site.ts';
import { seedCharge } from '../setup/seed.ts';
import { payCharge } from '../setup/transfers.ts';

const emptyShopTest = test.extend('merchantInput', () => ({
  hasDemoAccounts: false,
  restrictedAccess: 'none' as const,
}));

emptyShopTest(
  'a new merchant starts in the sandbox, where sample data ticks the first step of the setup guide',
  async ({ site }) => {
    const page = await site.open('/', desktop);
    await page.getByText('No real money moves').waitFor();
    await page.getByText('0 of 13 done').waitFor();
    await page.getByRole('button', { name: 'Add sample data' }).click();
    await page.getByText('1 of 13 done').waitFor();
    await page.getByRole('link', { name: '1 transfer needs review' }).waitFor();
    await page.getByRole('link', { name: 'Add a receiving account' }).click();
    await page.getByRole('heading', { level: 1, name: 'New receiving account' }).waitFor();
    expect(await page.getByText('No real money moves').count()).toBe(0);
  },
);

emptyShopTest('an owner deletes the sample data, and can then add it again', async ({ site }) => {
  const page = await site.open('/', { ...desktop, mode: 'sandbox' });
  await page.getByRole('button', { name: 'Add sample data' }).click();
  await page.getByText('1 of 13 done').waitFor();
  await page.getByRole('button', { name: 'Delete sandbox data' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete all sandbox data?' });
  await dialog.getByText('This keeps all live data').waitFor();
  // Without the check, the browser does not submit the form.
  await dialog.getByRole('button', { name: 'Delete sandbox data' }).click();
  await dialog.getByRole('checkbox').check();
  await dialog.getByRole('button', { name: 'Delete sandbox data' }).click();
  await page.getByText('0 of 13 done').waitFor();
  await page.getByRole('button', { name: 'Add sample data' }).click();
  await page.getByText('1 of 13 done').waitFor();
});

test('the settings offer owners to delete the sandbox data, but only in the sandbox', async ({ site }) => {
  await seedCharge(site.service, site.merchant, { mode: 'sandbox', now: new Date() });
  const page = await site.open('/settings', { ...desktop, mode: 'live' });
  await page.getByRole('heading', { name: 'Business' }).waitFor();
  expect(await page.getByRole('heading', { name: 'Sandbox data' }).count()).toBe(0);
  await page.getByRole('radio', { name: 'Sandbox' }).locator('..').click();
  await page.getByRole('button', { name: 'Delete sandbox data' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('checkbox').check();
  await dialog.getByRole('button', { name: 'Delete sandbox data' }).click();
  await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
  await page.getByRole('button', { name: 'Add sample data' }).waitFor();
  const merchantId = site.merchant.merchant.id;
  expect(await site.service.prisma.charge.count({ where: { merchantId } })).toBe(0);
});

test('after the first live payment, the undone steps stay in a card until it is dismissed', async ({
  site,
}) => {
  const charge = await seedCharge(site.service, site.merchant, { now: new Date() });
  await payCharge(site.service, site.merchant, charge);
  const page = await site.open('/', { ...desktop, mode: 'live' });
  await page.getByText('9 setup steps left').waitFor();
  expect(await page.getByRole('link', { name: 'Set your website' }).count()).toBe(0);
  await page.getByRole('button', { name: 'Show steps' }).click();
  await page.getByRole('link', { name: 'Set your website' }).waitFor();
  expect(await page.getByRole('link', { name: 'Try a payment in the sandbox' }).count()).toBe(0);
  await page.getByRole('button', { name: 'Dismiss' }).click();
  await page.reload();
  await page.getByRole('link', { name: 'ada@example.com' }).waitFor();
  expect(await page.getByText('setup steps left').count()).toBe(0);
});

test('the step about notifications is done once a user is notified about payments or reviews', async ({
  site,
}) => {
  const page = await site.open('/', { ...desktop, mode: 'live' });
  await page.getByRole('link', { name: 'Choose what you’re notified about' }).click();
  const payments = page.getByRole('group', { name: 'Payments' });
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBeGreaterThan(0);
  await payments.getByRole('combobox', { name: 'Email' }).click();
  await page.getByRole('option', { name: 'Immediately' }).click();
  await page.getByRole('button', { name: 'Save notifications' }).click();
  await page.getByText('Notifications saved.').waitFor();
  await page.getByRole('link', { name: 'Home' }).click();
  const step = page.getByRole('listitem').filter({ hasText: 'Choose what you’re notified about' });
  await step.getByRole('img', { name: 'Done' }).waitFor();
});

test('the step about transfers opens a page that names every way to report them', async ({ site }) => {
  const page = await site.open('/', { ...desktop, mode: 'live' });
  await page.getByRole('link', { name: 'Choose how transfers are reported' }).click();
  const ways = page.getByRole('region', { name: 'Ways to report transfers' });
  await ways.waitFor();
  expect(await ways.getByRole('term').allTextContents()).toEqual([
    'Bank feed',
    'Files by SFTP',
    'Statement upload',
    'Your own system',
    'Manual entry',
  ]);
  expect(await ways.getByRole('link').count()).toBe(5);
});
