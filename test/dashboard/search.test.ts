import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { findAccessibilityErrors, findOverflow } from '../setup/accessibility.ts';
import { desktop } from '../setup/browser.ts';
import { dashboardTest as test } from '../setup/dashboard-site.ts';
import { seedCharge } from '../setup/seed.ts';
import { payCharge } from '../setup/transfers.ts';

test('the search opens a charge with the keyboard only', async ({ site }) => {
  const { service, merchant } = site;
  const input = { email: 'mei.lin@example.com', orders: [{ id: '#4710', name: 'Egg tarts' }] };
  const charge = await seedCharge(service, merchant, { input, now: new Date() });
  await seedCharge(service, merchant, { input: { email: 'other@example.com' }, now: new Date() });
  const page = await site.open('/', desktop);
  await page.getByRole('button', { name: 'Search' }).waitFor();
  await page.keyboard.press('Control+K');
  await page.getByRole('combobox', { name: 'Search' }).waitFor();
  await page.keyboard.type('4710');
  const option = page.getByRole('option');
  await expect.poll(() => option.count()).toBe(1);
  await option.getByText('#4710 · Egg tarts').waitFor();
  await page.getByRole('combobox', { name: 'Search' }).fill('lin@exa');
  await page.getByRole('group', { name: 'Customers' }).waitFor();
  expect(await option.count()).toBe(2);
  expect(await findAccessibilityErrors(page)).toEqual([]);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await page.waitForURL(`**/charges/${charge.id}`);

  // Pages and settings are found by their titles, and receiving accounts also by the country of the method.
  await page.getByRole('heading', { level: 1, name: 'HK$128.50' }).waitFor();
  await page.keyboard.press('Control+K');
  await page.getByRole('combobox', { name: 'Search' }).fill('singapore account');
  await page.getByRole('option', { name: 'PayNow Receiving accounts' }).waitFor();
  await page.getByRole('combobox', { name: 'Search' }).fill('brand c');
  await page.getByRole('option', { name: 'Brand color Settings' }).waitFor();
  await page.getByRole('combobox', { name: 'Search' }).press('Enter');
  await page.waitForURL('**/dashboard/settings');
});

test('the list of charges shows orders, and is searched by order, item and customer', async ({ site }) => {
  const { service, merchant } = site;
  const orders = [{ id: '4720', name: 'Egg tarts' }];
  await seedCharge(service, merchant, { input: { email: 'mei@example.com', orders }, now: new Date() });
  await seedCharge(service, merchant, { input: { email: 'other@example.com' }, now: new Date() });
  const page = await site.open('/charges', desktop);
  const found = page.getByRole('row', { name: 'mei@example.com 4720 · Egg tarts' });
  const other = page.getByRole('row', { name: 'other@example.com' });
  await other.waitFor();
  for (const text of ['#4720', 'egg tart']) {
    await page.getByRole('searchbox', { name: 'Order or reference' }).fill(text);
    await page.keyboard.press('Enter');
    await other.waitFor({ state: 'hidden' });
    await found.waitFor();
    // The field keeps the focus after a search.
    await page.keyboard.press('Control+A');
    await page.keyboard.press('Delete');
    await page.keyboard.press('Enter');
    await other.waitFor();
  }
  // Enter chooses the first customer, even if it is pressed before the list is there.
  await page.getByRole('textbox', { name: 'Customer' }).fill('other@');
  await page.keyboard.press('Enter');
  await found.waitFor({ state: 'hidden' });
  await other.waitFor();
});

test('the search reports that nothing was found, on a phone', async ({ site }) => {
  const page = await site.open('/', { viewport: { width: 320, height: 640 } });
  await page.getByRole('button', { name: 'Search' }).click();
  await page.getByRole('combobox', { name: 'Search' }).fill('nothing of the sort');
  await page.getByText('Nothing found for “nothing of the sort”').waitFor();
  expect(await findOverflow(page)).toEqual([]);
});

test('the search finds no page that the role or the mode of the user cannot open', async ({ site }) => {
  const find = async (page: Page, text: string) => {
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Search' }).fill(text);
  };
  const page = await site.open('/charges', desktop, await site.newUser('support'));
  await page.getByRole('heading', { level: 1, name: 'Charges' }).waitFor();
  await find(page, 'audit');
  await page.getByText('Nothing found').waitFor();
  await page.getByRole('combobox', { name: 'Search' }).fill('test cl');
  await page.getByText('Nothing found').waitFor();
  const owner = await site.open('/charges', { ...desktop, mode: 'sandbox' });
  await owner.getByRole('heading', { level: 1, name: 'Charges' }).waitFor();
  await find(owner, 'audit');
  await owner.getByRole('option', { name: 'Audit log' }).waitFor();
  await owner.getByRole('combobox', { name: 'Search' }).fill('test cl');
  await owner.getByRole('option', { name: 'Test clock' }).waitFor();
});

test('notes about a charge and a customer are saved, marked in the list and searched', async ({ site }) => {
  const { service, merchant } = site;
  const now = new Date();
  const charge = await seedCharge(service, merchant, { input: { email: 'mei@example.com' }, now });
  await payCharge(service, merchant, charge, { now });
  const page = await site.open(`/charges/${charge.id}`, desktop);
  await page.getByRole('button', { name: 'Add note' }).click();
  await page.getByRole('dialog').getByRole('textbox', { name: 'Note' }).fill('Call before delivery');
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await page.getByText('Call before delivery').waitFor();
  await page.getByRole('link', { name: 'mei@example.com' }).click();
  await page.waitForURL(`**/customers/${charge.customerId}`);
  await page.getByText('HK$128.50 in 1 payment').waitFor();
  await page.getByRole('button', { name: 'Add note' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Note' }).fill('Pays at the end of the month');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Pays at the end of the month').waitFor();
  // The list marks the charge, which the search finds by its note.
  await page.getByRole('table', { name: 'Payments' }).getByRole('img', { name: 'Note' }).waitFor();
  await page.keyboard.press('Control+K');
  await page.getByRole('combobox', { name: 'Search' }).fill('delivery');
  await page.getByRole('option', { name: 'mei@example.com' }).waitFor();
});

test('a transfer that is no payment is dismissed, and reviewed again', async ({ site }) => {
  const { service, merchant } = site;
  const now = new Date();
  const charge = await seedCharge(service, merchant, { now });
  const paid = { reference: 'INTEREST CREDIT', minor: 1_234n, now };
  const { transferId } = await payCharge(service, merchant, charge, paid);
  const page = await site.open(`/transfers/${transferId}`, desktop);
  await page.getByRole('button', { name: 'Mark as not a customer payment' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Note').fill('Interest');
  await dialog.getByRole('button', { name: 'Mark as not a customer payment' }).click();
  await page.getByText('“Interest”').waitFor();
  await page.getByRole('button', { name: 'Review again' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Review again' }).click();
  await page.getByText('The transfer needs review again.').waitFor();
});
