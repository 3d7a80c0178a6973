import { expect, test } from 'vitest';
import type { Charge } from '../../prisma/client/client.ts';
import { widerThanWindow } from '../setup/accessibility.ts';
import { wide } from '../setup/browser.ts';
import { namedHost } from '../setup/chromium.ts';
import { dashboardSite } from '../setup/dashboard-site.ts';
import { signInByForm } from '../setup/enter-dashboard.ts';
import { holdAnswer } from '../setup/hold-answer.ts';
import { makeCharge } from '../setup/makers.ts';
import { atPublicUrl } from '../setup/public-url.ts';
import { payCharge, reverseOne, transferInput } from '../setup/transfers.ts';

/** Money that waits for a person, decided about at the dashboard in a real browser. */

const site = dashboardSite();

const newCharge = (email: string, mode: 'live' | 'sandbox' = 'live') =>
  makeCharge(site.service, site.merchant, { mode, input: { email }, now: new Date() });

async function tell(charge: Charge, minor: bigint, reference: string): Promise<string> {
  const told = { minor, reference, payerName: 'LAU KA YAN' };
  return (await payCharge(site.service, site.merchant, charge, told)).transferId!;
}

test('an exception is found, assigned to the charge that suggests itself, taken back, and split', async () => {
  const charge = await newCharge('ada@example.com');
  const other = await newCharge('bo@example.com');
  await tell(charge, 12_850n, 'coffee');
  const page = await site.open('/transfers', wide);
  await page.getByRole('combobox', { name: 'Status' }).click();
  await page.getByRole('option', { name: 'Waiting for you' }).click();
  await page.getByRole('link', { name: 'LAU KA YAN' }).click();
  await page.getByText('The reference carries no word of a charge.').waitFor();
  const suggestion = page.getByRole('listitem').filter({ hasText: 'ada@example.com' });
  await suggestion.getByRole('button', { name: 'Assign' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Note').fill('told by phone');
  await dialog.getByRole('button', { name: 'Assign' }).click();
  await page.getByText('$128.50 HKD · Assigned').waitFor();
  await page.getByText('“told by phone”').waitFor();
  const paid = () => site.service.prisma.charge.findUniqueOrThrow({ where: { id: charge.id } });
  expect(await paid()).toMatchObject({ status: 'completed' });

  await page.getByRole('button', { name: 'Take back' }).click();
  await dialog.getByRole('button', { name: 'Open it again' }).click();
  await page.getByText('It was taken back from what it counted for.').waitFor();
  await page.getByRole('button', { name: 'Split' }).click();
  await dialog.getByLabel('Charge 1').fill(other.id);
  await dialog.getByLabel('Amount (HKD)').first().fill('28.50');
  await dialog.getByLabel('Charge 2').fill(charge.id);
  await dialog.getByRole('button', { name: 'Split it' }).click();
  await page.getByText('$28.50 HKD · Assigned').waitFor();
  await page.getByText('$100.00 HKD · Assigned').waitFor();
});

test('on a phone: part is sent back, what no charge was meant for; a wrong amount is refused', async () => {
  const charge = await newCharge('ada@example.com');
  const id = await tell(charge, 4_000n, 'hello');
  const page = await site.open(`/transfers/${id}`);
  await page.getByText('No charge suggests itself.').waitFor();
  await page.getByRole('button', { name: 'Sent back' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Amount (HKD)').fill('41');
  await dialog.getByRole('button', { name: 'Sent back' }).click();
  await dialog.getByRole('alert').filter({ hasText: 'Only 40.00 HKD' }).waitFor();
  await dialog.getByLabel('Amount (HKD)').fill('40');
  await dialog.getByRole('button', { name: 'Sent back' }).click();
  await page.getByText('$40.00 HKD · Sent back to the payer').waitFor();
  expect(await widerThanWindow(page)).toEqual([]);
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
  const paid = await tell(charge, 12_850n, charge.nonce);
  await takeBack(charge.receivingAccountId, 12_850n, charge.nonce);

  const page = await site.open(`/transfers/${second}`, wide);
  const dialog = page.getByRole('dialog');
  await page.getByRole('button', { name: 'Told twice' }).click();
  await dialog.getByLabel('The other transfer').fill(paid);
  await dialog.getByRole('button', { name: 'It is the same' }).click();
  await dialog.getByRole('alert').getByText('account, amount and currency must be equal').waitFor();
  await dialog.getByLabel('The other transfer').fill(first);
  await dialog.getByRole('button', { name: 'It is the same' }).click();
  await page.getByText('It is known already and counts for nothing.').waitFor();
  expect(await page.getByRole('button', { name: 'Assign' }).count()).toBe(0);

  await page.getByRole('link', { name: 'Transfers' }).first().click();
  await page.getByRole('row', { name: 'Waits for you Taken back' }).getByRole('link').first().click();
  await page.getByText('The bank has taken the money back.').waitFor();
  await page.getByText('$128.50 HKD · Taken back by the bank', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Seen' }).click();
  await dialog.getByRole('button', { name: 'Put aside' }).click();
  await page.getByRole('button', { name: 'Seen' }).waitFor({ state: 'hidden' });
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
  const page = await site.open(`/transfers/${waiting}`, wide);
  await page.getByText('Another source told of an equal transfer: it may be the same money').waitFor();
  await page.getByRole('button', { name: 'Told twice' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('The other transfer').fill(told);
  await dialog.getByRole('button', { name: 'It is the same' }).click();
  await page.getByText('It is known already and counts for nothing.').waitFor();
});

test('money is recorded by hand; in the sandbox it is simulated from the charge', async () => {
  const charge = await newCharge('ada@example.com');
  const account = await site.service.prisma.receivingAccount.findUniqueOrThrow({
    where: { id: charge.receivingAccountId },
  });
  const page = await site.open('/transfers', wide);
  await page.getByText('No money has come yet').waitFor();
  await page.getByRole('button', { name: 'Record by hand' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('combobox', { name: 'Account' }).fill(account.account);
  await page.getByRole('option').first().click();
  await dialog.getByLabel('Amount (HKD)').fill('0');
  await dialog.getByLabel('Reference').fill(charge.nonce);
  // Nobody leaves while it is sent: what came of it would be seen by nobody.
  const recording = await holdAnswer(page, 'RecordTransfer');
  await dialog.getByRole('button', { name: 'Record' }).click();
  await page.keyboard.press('Escape');
  await recording.letGo();
  await dialog.getByRole('alert').waitFor();
  await dialog.getByLabel('Amount (HKD)').fill('128.50');
  await dialog.getByRole('button', { name: 'Record' }).click();
  await page.getByText('$128.50 HKD · Matched').waitFor();
  await page.getByText('By hand').waitFor();

  const tried = await newCharge('sandbox@example.com', 'sandbox');
  await page.getByText('Sandbox', { exact: true }).click();
  await page.getByText('nothing here is real money').waitFor();
  await page.goto(`${site.url}/dashboard/charges/${tried.id}`);
  await page.getByRole('button', { name: 'Simulate payment' }).click();
  await dialog.getByRole('combobox', { name: 'How it is paid' }).click();
  await page.getByRole('option', { name: 'Less than is asked' }).click();
  await dialog.getByRole('button', { name: 'Let it come' }).click();
  await page.getByRole('main').getByText('Part of the amount arrived').waitFor();
});

test('money is recorded by hand also where browsers come over http, which keep from pages then what https alone has', async () => {
  const url = site.url.replace('127.0.0.1', namedHost);
  atPublicUrl(site.service, url);
  const { page } = await site.customer(wide);
  await page.goto(`${url}/dashboard/transfers`);
  await signInByForm(page, site.merchant);
  await page.getByRole('button', { name: 'Record by hand' }).click();
  expect(await page.evaluate(() => window.isSecureContext)).toBe(false);
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('combobox', { name: 'Account' }).fill('HKD');
  await page.getByRole('option').first().click();
  await dialog.getByLabel('Amount (HKD)').fill('40');
  await dialog.getByRole('button', { name: 'Record' }).click();
  await page.getByRole('heading', { level: 1 }).getByText('$40.00 HKD').waitFor();
});
