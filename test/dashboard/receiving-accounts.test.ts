import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { getText, readEmv } from '../../src/method/emv.ts';
import { findOverflow } from '../setup/accessibility.ts';
import { desktop, readQr } from '../setup/browser.ts';
import { setupDashboardSite } from '../setup/dashboard-site.ts';

/** An owner's receiving accounts in a real browser. */

const site = setupDashboardSite({ demoAccounts: false });

const row = () =>
  site.service.prisma.receivingAccount.findFirstOrThrow({
    where: { merchantId: site.merchant.merchant.id, mode: 'live' },
    orderBy: { id: 'desc' },
  });
const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name });

/** The code on the page, read as a payment app would. */
const scan = async (page: Page, code: Locator) =>
  readQr({ context: page.context() }, await code.screenshot());

test('an account is added with the fields of its method, previewed, changed, retired and taken up again; on a phone too', async () => {
  const page = await site.open('/receiving-accounts', desktop);
  await page.getByText('No accounts yet').waitFor();
  const asked = page.waitForResponse((answer) =>
    /query PaymentMethods/.test(answer.request().postData() ?? ''),
  );
  await page.getByRole('link', { name: 'Charges', exact: true }).click();
  await (await asked).finished();
  await page.getByRole('link', { name: 'Receiving accounts' }).click();
  await page.getByRole('link', { name: 'New account' }).click();
  await heading(page, 'New receiving account').waitFor();

  await page.getByRole('combobox', { name: 'Payment method' }).click();
  await page.getByRole('option', { name: 'PromptPay · TH' }).click();
  await page.getByLabel('Biller id issued by the bank').waitFor();
  expect(await page.getByLabel('FPS identifier').count()).toBe(0);
  await page.getByRole('radio', { name: 'Paid by mobile number' }).check();
  await page.getByLabel('Thai mobile number').fill('12');
  await page.getByLabel('Holder').fill('Harbour Teas Co');
  await page.getByLabel('Maximum amount (THB)').fill('abc');
  await page.getByRole('button', { name: 'Add account' }).click();
  await page.getByText('Must be a decimal number, such as 12.50').waitFor();
  await page.getByLabel('Maximum amount (THB)').fill('5,000');
  await page.getByRole('button', { name: 'Add account' }).click();
  await page.getByText('Must be a mobile number of TH').waitFor();
  await page.getByLabel('Thai mobile number').fill('081 234 5678');
  await page.getByRole('button', { name: 'Add account' }).click();

  await heading(page, 'PromptPay +66812345678').waitFor();
  await page.getByText('Payments to this account carry no reference. Turn on unique amounts').waitFor();
  expect(await row()).toMatchObject({
    maxAmount: 500_000n,
    holder: 'Harbour Teas Co',
    maxAmountOffset: null,
  });
  await page.getByLabel('Amount (THB)').fill('5000.01');
  await page.keyboard.press('Enter');
  await page.getByText('accepts 0.01 to 5000.00 THB').waitFor();
  await page.getByLabel('Amount (THB)').fill('128.50');
  await page.keyboard.press('Enter');
  const code = page.getByRole('img', { name: /Sample QR code/ });
  await page.getByText('accepts 0.01').waitFor({ state: 'detached' });
  await code.waitFor();
  expect(getText(readEmv(await scan(page, code), ''), '54')).toBe('128.50');

  await page.getByRole('button', { name: 'Edit' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Minimum amount (THB)').fill('6000');
  await dialog.getByLabel('Unique amounts').fill('20');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByText('Leaves no allowed amount').waitFor();
  await dialog.getByLabel('Minimum amount (THB)').fill('20');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Up to 20 THB added').waitFor();
  expect(await row()).toMatchObject({ minAmount: 2_000n, maxAmountOffset: 20 });

  await page.getByRole('button', { name: 'Deactivate' }).click();
  await page.getByRole('dialog').getByText('still complete when they’re paid').waitFor();
  await page.getByRole('button', { name: 'Deactivate account' }).click();
  await page.getByRole('button', { name: 'Reactivate' }).waitFor();
  expect((await row()).status).toBe('retired');
  expect(await code.count()).toBe(0);
  await page.getByRole('button', { name: 'Reactivate' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Reactivate' }).click();
  await page.getByRole('button', { name: 'Edit' }).waitFor();
  expect((await row()).status).toBe('active');
  // The first account of all brings a method where there was none.
  await page.getByRole('link', { name: 'Charges', exact: true }).click();
  await page.getByRole('combobox', { name: 'Method' }).click();
  await page.getByRole('option', { name: 'PromptPay' }).waitFor();
  await page.goBack();
  await page.getByRole('button', { name: 'Edit' }).waitFor();

  await page.setViewportSize({ width: 360, height: 740 });
  await expect.poll(() => findOverflow(page)).toEqual([]);
  await page.getByRole('link', { name: '‹ Receiving accounts' }).click();
  const rows = page.getByRole('row');
  await rows.nth(1).waitFor();
  expect(await rows.count()).toBe(2);
  expect(await findOverflow(page)).toEqual([]);
  await page.getByText('Sandbox', { exact: true }).click();
  await page.getByText('pay to in sandbox mode').waitFor();
  await rows.nth(13).waitFor();
  expect(await findOverflow(page)).toEqual([]);
  await page.getByRole('link', { name: 'New account' }).click();
  await page.getByText('A test account for sandbox mode').waitFor();
  expect(await findOverflow(page)).toEqual([]);
});
