import { expect, onTestFinished, test } from 'vitest';
import type { Charge } from '../../prisma/client/client.ts';
import { findOverflow } from '../setup/accessibility.ts';
import { desktop } from '../setup/browser.ts';
import { signInByForm } from '../setup/browser-sign-in.ts';
import { testHost } from '../setup/chromium.ts';
import { setupDashboardSite } from '../setup/dashboard-site.ts';
import { holdResponse } from '../setup/intercept-response.ts';
import { seedCharge } from '../setup/seed.ts';
import { setPublicUrl } from '../setup/service.ts';
import { payCharge, reverseOne, transferInput } from '../setup/transfers.ts';

/** Money that waits for a person, decided about at the dashboard in a real browser. */

const site = setupDashboardSite();

const newCharge = (email: string, mode: 'live' | 'sandbox' = 'live') =>
  seedCharge(site.service, site.merchant, { mode, input: { email }, now: new Date() });

async function tell(charge: Charge, minor: bigint, reference: string): Promise<string> {
  const told = { minor, reference, payerName: 'LAU KA YAN' };
  return (await payCharge(site.service, site.merchant, charge, told)).transferId!;
}

test('an exception is found, assigned to the charge that suggests itself, taken back, and split', async () => {
  const charge = await newCharge('ada@example.com');
  const other = await newCharge('bo@example.com');
  await tell(charge, 12_850n, 'coffee');
  const page = await site.open('/transfers', desktop);
  await page.getByRole('combobox', { name: 'Status' }).click();
  await page.getByRole('option', { name: 'Needs review' }).click();
  await page.getByRole('link', { name: 'LAU KA YAN' }).click();
  await page.getByText('No payment reference found.').waitFor();
  const suggestion = page.getByRole('listitem').filter({ hasText: 'ada@example.com' });
  await suggestion.getByRole('button', { name: 'Assign' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Note').fill('told by phone');
  await dialog.getByRole('button', { name: 'Assign' }).click();
  await page.getByText('$128.50 HKD · Assigned').waitFor();
  await page.getByText('“told by phone”').waitFor();
  const paid = () => site.service.prisma.charge.findUniqueOrThrow({ where: { id: charge.id } });
  expect(await paid()).toMatchObject({ status: 'completed' });

  await page.getByRole('button', { name: 'Unassign' }).click();
  await dialog.getByRole('button', { name: 'Unassign' }).click();
  await page.getByText('The transfer was unassigned.').waitFor();
  await page.getByRole('button', { name: 'Split' }).click();
  await dialog.getByLabel('Charge 1').fill(other.id);
  await dialog.getByLabel('Amount (HKD)').first().fill('28.50');
  await dialog.getByLabel('Charge 2').fill(charge.id);
  await dialog.getByRole('button', { name: 'Split' }).click();
  await page.getByText('$28.50 HKD · Assigned').waitFor();
  await page.getByText('$100.00 HKD · Assigned').waitFor();
});

test('on a phone: part is sent back, what no charge was meant for; a wrong amount is refused', async () => {
  const charge = await newCharge('ada@example.com');
  const id = await tell(charge, 4_000n, 'hello');
  const page = await site.open(`/transfers/${id}`);
  await page.getByText('No suggested matches.').waitFor();
  await page.getByRole('button', { name: 'Mark as returned' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Amount (HKD)').fill('41');
  await dialog.getByRole('button', { name: 'Mark as returned' }).click();
  await dialog.getByRole('alert').filter({ hasText: 'Only 40.00 HKD' }).waitFor();
  await dialog.getByLabel('Amount (HKD)').fill('40');
  await dialog.getByRole('button', { name: 'Mark as returned' }).click();
  await page.getByText('$40.00 HKD · Returned to payer').waitFor();
  expect(await findOverflow(page)).toEqual([]);
});

/** The bank takes back what it told of before. */
async function takeBack(
  receivingAccountId: string,
  minor: bigint,
  reference: string,
  { fileKind, status = 'outgoing' }: { fileKind?: string; status?: string } = {},
): Promise<string> {
  const now = new Date();
  const input = transferInput({ money: { minor, currency: 'HKD' }, reference, paidAt: now, fileKind });
  const result = await reverseOne(site.service, site.merchant, { receivingAccountId, input, now });
  expect(result.status).toBe(status);
  return result.transferId;
}

test('what was told twice counts once; what the bank took back after it had counted is put aside', async () => {
  const charge = await newCharge('ada@example.com');
  const first = await tell(charge, 4_000n, 'hello');
  const second = await tell(charge, 4_000n, 'hello again');
  const paid = await tell(charge, 12_850n, charge.paymentReference);
  await takeBack(charge.receivingAccountId, 12_850n, charge.paymentReference);

  const page = await site.open(`/transfers/${second}`, desktop);
  const dialog = page.getByRole('dialog');
  await page.getByRole('button', { name: 'Mark as duplicate' }).click();
  await dialog.getByLabel('Original transfer').fill(paid);
  await dialog.getByRole('button', { name: 'Mark as duplicate' }).click();
  await dialog.getByRole('alert').getByText('the account, amount and currency must be equal').waitFor();
  await dialog.getByLabel('Original transfer').fill(first);
  await dialog.getByRole('button', { name: 'Mark as duplicate' }).click();
  await page.getByText('Duplicate. Not applied to any charge.').waitFor();
  expect(await page.getByRole('button', { name: 'Assign' }).count()).toBe(0);

  await page.getByRole('link', { name: 'Transfers' }).first().click();
  await page.getByRole('row', { name: 'Needs review Reversed' }).getByRole('link').first().click();
  await page.getByText('The bank reversed the transfer.').waitFor();
  await page.getByText('$128.50 HKD · Reversed by the bank', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Acknowledge' }).click();
  await dialog.getByRole('button', { name: 'Dismiss' }).click();
  await page.getByRole('button', { name: 'Acknowledge' }).waitFor({ state: 'hidden' });
  const { prisma } = site.service;
  const rows = await prisma.transfer.findMany({ where: { id: { in: [first, second, paid] } } });
  const statuses = new Map(rows.map(({ id, status }) => [id, status]));
  expect([first, second, paid].map((id) => statuses.get(id))).toEqual(['exception', 'duplicate', 'returned']);
});

test('a reversal that may have been told of twice is put to the other one', async () => {
  const charge = await newCharge('bob@example.com');
  await tell(charge, 7_700n, 'rent');
  const told = await takeBack(charge.receivingAccountId, 7_700n, 'rent');
  const again = { fileKind: 'mt940', status: 'exception' } as const;
  const waiting = await takeBack(charge.receivingAccountId, 7_700n, 'rent', again);
  const page = await site.open(`/transfers/${waiting}`, desktop);
  await page
    .getByText('Another source reported an identical transfer, which may be the same money')
    .waitFor();
  await page.getByRole('button', { name: 'Mark as duplicate' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Original transfer').fill(told);
  await dialog.getByRole('button', { name: 'Mark as duplicate' }).click();
  await page.getByText('Duplicate. Not applied to any charge.').waitFor();
});

test('money is recorded by hand; in the sandbox it is simulated from the charge', async () => {
  const charge = await newCharge('ada@example.com');
  const account = await site.service.prisma.receivingAccount.findUniqueOrThrow({
    where: { id: charge.receivingAccountId },
  });
  const page = await site.open('/transfers', desktop);
  await page.getByText('No transfers yet').waitFor();
  await page.getByRole('button', { name: 'Record transfer' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('combobox', { name: 'Account' }).fill(account.account);
  await page.getByRole('option').first().click();
  await dialog.getByLabel('Amount (HKD)').fill('0');
  await dialog.getByLabel('Reference').fill(charge.paymentReference);
  // Nobody leaves while it is sent: what came of it would be seen by nobody.
  const recording = await holdResponse(page, 'RecordTransfer');
  await dialog.getByRole('button', { name: 'Record' }).click();
  await page.keyboard.press('Escape');
  await recording.release();
  await dialog.getByRole('alert').waitFor();
  await dialog.getByLabel('Amount (HKD)').fill('128.50');
  await dialog.getByRole('button', { name: 'Record' }).click();
  await page.getByText('$128.50 HKD · Matched').waitFor();
  await page.getByText('Manual', { exact: true }).waitFor();

  const tried = await newCharge('sandbox@example.com', 'sandbox');
  await page.getByText('Sandbox', { exact: true }).click();
  await page.getByText('No real money moves').waitFor();
  await page.goto(`${site.url}/dashboard/charges/${tried.id}`);
  await page.getByRole('button', { name: 'Simulate payment' }).click();
  await dialog.getByRole('combobox', { name: 'Scenario' }).click();
  await page.getByRole('option', { name: 'Underpayment' }).click();
  await dialog.getByRole('button', { name: 'Simulate' }).click();
  await page.getByRole('main').getByText('Partial payment received').waitFor();
});

test('money is recorded by hand also where browsers come over http, which keep from pages then what https alone has', async () => {
  const url = site.url.replace('127.0.0.1', testHost);
  setPublicUrl(onTestFinished, site.service, url);
  const { page } = await site.customer(desktop);
  await page.goto(`${url}/dashboard/transfers`);
  await signInByForm(page, site.merchant);
  await page.getByRole('button', { name: 'Record transfer' }).click();
  expect(await page.evaluate(() => window.isSecureContext)).toBe(false);
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('combobox', { name: 'Account' }).fill('HKD');
  await page.getByRole('option').first().click();
  await dialog.getByLabel('Amount (HKD)').fill('40');
  await dialog.getByRole('button', { name: 'Record' }).click();
  await page.getByRole('heading', { level: 1 }).getByText('$40.00 HKD').waitFor();
});
