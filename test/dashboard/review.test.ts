import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { dismissTransfers } from '../../src/domain/money-in/transfer/review/dismiss-transfers.ts';
import { cancelCharge } from '../../src/domain/payments/charge/cancel-charge.ts';
import { findAccessibilityErrors, findOverflow } from '../setup/accessibility.ts';
import { desktop } from '../setup/browser.ts';
import { type DashboardSite, dashboardTest as test } from '../setup/dashboard-site.ts';
import { seedCharge } from '../setup/seed.ts';
import { payCharge } from '../setup/transfers.ts';

/** Records transfers without a payment reference, oldest first; returns a charge of the same account. */
async function seedReview(site: DashboardSite, references: readonly string[]) {
  const { service, merchant } = site;
  const now = new Date();
  const charge = await seedCharge(service, merchant, { input: { email: 'mei.lin@example.com' }, now });
  for (const [i, reference] of references.entries())
    await payCharge(service, merchant, charge, { reference, minor: BigInt(1_000 + i), now });
  return charge;
}

const item = (page: Page, name: string) => page.getByRole('listitem').filter({ hasText: name });

test('transfers are reviewed with the keyboard only', async ({ site }) => {
  const charge = await seedReview(site, ['Interest June', 'Interest May', 'for my order']);
  const page = await site.open('/review', desktop);
  await page.getByRole('heading', { name: '3 transfers to review' }).waitFor();
  await page.keyboard.press('j');
  await page.getByRole('heading', { name: 'HK$10.02' }).waitFor();
  await page.keyboard.press('a');
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Charge').fill('mei.lin');
  await page.getByRole('option').filter({ hasText: 'mei.lin@example.com' }).waitFor();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: '2 transfers to review' }).waitFor();
  const paid = await site.service.prisma.charge.findUniqueOrThrow({ where: { id: charge.id } });
  expect(paid.amountReceived).toBe(1_002n);

  const notice = page.getByRole('status').filter({ hasText: 'HK$118.48 is still unpaid' });
  await notice.getByRole('link', { name: 'mei.lin@example.com' }).waitFor();
  await page.getByRole('heading', { name: 'HK$10.01' }).waitFor();
  await page.locator('[aria-current=true]:focus').filter({ hasText: 'Interest May' }).waitFor();
  await page.keyboard.press('x');
  await page.keyboard.press('j');
  await page.keyboard.press('x');
  await page.getByText('2 selected').waitFor();
  expect(await findAccessibilityErrors(page)).toEqual([]);
  await page.keyboard.press('e');
  await dialog.getByLabel('Note').fill('Interest');
  await page.keyboard.press('Enter');
  await page.getByText('All caught up').waitFor();
});

test('the key A chooses the only charge with exactly the amount, and the page of the last one shows where the money went', async ({
  site,
}) => {
  const { service, merchant } = site;
  const charge = await seedReview(site, []);
  const paid = { reference: 'tea', minor: charge.customerAmount, now: new Date() };
  await payCharge(service, merchant, charge, paid);
  const page = await site.open('/review', desktop);
  await page.getByRole('heading', { name: '1 transfer to review' }).waitFor();
  await page.keyboard.press('j');
  await page.getByText('Amount matches exactly').waitFor();
  const menu = page.getByRole('navigation', { name: 'Main' });
  await menu.getByRole('link', { name: 'Needs review 1' }).waitFor();
  await page.keyboard.press('a');
  const picker = page.getByRole('dialog').getByLabel('Charge');
  await expect.poll(() => picker.inputValue()).toContain('mei.lin@example.com, HK$128.50');
  await page.keyboard.press('Enter');
  await page.getByText('All caught up').waitFor();
  await menu.getByRole('link', { name: /^Needs review$/ }).waitFor();
  const notice = page.getByRole('status').filter({ hasText: 'HK$128.50 was applied to' });
  await notice.getByRole('link', { name: 'mei.lin@example.com' }).waitFor();
  await page.setViewportSize({ width: 360, height: 780 });
  expect(await findOverflow(page)).toEqual([]);
  await notice.getByRole('link', { name: 'View transfer' }).click();
  await page.getByRole('button', { name: 'Unassign' }).waitFor();
});

test('the dialog to dismiss a selected transfer never dismisses another one, even if a colleague dismisses it first', async ({
  site,
}) => {
  await seedReview(site, ['Interest', 'for my order']);
  const { service, merchant } = site;
  const interest = await service.prisma.transfer.findFirstOrThrow({
    where: { merchantId: merchant.merchant.id, reference: 'Interest' },
  });
  const page = await site.open('/review', desktop);
  await page.getByRole('link', { name: 'for my order' }).click();
  await page.getByRole('heading', { name: 'HK$10.01' }).waitFor();
  await page.getByLabel('Select Interest').check();
  await page.keyboard.press('e');
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Note').fill('Interest');
  const { merchantId, mode } = interest;
  const now = new Date();
  const audit = { actor: 'user:test', now };
  await dismissTransfers(service, { merchantId, mode, input: { transferIds: [interest.id] }, audit, now });
  await page.getByText('1 transfer to review').waitFor();
  await page.keyboard.press('Enter');
  await dialog.getByRole('alert').waitFor();
  const statuses = await service.prisma.transfer.findMany({
    where: { merchantId: merchant.merchant.id },
    orderBy: { id: 'asc' },
    select: { status: true },
  });
  expect(statuses).toEqual([{ status: 'dismissed' }, { status: 'exception' }]);
});

test('the key A on a transfer without an unallocated amount does not assign the next one', async ({
  site,
}) => {
  await seedReview(site, ['Interest', 'for my order']);
  const where = { merchantId: site.merchant.merchant.id, reference: 'for my order' };
  await site.service.prisma.transfer.updateMany({ where, data: { allocated: 1_001n } });
  const page = await site.open('/review', desktop);
  await page.getByRole('link', { name: 'for my order' }).click();
  await page.getByRole('heading', { name: 'HK$10.01' }).waitFor();
  await page.keyboard.press('a');
  await page.keyboard.press('j');
  await page.getByRole('heading', { name: 'HK$10.00' }).waitFor();
  await page.getByRole('button', { name: 'Assign', exact: true }).waitFor();
  expect(await page.getByRole('dialog').count()).toBe(0);
  await page.keyboard.press('a');
  await page.getByRole('dialog').waitFor();
});

test('the review of several transfers is assigned to a user, and filtered by the user, on a phone', async ({
  site,
}) => {
  await seedReview(site, ['Interest', 'Cash deposit']);
  const page = await site.open('/review', { viewport: { width: 360, height: 780 } });
  await page.getByLabel('Select Cash deposit').check();
  await page.getByRole('button', { name: 'Make me the reviewer' }).click();
  await item(page, 'Reviewer: you').waitFor();
  await page.getByRole('button', { name: 'Filters' }).click();
  await page.getByRole('combobox', { name: 'Reviewer' }).click();
  await page.getByRole('option', { name: 'Me' }).click();
  await page.getByRole('button', { name: 'Filters (1)' }).waitFor();
  await page.getByRole('heading', { name: '1 transfer to review' }).waitFor();
  expect(await findOverflow(page)).toEqual([]);
  await page.getByRole('link', { name: 'Cash deposit' }).click();
  await page.getByText('Reviewer: you').waitFor();
  await page.getByRole('button', { name: 'Edit' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Note').fill('Called the bank');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByText('“Called the bank”').waitFor();
});

test('an ignore rule shows the transfers that it would have ignored, and removes them from the review', async ({
  site,
}) => {
  const charge = await seedReview(site, ['INTEREST CREDIT', 'for my order']);
  const page = await site.open('/review', desktop);
  await page.getByRole('link', { name: 'INTEREST CREDIT' }).click();
  await page.getByRole('heading', { name: 'HK$10.00' }).waitFor();
  await page.keyboard.press('e');
  await page.getByRole('link', { name: 'Always ignore them' }).click();
  await page.getByLabel('Transfer text').fill('interest');
  const preview = page.getByRole('group', { name: 'Preview' });
  await preview.getByText('would have ignored 1 transfer. 1 of them needs review now.').waitFor();
  await page.getByRole('button', { name: 'Add rule' }).click();
  await page.getByText('1 transfer no longer needs review.').waitFor();
  await page.getByRole('table', { name: 'Rules' }).getByText('interest').waitFor();
  const later = { reference: 'Interest again', minor: 77n };
  expect(await payCharge(site.service, site.merchant, charge, later)).toMatchObject({ status: 'dismissed' });
  await page.getByRole('link', { name: 'Needs review' }).first().click();
  await page.getByRole('heading', { name: '1 transfer to review' }).waitFor();
});

test('on a phone, a settled transfer is followed by the next one, and the way back leads to the list', async ({
  site,
}) => {
  await seedReview(site, ['phone order', 'CR INTEREST', 'Cash deposit']);
  const page = await site.open('/review', { viewport: { width: 390, height: 844 } });
  await page.getByRole('link', { name: 'Cash deposit' }).click();
  await page.getByRole('heading', { name: 'HK$10.02' }).waitFor();
  await page.getByRole('button', { name: 'Mark as not a customer payment' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Mark as not a customer payment' }).click();
  await page.getByRole('status').getByText('HK$10.02 no longer needs review').waitFor();
  await page.getByRole('heading', { name: 'HK$10.01' }).waitFor();
  await page.getByRole('heading', { name: '2 transfers to review' }).waitFor();
  expect(await findAccessibilityErrors(page)).toEqual([]);
  expect(await findOverflow(page)).toEqual([]);
  await page.getByRole('link', { name: 'Needs review' }).first().click();
  await page.getByRole('link', { name: 'phone order' }).click();
  await page.getByRole('button', { name: 'Create charge' }).click();
  await dialog.getByLabel('What was sold').fill('Cake');
  await dialog.getByRole('button', { name: 'Create charge' }).click();
  await page.getByRole('status').getByText('HK$10.00 was applied to').waitFor();
  await page.getByRole('heading', { name: 'HK$10.01' }).waitFor();
  await page.getByRole('link', { name: 'All details' }).click();
  await page.getByRole('heading', { name: 'HK$10.01', level: 1 }).waitFor();
  await page.getByRole('button', { name: 'Mark as not a customer payment' }).click();
  await dialog.getByRole('button', { name: 'Mark as not a customer payment' }).click();
  await page.getByRole('button', { name: 'Review again' }).waitFor();
  await page.getByRole('link', { name: 'Needs review' }).first().click();
  await page.getByText('All caught up').waitFor();
});

test('a charge is created for a transfer that paid a sale without one', async ({ site }) => {
  await seedReview(site, ['gift box']);
  const page = await site.open('/review', desktop);
  await page.getByRole('link', { name: 'gift box' }).click();
  await page.getByRole('button', { name: 'Create charge' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Customer email').fill('walk-in@example.com');
  await dialog.getByLabel('What was sold').fill('Gift box');
  await dialog.getByRole('button', { name: 'Create charge' }).click();
  await page.getByText('All caught up').waitFor();
  const where = { email: 'walk-in@example.com', status: 'completed' } as const;
  expect(await site.service.prisma.charge.count({ where })).toBe(1);
});

test('the page of a charge lists each transfer once, with what of it is applied', async ({ site }) => {
  const { service, merchant } = site;
  const now = new Date();
  const charge = await seedCharge(service, merchant, { now });
  await payCharge(service, merchant, charge, { minor: 5_394n, payerName: 'LAU KA YAN', now });
  await cancelCharge(service, { ...charge, by: 'merchant', actor: 'user:usr_1', now });
  const page = await site.open(`/charges/${charge.id}`, desktop);
  const rows = page.getByRole('table', { name: 'Transfers' }).getByRole('row');
  await rows.filter({ hasText: 'Not applied' }).getByText('Needs review').waitFor();
  expect(await rows.count()).toBe(2);
});
