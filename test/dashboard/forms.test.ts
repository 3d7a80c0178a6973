import type { Locator, Page } from 'playwright-core';
import { extractText } from 'unpdf';
import { describe, expect } from 'vitest';
import { shareLink } from '../../src/domain/payments/checkout-link/share-link.ts';
import { findOverflow } from '../setup/accessibility.ts';
import { desktop } from '../setup/browser.ts';
import { dashboardTest as test } from '../setup/dashboard-site.ts';
import { seedReceivingAccount } from '../setup/receiving-accounts.ts';
import { seedUser } from '../setup/sign-in.ts';

const emptyShopTest = test.extend('merchantInput', () => ({
  hasDemoAccounts: false,
  restrictedAccess: 'none' as const,
}));

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
    await page.getByRole('button', { name: 'Discard' }).click();
    await page.getByRole('heading', { level: 1, name: 'New receiving account' }).waitFor();
  });
});

test('the error of a limit disappears when the limit is edited', async ({ site }) => {
  const page = await site.open('/checkout-links', desktop);
  const dialog = await openLinkForm(page);
  await dialog.getByRole('switch', { name: 'Customers choose the amount' }).check();
  await dialog.getByLabel('Minimum', { exact: true }).fill('1.500');
  await dialog.getByRole('button', { name: 'Create link' }).click();
  await dialog.getByText(/did you mean/i).waitFor();
  await dialog.getByLabel('Minimum', { exact: true }).fill('15');
  await dialog.getByText(/did you mean/i).waitFor({ state: 'detached' });
});

test('a role that was chosen and cancelled is not selected when the dialog opens again', async ({ site }) => {
  const user = { merchantId: site.merchant.merchant.id, email: 'mei@shop.example', role: 'support' } as const;
  await seedUser(site.service, { ...user, now: new Date() });
  const page = await site.open('/users', desktop);
  const dialog = page.getByRole('dialog');
  const row = page.getByRole('row', { name: user.email });
  await row.getByRole('button', { name: 'Change role' }).click();
  await dialog.getByRole('radio', { name: /^Owner/ }).check();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await dialog.waitFor({ state: 'detached' });
  await row.getByRole('button', { name: 'Change role' }).click();
  expect(await dialog.getByRole('radio', { name: /^Support/ }).isChecked()).toBe(true);
});

emptyShopTest(
  'without exchange rates, prices can have the currency of each account, and the methods of the others are named',
  async ({ site }) => {
    const { service, merchant } = site;
    await seedReceivingAccount(service, merchant);
    await seedReceivingAccount(service, merchant, { method: 'paynow', details: { uen: '209900000Z' } });
    const page = await site.open('/receiving-accounts', { ...desktop, mode: 'live' });
    const text =
      'PayNow can’t be used for prices in HKD, because there’s no exchange rate between HKD and SGD.';
    await page.getByText(text).waitFor();
    await page.getByRole('link', { name: 'exchange rates' }).first().click();
    await page.getByRole('heading', { level: 1, name: 'Set up exchange rates' }).waitFor();
    await page.getByRole('link', { name: 'Home' }).click();
    await page.getByText(text).waitFor();
    await page.getByRole('link', { name: 'Checkout links' }).click();
    const dialog = await openLinkForm(page);
    await dialog.getByText(text).waitFor();
    const currency = dialog.getByRole('combobox', { name: 'Currency' });
    expect(await currency.inputValue()).toBe('HKD');
    await currency.selectOption('SGD');
    await dialog.getByText(/^FPS can’t be used for prices in SGD/).waitFor();
    await dialog.getByLabel('Amount', { exact: true }).fill('20');
    await dialog.getByRole('button', { name: 'Create link' }).click();
    await page.getByRole('dialog', { name: 'The link is ready' }).waitFor();
    const [link] = await service.prisma.checkoutLink.findMany({
      where: { merchantId: merchant.merchant.id },
    });
    expect(link).toMatchObject({ currency: 'SGD', amount: 2000n });
    const { posterUrl } = shareLink(service, { link: link!, merchant: merchant.merchant, language: 'en' });
    const poster = await fetch(posterUrl);
    const { text: printed } = await extractText(new Uint8Array(await poster.arrayBuffer()), {
      mergePages: true,
    });
    expect(printed).toContain('PayNow');
    expect(printed).not.toContain('FPS');
  },
);

test('a brand color is typed without #, and stays with its error until it is corrected', async ({ site }) => {
  const page = await site.open('/settings', { ...desktop, mode: 'live' });
  const color = page.getByLabel('Brand color');
  await color.fill('pinkish');
  await page.getByText('Enter a color such as #0e6b5c').waitFor();
  await color.fill('pink');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText(/^Must be a color/).waitFor();
  expect(await color.inputValue()).toBe('pink');
  await color.fill('F7C6D0');
  expect(await page.getByText(/^Must be a color/).count()).toBe(0);
  await page.getByText('Your color is too pale for text').waitFor();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved', { exact: true }).waitFor();
  const { id } = site.merchant.merchant;
  const { brandColor } = await site.service.prisma.merchant.findUniqueOrThrow({ where: { id } });
  expect(brandColor.toLowerCase()).toBe('#f7c6d0');
});

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

test('an account becomes the same bank account as another one, and separate again', async ({ site }) => {
  const { service, merchant } = site;
  const owner = { merchantId: merchant.merchant.id, mode: 'live' as const };
  const findAccount = (method: string) =>
    service.prisma.receivingAccount.findFirstOrThrow({ where: { ...owner, method } });
  const [bank, fps] = [await findAccount('hk-bank-transfer'), await findAccount('fps')];
  const path = `/receiving-accounts/${fps.id}`;
  const page = await site.open(path, { ...phone, mode: 'live' });
  const choose = async () => {
    await page.getByRole('button', { name: 'Edit' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('combobox', { name: 'Same bank account as' }).click();
    await dialog.getByRole('option', { name: bank.account }).click();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
  };
  await choose();
  const link = page.getByRole('link', { name: bank.account });
  await link.waitFor();
  await page.goto(`${site.url}/dashboard/receiving-accounts`);
  await page.getByText(`Same bank account as FPS ${fps.account}`).waitFor();
  expect(await findOverflow(page)).toEqual([]);
  await page.goto(`${site.url}/dashboard${path}`);
  await choose();
  await link.waitFor({ state: 'detached' });
  const shared = { ...owner, sharedBankAccountId: { not: null } };
  expect(await service.prisma.receivingAccount.count({ where: shared })).toBe(0);
});

test('the audit log shows what one person changed', async ({ site }) => {
  const other = await site.newUser('owner');
  const account = await site.open('/account', desktop, other);
  await account.getByLabel('Name').fill('Ken Lee');
  await account.getByRole('button', { name: 'Save name' }).click();
  await account.getByRole('button', { name: 'Account of' }).click();
  await account.getByRole('menu').getByText('Ken Lee').waitFor();
  const page = await site.open('/audit', desktop);
  await page.getByRole('row', { name: 'Account created' }).waitFor();
  await page.getByRole('combobox', { name: 'Done by' }).click();
  await page.getByRole('option', { name: `Ken Lee · ${other.email}` }).click();
  await page.getByRole('row', { name: 'Account created' }).waitFor({ state: 'hidden' });
  await page.getByRole('row', { name: 'User changed' }).getByText('None → Ken Lee').waitFor();
});

test('the form for a receiving account is in the language of the dashboard', async ({ site }) => {
  const page = await site.open('/receiving-accounts/new', { ...desktop, locale: 'vi-VN' });
  await page.getByRole('combobox', { name: 'Phương thức thanh toán' }).click();
  await page.getByRole('option', { name: /^Viettel Money/ }).click();
  await page.getByRole('radio', { name: 'Tài khoản tại ngân hàng hoặc ví thuộc NAPAS' }).waitFor();
  const account = page.getByRole('textbox', { name: 'Số tài khoản' });
  await account.waitFor();
  await page.getByText('Tối đa 19 chữ cái và chữ số').waitFor();
});

test('a shop in Bangkok without a country gets the methods and the currency of Thailand first', async ({
  site,
}) => {
  const page = await site.open('/receiving-accounts/new', { ...desktop, timezoneId: 'Asia/Bangkok' });
  // A small shop has a mobile number, but no biller ID, so that form is first.
  await page.getByLabel('Thai mobile number registered for PromptPay').waitFor();
  await page.goto(`${site.url}/dashboard/checkout-links`);
  const dialog = await openLinkForm(page);
  await expect.poll(() => dialog.getByLabel('Currency').inputValue()).toBe('THB');
});

test('the calling code is that of the shop’s country, and the form for Malaysia names its only method', async ({
  site,
}) => {
  const { id } = site.merchant.merchant;
  await site.service.prisma.merchant.update({ where: { id }, data: { country: 'MY' } });
  const page = await site.open('/checkout-links', desktop);
  const dialog = await openLinkForm(page);
  await dialog.getByText('More options').click();
  await dialog.getByPlaceholder('+60', { exact: true }).waitFor();
  await page.goto(`${site.url}/dashboard/receiving-accounts/new`);
  await page.getByText('For Malaysia, DuitNow QR is the only method.').waitFor();
});
