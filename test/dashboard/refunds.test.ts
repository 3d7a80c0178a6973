import { readFile } from 'node:fs/promises';
import type { Download, Page } from 'playwright-core';
import { expect } from 'vitest';
import type { Mode } from '../../prisma/client/client.ts';
import { createRefund } from '../../src/domain/payments/refund/create-refund.ts';
import { submitRefundDetails } from '../../src/domain/payments/refund/submit-refund-details.ts';
import { claimRefundsForFile } from '../../src/domain/payouts/payout/claim-refunds-for-file.ts';
import { transact } from '../../src/event/unit-of-work.ts';
import { findOverflow } from '../setup/accessibility.ts';
import { desktop } from '../setup/browser.ts';
import { type DashboardSite, dashboardTest as test } from '../setup/dashboard-site.ts';
import { startExportWorker } from '../setup/exports.ts';
import { dropResponse } from '../setup/intercept-response.ts';
import { checkPain001 } from '../setup/pain-001.ts';
import { payOut, returnPayout, seedPayableRefund } from '../setup/payouts.ts';
import { seedCharge, seedCompletedCharge } from '../setup/seed.ts';
import { payCharge, recordOne, transferInput } from '../setup/transfers.ts';

async function seedPaidCharge(site: DashboardSite, email = 'ada@example.com', input = {}) {
  const { service } = site;
  const charge = await seedCharge(service, site.merchant, { input: { email, ...input }, now: new Date() });
  await payCharge(service, site.merchant, charge);
  return charge;
}

const owner = (site: DashboardSite, mode: Mode = 'live') => ({
  merchantId: site.merchant.merchant.id,
  mode,
  actor: 'key:test',
  now: new Date(),
});

const seedRefund = async (site: DashboardSite, chargeId: string, customerAmount: number, mode?: Mode) =>
  (await createRefund(site.service, { ...owner(site, mode), input: { chargeId, customerAmount } })).refund;

const details = { bank: '004', account: '123-456789-838', holder: 'Ada Wong' };

const submit = (site: DashboardSite, id: string) =>
  submitRefundDetails(site.service, { ...owner(site), id, details });

const getStateText = (page: Page, text: string) =>
  page.getByRole('main').getByText(text, { exact: true }).first();

const readDownload = async (download: Download) => readFile(await download.path(), 'utf8');

const seedPayout = (site: DashboardSite, amount: number) =>
  seedPayableRefund(site.service, site.merchant, { amount, now: new Date() });

test('a partial refund receives details, is returned by the bank, receives new details, and is paid', async ({
  site,
}) => {
  const charge = await seedPaidCharge(site);
  const page = await site.open(`/charges/${charge.id}`, desktop);
  await page.getByRole('button', { name: 'Refund' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('HK$128.50 can be refunded').waitFor();
  const amount = dialog.getByLabel('Amount (HKD)');
  // The amount is selected, so typing replaces it.
  await amount.focus();
  await page.keyboard.type('128.50');
  expect(await amount.inputValue()).toBe('128.50');
  for (const [written, message] of [
    ['20.5555', 'Must be a number with at most 2 decimal places (HKD)'],
    ['28.500', 'Ambiguous: did you mean 28500.00 or 28.50?'],
  ] as const) {
    await amount.fill(written);
    await page.keyboard.press('Enter');
    await dialog.getByText(message).waitFor();
  }
  await amount.fill('128.51');
  await page.keyboard.press('Enter');
  await dialog.getByRole('alert').getByText('128.50 HKD').waitFor();
  await amount.fill('28.50');
  await dropResponse(page, 'CreateRefund');
  await page.keyboard.press('Enter');
  await dialog.getByText('Can’t reach the server. Check your connection and try again.').waitFor();
  await amount.press('Enter');
  await dialog.getByText('Send this link to the customer').waitFor();
  const link = (await dialog.getByText(`${site.url}/pay/refund/`).textContent()) as string;
  await dialog.getByRole('button', { name: 'Done' }).click();

  const refunds = page.getByRole('table', { name: 'Refunds' });
  await refunds.getByRole('row', { name: 'HK$28.50 Awaiting details' }).waitFor();
  await page.getByText('Refund of HK$28.50: created, waiting for the customer’s bank details').waitFor();

  await refunds.getByRole('link', { name: 'HK$28.50' }).click();
  await page.getByRole('button', { name: 'Enter bank details' }).click();
  expect(await dialog.getByRole('radio', { name: 'FPS' }).isChecked()).toBe(true);
  await dialog.getByRole('button', { name: 'Save bank details' }).click();
  await dialog.getByText('Must be a mobile number, an email address or an FPS ID').waitFor();
  await dialog.getByRole('button', { name: 'Close' }).click();
  await page.goBack();

  const customer = await site.customer();
  await customer.page.goto(link);
  await customer.page.getByRole('link', { name: 'Use a bank account instead' }).click();
  await customer.page.getByLabel('Bank code').fill(details.bank);
  await customer.page.getByLabel('Account number').fill(details.account);
  await customer.page.getByLabel('Account holder').fill(details.holder);
  await customer.page.getByRole('button', { name: 'Submit details' }).click();
  await customer.page.getByText('Thank you, we’ve received your details').waitFor();

  await refunds.getByRole('row', { name: 'Ready to pay' }).waitFor();
  await refunds.getByRole('link', { name: 'HK$28.50' }).click();
  await page.getByRole('heading', { level: 1, name: 'HK$28.50' }).waitFor();
  await page.getByText('123456789838').waitFor();
  await page.getByText('Ada Wong').waitFor();

  await page.getByRole('button', { name: 'Request new bank details' }).click();
  await page.getByRole('dialog').getByLabel('Reason for the return').fill('The account is closed');
  await page.getByRole('dialog').getByRole('button', { name: 'Request new bank details' }).click();
  await page.getByText('The last payout was returned: The account is closed.').waitFor();
  expect(await page.getByText('123456789838').count()).toBe(0);
  expect(await page.getByText(`${site.url}/pay/refund/`).textContent()).not.toBe(link);

  const created = await site.service.prisma.refund.findMany({ where: { chargeId: charge.id } });
  expect(created).toHaveLength(1);
  const [{ id } = { id: '' }] = created;
  await submit(site, id);
  await page.getByRole('button', { name: 'Mark as paid' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Mark as paid' }).click();
  await getStateText(page, 'Completed').waitFor();
  expect(await page.getByRole('button', { name: 'Request new bank details' }).count()).toBe(0);
  await page.getByRole('button', { name: 'Mark as not paid' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Mark as not paid' }).click();
  await getStateText(page, 'Ready to pay').waitFor();
  await page.getByText('Marked as not paid').waitFor();
  await page.getByRole('button', { name: 'Mark as paid' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Mark as paid' }).click();
  await getStateText(page, 'Completed').waitFor();
  expect(await page.getByRole('button', { name: 'Mark as not paid' }).count()).toBe(0);
  await page.getByText('Payout returned, new bank details requested').waitFor();
});

test('a refund with bank details is cancelled on a phone before it is paid, but not while a payment file contains it', async ({
  site,
}) => {
  const [wrong, exported] = [await seedPayout(site, 20.5), await seedPayout(site, 30)];
  const input = { refundIds: [exported.id], format: 'csv' };
  await transact(site.service, ({ tx }) => claimRefundsForFile(tx, { ...owner(site), input }));
  const page = await site.open(`/refunds/${wrong.id}`);
  await page.getByText('123456789').waitFor();
  await page.getByRole('button', { name: 'Cancel refund' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Cancel only if you haven’t sent the money.').waitFor();
  await dialog.getByRole('button', { name: 'Cancel refund' }).click();
  await getStateText(page, 'Cancelled').waitFor();
  await page.getByText('The refund was cancelled. No bank details are stored.').waitFor();
  expect(await findOverflow(page)).toEqual([]);

  await page.goto(`${site.url}/dashboard/refunds/${exported.id}`);
  await page.getByText('This refund is in a payment file, so you can’t cancel it yet.').waitFor();
  expect(await page.getByRole('button', { name: 'Cancel refund' }).count()).toBe(0);
  expect(await findOverflow(page)).toEqual([]);
});

test('a refund is cancelled and created again on a phone, and completed immediately in the sandbox', async ({
  site,
}) => {
  const { service } = site;
  const charge = await seedCompletedCharge(service, site.merchant, { now: new Date() });
  await seedRefund(site, charge.id, 128.5, 'sandbox');
  const page = await site.open('/');
  await page.getByRole('button', { name: 'Navigation' }).click();
  await page.getByRole('radiogroup', { name: 'Mode' }).getByText('Sandbox').click();
  await page.getByText('No real money moves').waitFor();
  await page.getByRole('button', { name: 'Navigation' }).click();
  await page.getByRole('link', { name: 'Refunds' }).click();
  await page.getByRole('link', { name: 'View charge' }).click();
  await page.getByRole('row', { name: 'HK$128.50 Awaiting details' }).waitFor();
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
  await page.getByRole('row', { name: 'HK$128.50 Completed' }).waitFor();
});

test('the account of the payer fills in the bank and the number of a refund, which the user confirms', async ({
  site,
}) => {
  const { service, merchant } = site;
  const input = { method: 'au-bank-transfer', merchantCurrency: 'AUD', merchantAmount: 100 };
  const charge = await seedCharge(service, merchant, { input, now: new Date() });
  await payCharge(service, merchant, charge);
  const { merchantId } = charge;
  const data = { payerName: 'ADA WONG', payerAccount: '062-000 12345678' };
  await service.prisma.transfer.updateMany({ where: { merchantId }, data });
  const refund = await seedRefund(site, charge.id, 20);
  const page = await site.open(`/refunds/${refund.id}`);
  await page.getByText('Paid from 062-000 12345678, ADA WONG').waitFor();
  await page.getByRole('button', { name: 'Use this account' }).click();
  const dialog = page.getByRole('dialog');
  expect(await dialog.getByLabel('BSB').inputValue()).toBe('062-000');
  expect(await dialog.getByLabel('Account number').inputValue()).toBe('12345678');
  await dialog.getByRole('button', { name: 'Save bank details' }).click();
  await page.getByText('Ready to pay').first().waitFor();
});

test('several charges are refunded after one confirmation, and a charge that fails can be repeated', async ({
  site,
}) => {
  const charges = [
    await seedPaidCharge(site, 'ada@example.com'),
    await seedPaidCharge(site, 'bo@example.com'),
    await seedPaidCharge(site, 'cy@example.com'),
  ];
  await seedRefund(site, charges[0]!.id, 28.5);
  const page = await site.open('/charges', desktop);
  for (const name of ['ada', 'bo', 'cy'])
    await page.getByRole('checkbox', { name: `from ${name}@example.com` }).check();
  await page.getByRole('button', { name: 'Refund 3 charges' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('HK$100.00').waitFor();
  await dialog.getByText('In total: HK$357.00').waitFor();
  await dialog.getByRole('combobox', { name: 'Reason' }).click();
  await dialog.getByRole('option', { name: 'Not delivered' }).click();
  // A colleague refunds part of a charge after the dialog has shown its amount.
  await seedRefund(site, charges[1]!.id, 100);
  await dialog.getByRole('button', { name: 'Create 3 refunds' }).click();
  await dialog.getByText('2 refunds were created. 1 refund couldn’t be created.').waitFor();
  await dialog.getByText(/At most 28\.50 HKD of the charge/).waitFor();
  const refunds = await site.service.prisma.refund.findMany({
    where: { chargeId: { in: charges.map(({ id }) => id) }, reason: 'not_delivered' },
  });
  expect(refunds.map(({ customerAmount }) => customerAmount).sort()).toEqual([10_000n, 12_850n]);
  await dialog.getByRole('button', { name: 'Try 1 refund again' }).click();
  await dialog.getByText('3 refunds were created.').waitFor();
  await dialog.getByRole('button', { name: 'Close' }).click();
  await page.getByRole('heading', { name: 'All charges' }).waitFor();
});

test('the list filters by status, email and charge, has pages, and is updated live', async ({ site }) => {
  const charge = await seedPaidCharge(site);
  for (let i = 1; i <= 26; i++) await seedRefund(site, charge.id, 1);
  const page = await site.open('/refunds', desktop);
  const rows = page.getByRole('row');
  await expect.poll(() => rows.count()).toBe(26);
  await page.getByRole('button', { name: 'Next' }).click();
  await expect.poll(() => rows.count()).toBe(2);
  await page.getByRole('button', { name: 'First' }).click();

  const other = await seedPaidCharge(site, 'bo@example.com');
  const { id } = await seedRefund(site, other.id, 5);
  await page.getByRole('row', { name: 'bo@example.com Awaiting details' }).waitFor();
  await submit(site, id);
  await page.getByRole('row', { name: 'bo@example.com Ready to pay' }).waitFor();
  await page.getByRole('combobox', { name: 'Status' }).click();
  await page.getByRole('option', { name: 'Ready to pay' }).click();
  await expect.poll(() => rows.count()).toBe(2);
  const picker = page.getByRole('textbox', { name: 'Charge' });
  await picker.fill(charge.paymentReference);
  await page.getByRole('option').first().waitFor();
  await picker.press('Enter');
  await page.getByText('No refunds found').waitFor();
  await page.getByRole('button', { name: 'Show all charges' }).click();
  await expect.poll(() => rows.count()).toBe(2);
  const customer = page.getByRole('textbox', { name: 'Customer' });
  await customer.fill('bo');
  await page.getByRole('option', { name: 'bo@example.com' }).waitFor();
  await customer.press('Enter');
  await page.getByRole('button', { name: 'Remove filter: bo@example.com' }).waitFor();
  await page.getByRole('row', { name: 'bo@example.com Ready to pay' }).waitFor();
  await expect.poll(() => rows.count()).toBe(2);
});

test('refunds are found by account, method and amount, and exactly these are exported', async ({ site }) => {
  const charge = await seedPaidCharge(site);
  await seedRefund(site, charge.id, 5);
  const { id } = await seedRefund(site, charge.id, 7);
  const input = { method: 'paynow', merchantAmount: 50, merchantCurrency: 'SGD' };
  const other = await seedPaidCharge(site, 'bo@example.com', input);
  await seedRefund(site, other.id, 7);
  startExportWorker(site.service);
  const page = await site.open('/refunds', desktop);
  const rows = page.getByRole('row');
  await expect.poll(() => rows.count()).toBe(4);
  const choose = async (name: string, option: string) => {
    await page.getByRole('combobox', { name, exact: true }).click();
    await page.getByRole('option', { name: option }).click();
  };
  await choose('Method', 'PayNow');
  await expect.poll(() => rows.count()).toBe(2);
  await page.getByText('1 refund', { exact: true }).waitFor();
  await page.getByRole('row', { name: 'S$7.00' }).waitFor();
  await page.goto(`${site.url}/dashboard/refunds?account=${charge.receivingAccountId}`);
  await expect.poll(() => rows.count()).toBe(3);
  // Two empty date fields are distinct, also after one of them is filled.
  const dates = page.locator('input[type=date]');
  await page.getByLabel('Created from').fill('2020-01-01');
  await page.getByLabel('Created from').press('Enter');
  await page.getByLabel('To', { exact: true }).first().fill('2099-12-31');
  await page.getByLabel('To', { exact: true }).first().press('Enter');
  await page.waitForURL(/from=2020-01-01&to=2099-12-31/);
  expect(await dates.count()).toBe(2);
  // The currency is that of the first payment method.
  await page.getByLabel('Amount from (HKD)').fill('6');
  await page.getByRole('button', { name: 'Apply' }).click();
  await expect.poll(() => rows.count()).toBe(2);
  await page.getByRole('row', { name: 'HK$7.00' }).waitFor();
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export CSV' }).click();
  const lines = (await readDownload(await saved)).split('\r\n').slice(1, -1);
  expect(lines.map((line) => line.split(',')[0])).toEqual([id]);
  // An amount without a currency filters nothing, so its fields are empty, too.
  await choose('Currency', 'HKD');
  await expect.poll(() => rows.count()).toBe(3);
  expect(await page.getByLabel('Amount from (HKD)').inputValue()).toBe('');
});

test('the refund of an overpaid charge proposes the overpaid amount', async ({ site }) => {
  const { service, merchant } = site;
  const charge = await seedCharge(service, merchant, { now: new Date() });
  await payCharge(service, merchant, charge, { minor: 22_450n });
  const page = await site.open(`/charges/${charge.id}`, desktop);
  await page.getByRole('button', { name: 'Refund' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('HK$96.00 was overpaid; HK$224.50 can be refunded').waitFor();
  expect(await dialog.getByLabel('Amount (HKD)').inputValue()).toBe('96.00');
});

test('a user without permission sees the state of a refund, but no buttons and no bank details', async ({
  site,
}) => {
  const charge = await seedPaidCharge(site);
  const refund = await seedRefund(site, charge.id, 5);
  await submit(site, refund.id);
  const page = await site.open(`/refunds/${refund.id}`, desktop, await site.newUser('support'));
  await getStateText(page, 'Ready to pay').waitFor();
  await page.getByText('Bank details are visible only to users who can create refunds').waitFor();
  expect(await page.getByRole('button', { name: /Mark as paid|Request new bank details/ }).count()).toBe(0);
  await page.getByRole('link', { name: 'View charge' }).click();
  await page.getByRole('row', { name: 'HK$5.00 Ready to pay' }).waitFor();
  expect(await page.getByRole('button', { name: 'Refund', exact: true }).count()).toBe(0);
  await page.goto(`${site.url}/dashboard/refunds/re_none`);
  await page.getByRole('heading', { name: 'Refund not found' }).waitFor();
});

test('refunds are selected, exported in a payment file, with a warning for the second export, and marked as paid', async ({
  site,
}) => {
  const [selected] = [await seedPayout(site, 20.5), await seedPayout(site, 30)];
  startExportWorker(site.service);
  const page = await site.open('/', desktop);
  // Home and the menu count the refunds that are ready to pay.
  await page.getByRole('navigation').getByRole('link', { name: 'Refund payouts 2' }).waitFor();
  await page.getByRole('link', { name: '2 refunds are ready to pay' }).click();
  const rows = page.getByRole('table', { name: 'Refund payouts' });
  await rows.getByRole('row', { name: 'HK$30.00' }).waitFor();
  await page.getByLabel('Select the refund of HK$20.50 to ada@example.com').check();
  // The selection persists when the filter excludes it.
  await page
    .getByRole('radiogroup', { name: 'Export status' })
    .getByText('Exported', { exact: true })
    .click();
  await page.getByText('No refunds found').waitFor();
  await page.getByRole('heading', { name: '1 selected' }).waitFor();
  await page.getByRole('button', { name: 'Export payment file' }).click();
  const dialog = page.getByRole('dialog');
  expect(await dialog.getByLabel('The selected refund').isChecked()).toBe(true);
  await dialog.getByRole('combobox', { name: 'Format' }).click();
  await page.getByRole('option', { name: 'ISO 20022 payment file (pain.001.001.09)' }).click();
  const saved = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Export' }).click();
  const file = checkPain001(await readDownload(await saved), '09');
  expect(file.groups[0]?.payments).toMatchObject([{ endToEndId: selected.payoutReference, amount: '20.50' }]);
  await page.getByText(/^Downloaded .* with 1 row\.$/).waitFor();
  await page.getByRole('radiogroup', { name: 'Export status' }).getByText('All').click();
  await rows.getByRole('row', { name: 'HK$20.50' }).getByText('Exported').waitFor();

  await page.getByLabel('Select the refund of HK$20.50 to ada@example.com').check();
  await page.getByRole('button', { name: 'Export payment file' }).click();
  await dialog.getByText('Make sure they haven’t been paid').waitFor();
  await dialog.getByRole('button', { name: 'Export' }).click();
  await dialog.getByRole('alert').getByText('only refunds that have already been exported').waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();

  // Filled buttons are for the purpose of the page, not for its rows.
  const filledButtons = page.locator('main .mantine-Button-root[data-variant=filled]');
  expect(await filledButtons.allInnerTexts()).toEqual(['Export payment file']);
  await rows.getByRole('row', { name: 'HK$20.50' }).getByRole('button', { name: 'Mark as paid' }).click();
  await dialog.getByRole('button', { name: 'Mark as paid' }).click();
  await rows.getByRole('row', { name: 'HK$20.50' }).waitFor({ state: 'detached' });
  await page.getByRole('heading', { name: 'Ready to pay' }).waitFor();

  await page.getByText('1 refund', { exact: true }).waitFor();
  await page.goto(`${site.url}/dashboard/payouts?currency=SGD`);
  await page.getByText('No refunds found').waitFor();
  // An invalid filter in the URL is ignored.
  await page.goto(`${site.url}/dashboard/payouts?file=x`);
  await rows.getByRole('row', { name: 'HK$30.00' }).waitFor();
  expect(await page.getByRole('radio', { name: 'All' }).isChecked()).toBe(true);
});

test('the reconciliation of a month links to its exceptions and is exported, and a returned refund is reopened', async ({
  site,
}) => {
  const refund = await seedPayout(site, 20.5);
  await payOut(site.service, site.merchant, refund, { paidAt: new Date() });
  await returnPayout(site.service, site.merchant, refund, { paidAt: new Date() });
  const owner = { merchantId: site.merchant.merchant.id, mode: 'live', currency: 'KRW' } as const;
  const other = await site.service.prisma.receivingAccount.findFirstOrThrow({ where: owner });
  const otherInput = transferInput({ money: { minor: 4_000n, currency: 'KRW' }, paidAt: new Date() });
  const recording = { receivingAccountId: other.id, input: otherInput, now: new Date() };
  await recordOne(site.service, site.merchant, recording);
  startExportWorker(site.service);
  const page = await site.open('/reconciliation', desktop);
  const report = page.getByRole('table', { name: /^Reconciliation of / });
  await report.getByRole('row', { name: 'Received HK$149.00' }).waitFor();
  await report.getByRole('row', { name: 'Needs review HK$20.50' }).waitFor();
  await report.getByRole('row', { name: 'Less refunds paid HK$20.50' }).waitFor();
  await report.getByRole('row', { name: 'Closing balance HK$128.50' }).waitFor();
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export CSV' }).click();
  const text = await readDownload(await saved);
  expect(text).toMatch(/^\uFEFFfrom,to,timeZone,/);
  expect(text).toContain(',149.00,128.50,0.00,20.50,0.00,20.50,0.00,128.50,0.00');
  // The link leads to the transfers of the account only.
  await report.getByRole('row', { name: 'Needs review HK$20.50' }).getByRole('link').click();
  const listed = page.getByRole('table', { name: 'Transfers' }).getByRole('row');
  await expect.poll(() => listed.count()).toBe(2);
  await expect.poll(() => page.getByRole('combobox', { name: 'Account' }).inputValue()).toMatch(/^FPS · /);
  await page.goBack();
  await page.getByRole('button', { name: 'Previous month' }).click();
  await page.getByText('No transfers or refunds by the end of this period').waitFor();

  await page.goto(`${site.url}/dashboard/refunds/${refund.id}`);
  await page.getByText('This payout was returned').waitFor();
  await page.getByRole('button', { name: 'Request new bank details' }).click();
  await page.getByRole('dialog').getByLabel('Reason for the return').fill('The account is closed');
  await page.getByRole('dialog').getByRole('button', { name: 'Request new bank details' }).click();
  await page.getByText('Awaiting details').first().waitFor();
  await page.getByText('Returned', { exact: true }).waitFor();
});

test('a filtered list is exported in its order with its progress, and stays available for download', async ({
  site,
}) => {
  const { service, merchant } = site;
  const paid = await seedCharge(service, merchant, { input: { email: 'paid@example.com' }, now: new Date() });
  await seedCharge(service, merchant, { now: new Date() });
  await payCharge(service, merchant, paid);
  const input = { email: 'later@example.com' };
  const later = await seedCharge(service, merchant, { input, now: new Date() });
  await payCharge(service, merchant, later);
  const page = await site.open('/charges?status=completed&order=oldest', desktop);
  await page.getByRole('link', { name: 'paid@example.com' }).waitFor();
  const list = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export CSV' }).click();
  await page.getByText(/^Preparing charges-.*\.csv…$/).waitFor();
  // A failed poll is retried and its error disappears.
  await page.route('**/graphql', (route) => route.abort());
  await page.getByRole('alert').getByText('Can’t reach the server').waitFor();
  await page.unroute('**/graphql');
  await page.getByRole('progressbar', { name: 'Export progress' }).waitFor({ state: 'attached' });
  startExportWorker(site.service);
  const lines = (await readDownload(await list)).split('\r\n').slice(1, -1);
  expect(lines.map((line) => line.split(',')[0])).toEqual([paid.id, later.id]);
  await page.getByText(/^Downloaded .* with 2 rows\.$/).waitFor();
  expect(await page.getByRole('alert').count()).toBe(0);
  await page.getByRole('link', { name: 'All exports' }).click();
  const repeatedDownload = page.waitForEvent('download');
  await page
    .getByRole('row', { name: /charges-.*Ready/ })
    .getByRole('button', { name: 'Download' })
    .click();
  expect((await repeatedDownload).suggestedFilename()).toMatch(/^charges-.*\.csv$/);
});
