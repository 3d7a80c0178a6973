import { beforeAll, beforeEach, expect, test } from 'vitest';
import { buildDashboard } from '../../src/dashboard-server/build-dashboard.ts';
import type { NewMerchant } from '../../src/domain/merchant/create-merchant.ts';
import { recordTransfers } from '../../src/domain/transfer/record-transfers.ts';
import { type TestApp, testApp } from '../setup/app.ts';
import { testBrowser } from '../setup/browser.ts';
import { enterDashboard } from '../setup/enter-dashboard.ts';
import { makeCharge, makeMerchant } from '../setup/makers.ts';

/** Money that waits for a person, decided about at the dashboard in a real browser. */

const wide = { viewport: { width: 1440, height: 900 } };
const phone = { viewport: { width: 360, height: 780 } };

let served: TestApp;
let url: string;
let merchant: NewMerchant;
const browser = testBrowser(() => url);

beforeAll(async () => {
  await buildDashboard();
  served = await testApp();
  url = await served.app.listen({ port: 0, host: '127.0.0.1' });
  served.context.service.settings.publicUrl = url;
});

beforeEach(async () => {
  merchant = await makeMerchant(served.context.service, {}, new Date());
});

async function open(path: string, options: object) {
  const { page, context } = await browser.customer(options);
  await enterDashboard(context, url, merchant);
  await page.goto(`${url}/dashboard${path}`);
  return page;
}

const newCharge = (email: string, mode: 'live' | 'sandbox' = 'live') =>
  makeCharge(served.context.service, merchant, { mode, input: { email }, now: new Date() });

async function tell(receivingAccountId: string, amount: number, reference: string): Promise<string> {
  const item = {
    id: `bank-${reference}-${amount}`,
    receivingAccountId,
    amount,
    currency: 'HKD',
    reference,
    payerName: 'LAU KA YAN',
    paidAt: new Date().toISOString(),
  };
  const options = { merchant: merchant.merchant, mode: 'live', actor: 'bank', now: new Date() } as const;
  const [result] = await recordTransfers(served.context.service, { ...options, items: [item] });
  return result?.transferId ?? '';
}

test('an exception is found, assigned to the charge that suggests itself, taken back, and split', async () => {
  const charge = await newCharge('ada@example.com');
  const other = await newCharge('bo@example.com');
  await tell(charge.receivingAccountId, 128.5, 'coffee');
  const page = await open('/transfers', wide);
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
  const paid = () => served.context.service.prisma.charge.findUniqueOrThrow({ where: { id: charge.id } });
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
  const id = await tell(charge.receivingAccountId, 40, 'hello');
  const page = await open(`/transfers/${id}`, phone);
  await page.getByText('No charge suggests itself.').waitFor();
  await page.getByRole('button', { name: 'Sent back' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Amount (HKD)').fill('41');
  await dialog.getByRole('button', { name: 'Sent back' }).click();
  await dialog.getByRole('alert').filter({ hasText: 'Only 40.00 HKD' }).waitFor();
  await dialog.getByLabel('Amount (HKD)').fill('40');
  await dialog.getByRole('button', { name: 'Sent back' }).click();
  await page.getByText('$40.00 HKD · Sent back to the payer').waitFor();
  const widths = await page.evaluate(() => [document.documentElement.scrollWidth, window.innerWidth]);
  expect(widths[0]).toBeLessThanOrEqual(widths[1] as number);
});

test('money is recorded by hand; in the sandbox it is simulated from the charge', async () => {
  const charge = await newCharge('ada@example.com');
  const account = await served.context.service.prisma.receivingAccount.findUniqueOrThrow({
    where: { id: charge.receivingAccountId },
  });
  const page = await open('/transfers', wide);
  await page.getByText('No money has come yet').waitFor();
  await page.getByRole('button', { name: 'Record by hand' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('combobox', { name: 'Account' }).fill(account.account);
  await page.getByRole('option').first().click();
  await dialog.getByLabel('Amount (HKD)').fill('128.50');
  await dialog.getByLabel('Reference').fill(charge.nonce);
  await dialog.getByRole('button', { name: 'Record' }).click();
  await page.getByText('$128.50 HKD · Matched').waitFor();
  await page.getByText('By hand').waitFor();

  const tried = await newCharge('sandbox@example.com', 'sandbox');
  await page.getByText('Sandbox', { exact: true }).click();
  await page.getByText('nothing here is real money').waitFor();
  await page.goto(`${url}/dashboard/charges/${tried.id}`);
  await page.getByRole('button', { name: 'Simulate payment' }).click();
  await dialog.getByRole('combobox', { name: 'How it is paid' }).click();
  await page.getByRole('option', { name: 'Less than is asked' }).click();
  await dialog.getByRole('button', { name: 'Let it come' }).click();
  await page.getByRole('main').getByText('Part of the amount arrived').waitFor();
});
