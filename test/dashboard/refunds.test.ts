import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { Mode } from '../../prisma/client/client.ts';
import { createRefund } from '../../src/domain/payments/refund/create-refund.ts';
import { submitRefundDetails } from '../../src/domain/payments/refund/submit-refund-details.ts';
import { findOverflow } from '../setup/accessibility.ts';
import { desktop } from '../setup/browser.ts';
import { setupDashboardSite } from '../setup/dashboard-site.ts';
import { dropResponse } from '../setup/intercept-response.ts';
import { seedCharge, seedCompletedCharge } from '../setup/seed.ts';
import { payCharge } from '../setup/transfers.ts';

/** Money given back at the dashboard, in a real browser. */

const site = setupDashboardSite();

async function paidCharge(email = 'ada@example.com') {
  const { service } = site;
  const charge = await seedCharge(service, site.merchant, { input: { email }, now: new Date() });
  await payCharge(service, site.merchant, charge);
  return charge;
}

const owner = (mode: Mode = 'live') => ({
  merchantId: site.merchant.merchant.id,
  mode,
  actor: 'key:test',
  now: new Date(),
});
const makeRefund = async (chargeId: string, customerAmount: number, mode?: Mode) =>
  (await createRefund(site.service, { ...owner(mode), input: { chargeId, customerAmount } })).refund;
const details = { bank: '004', account: '123-456789-838', holder: 'Ada Wong' };
const submit = (id: string) => submitRefundDetails(site.service, { ...owner(), id, details });

const stateOf = (page: Page, text: string) => page.getByRole('main').getByText(text, { exact: true }).first();

test('a part is refunded; the customer tells where to, it comes back, is told anew, and is paid', async () => {
  const charge = await paidCharge();
  const page = await site.open(`/charges/${charge.id}`, desktop);
  await page.getByRole('button', { name: 'Refund' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('$128.50 HKD can be refunded').waitFor();
  const amount = dialog.getByLabel('Amount (HKD)');
  expect(await amount.inputValue()).toBe('128.50');
  for (const [written, said] of [
    ['20.5555', 'Must be an amount with at most 2 decimals (HKD)'],
    ['28.500', 'Ambiguous: did you mean 28500.00 or 28.50?'],
  ] as const) {
    await amount.fill(written);
    await page.keyboard.press('Enter');
    await dialog.getByText(said).waitFor();
  }
  await amount.fill('128.51');
  await page.keyboard.press('Enter');
  await dialog.getByRole('alert').getByText('128.50 HKD').waitFor();
  await amount.fill('28.50');
  await dropResponse(page, 'CreateRefund');
  await page.keyboard.press('Enter');
  await dialog.getByText('Can’t reach the server. Check your connection and try again.').waitFor();
  await page.keyboard.press('Enter');
  await dialog.getByText('We’re emailing ada@example.com this link').waitFor();
  const link = (await dialog.getByText(`${site.url}/pay/refund/`).textContent()) as string;
  await dialog.getByRole('button', { name: 'Done' }).click();

  const refunds = page.getByRole('table', { name: 'Refunds' });
  await refunds.getByRole('row', { name: '$28.50 HKD Awaiting details' }).waitFor();
  await page.getByText('Refund of $28.50 HKD: created, waiting for the customer’s bank details').waitFor();

  const customer = await site.customer();
  await customer.page.goto(link);
  await customer.page.getByLabel('Bank code').fill(details.bank);
  await customer.page.getByLabel('Account number').fill(details.account);
  await customer.page.getByLabel('Account holder').fill(details.holder);
  await customer.page.getByRole('button', { name: 'Submit details' }).click();
  await customer.page.getByText('Thank you, we’ve received your details').waitFor();

  await refunds.getByRole('row', { name: 'Ready to pay' }).waitFor();
  await refunds.getByRole('link', { name: '$28.50 HKD' }).click();
  await page.getByRole('heading', { level: 1, name: '$28.50 HKD' }).waitFor();
  await page.getByText('123456789838').waitFor();
  await page.getByText('Ada Wong').waitFor();

  await page.getByRole('button', { name: 'Payout returned' }).click();
  await page.getByRole('dialog').getByLabel('Reason for the return').fill('The account is closed');
  await page.getByRole('button', { name: 'Request new details' }).click();
  await page.getByText('The last payout was returned: The account is closed.').waitFor();
  expect(await page.getByText('123456789838').count()).toBe(0);
  expect(await page.getByText(`${site.url}/pay/refund/`).textContent()).not.toBe(link);

  const made = await site.service.prisma.refund.findMany({ where: { chargeId: charge.id } });
  expect(made).toHaveLength(1);
  const [{ id } = { id: '' }] = made;
  await submit(id);
  await page.getByRole('button', { name: 'Mark as paid' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Mark as paid' }).click();
  await stateOf(page, 'Completed').waitFor();
  expect(await page.getByRole('button', { name: 'Payout returned' }).count()).toBe(0);
  await page.getByText('Payout returned, new bank details requested').waitFor();
});

test('on a phone: a refund is withdrawn, and can be given again; in the sandbox it is completed at once', async () => {
  const { service } = site;
  const charge = await seedCompletedCharge(service, site.merchant, { now: new Date() });
  await makeRefund(charge.id, 128.5, 'sandbox');
  const page = await site.open('/');
  await page.getByRole('radiogroup', { name: 'Mode' }).getByText('Sandbox').click();
  await page.getByText('No real money moves').waitFor();
  await page.getByRole('button', { name: 'Navigation' }).click();
  await page.getByRole('link', { name: 'Refunds' }).click();
  await page.getByRole('link', { name: 'View charge' }).click();
  await page.getByRole('row', { name: '$128.50 HKD Awaiting details' }).waitFor();
  expect(await page.getByRole('button', { name: 'Refund', exact: true }).count()).toBe(0);
  await page.getByRole('button', { name: 'Cancel refund' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel refund' }).click();
  await page.getByRole('row', { name: 'Cancelled' }).waitFor();
  expect(await findOverflow(page)).toEqual([]);

  await page.getByRole('button', { name: 'Refund', exact: true }).click();
  await page.getByRole('button', { name: 'Create refund' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Done' }).click();
  await page.getByRole('button', { name: 'Mark as paid' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Mark as paid' }).click();
  await page.getByRole('row', { name: '$128.50 HKD Completed' }).waitFor();
});

test('the list filters by status, e-mail and charge, pages, and follows what happens', async () => {
  const charge = await paidCharge();
  for (let i = 1; i <= 26; i++) await makeRefund(charge.id, 1);
  const page = await site.open('/refunds', desktop);
  const rows = page.getByRole('row');
  await expect.poll(() => rows.count()).toBe(26);
  await page.getByRole('button', { name: 'Next' }).click();
  await expect.poll(() => rows.count()).toBe(2);
  await page.getByRole('button', { name: 'First' }).click();

  const other = await paidCharge('bo@example.com');
  const { id } = await makeRefund(other.id, 5);
  await page.getByRole('row', { name: 'bo@example.com Awaiting details' }).waitFor();
  await submit(id);
  await page.getByRole('row', { name: 'bo@example.com Ready to pay' }).waitFor();
  await page.getByRole('combobox', { name: 'Status' }).click();
  await page.getByRole('option', { name: 'Ready to pay' }).click();
  await expect.poll(() => rows.count()).toBe(2);
  await page.getByRole('textbox', { name: 'Charge' }).fill(charge.id);
  await page.getByRole('button', { name: 'Search' }).click();
  await page.getByText('No refunds found').waitFor();
  await page.goto(`${site.url}/dashboard/refunds?email=BO@example.com`);
  await page.getByRole('row', { name: 'bo@example.com Ready to pay' }).waitFor();
  await expect.poll(() => rows.count()).toBe(2);
});

test('who may not refund sees how it stands, and neither buttons nor the account', async () => {
  const charge = await paidCharge();
  const refund = await makeRefund(charge.id, 5);
  await submit(refund.id);
  const page = await site.open(`/refunds/${refund.id}`, desktop, await site.newUser('support'));
  await stateOf(page, 'Ready to pay').waitFor();
  await page.getByText('Bank details are visible only to users who can create refunds').waitFor();
  expect(await page.getByRole('button', { name: /Mark as paid|Payout returned/ }).count()).toBe(0);
  await page.getByRole('link', { name: charge.id }).click();
  await page.getByRole('row', { name: '$5.00 HKD Ready to pay' }).waitFor();
  expect(await page.getByRole('button', { name: 'Refund', exact: true }).count()).toBe(0);
  await page.goto(`${site.url}/dashboard/refunds/re_none`);
  await page.getByRole('heading', { name: 'Refund not found' }).waitFor();
});
