import { readFile } from 'node:fs/promises';
import type { Download } from 'playwright-core';
import { afterEach, expect, test } from 'vitest';
import { buildExports } from '../../src/domain/payouts/export/build-exports.ts';
import { systemClock } from '../../src/kit/clock.ts';
import { desktop } from '../setup/browser.ts';
import { setupDashboardSite } from '../setup/dashboard-site.ts';
import { checkPain001 } from '../setup/pain-001.ts';
import { payOut, returnPayout, seedPayableRefund } from '../setup/payouts.ts';
import { seedCharge } from '../setup/seed.ts';
import { payCharge, recordOne, transferInput } from '../setup/transfers.ts';

/** Refunds that are paid with a file for the bank, the books, and exports at the dashboard, in a real browser. */

const site = setupDashboardSite();

/** The worker's part: makes what was asked for as soon as it was. */
let working: NodeJS.Timeout | undefined;
afterEach(() => clearInterval(working));
const work = () => {
  working = setInterval(() => void buildExports(site.service, { clock: systemClock }), 100);
};

const textOf = async (download: Download) => readFile(await download.path(), 'utf8');
const toPay = (amount: number) => seedPayableRefund(site.service, site.merchant, { amount, now: new Date() });

test('refunds are chosen, exported for the bank, warned of when exported again, and marked as paid', async () => {
  const [chosen] = [await toPay(20.5), await toPay(30)];
  work();
  const page = await site.open('/payouts', desktop);
  const rows = page.getByRole('table', { name: 'Refund payouts' });
  await rows.getByRole('row', { name: '$30.00 HKD' }).waitFor();
  await page.getByLabel('Select $20.50 HKD to ada@example.com').check();
  // It stays chosen where the list shows others.
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
  await page.getByRole('option', { name: 'ISO 20022 pain.001.001.09' }).click();
  const saved = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Export' }).click();
  const file = checkPain001(await textOf(await saved), '09');
  expect(file.groups[0]?.payments).toMatchObject([{ endToEndId: chosen.payoutReference, amount: '20.50' }]);
  await page.getByText(/^Downloaded .*: 1 row\.$/).waitFor();
  await page.getByRole('radiogroup', { name: 'Export status' }).getByText('All').click();
  await rows.getByRole('row', { name: '$20.50 HKD' }).getByText('Exported').waitFor();

  await page.getByLabel('Select $20.50 HKD to ada@example.com').check();
  await page.getByRole('button', { name: 'Export payment file' }).click();
  await dialog.getByText('Make sure that they have not been paid').waitFor();
  await dialog.getByRole('button', { name: 'Export' }).click();
  await dialog.getByRole('alert').getByText('selects no refunds to pay').waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();

  // What each line offers does not stand out beside what the page is for.
  const loud = page.locator('main .mantine-Button-root[data-variant=filled]');
  expect(await loud.allInnerTexts()).toEqual(['Export payment file']);
  await rows.getByRole('row', { name: '$20.50 HKD' }).getByRole('button', { name: 'Mark as paid' }).click();
  await dialog.getByRole('button', { name: 'Mark as paid' }).click();
  await rows.getByRole('row', { name: '$20.50 HKD' }).waitFor({ state: 'detached' });
  await page.getByRole('heading', { name: 'Ready to pay' }).waitFor();

  // A word in the address that is no choice narrows nothing, and is not shown as one.
  await page.goto(`${site.url}/dashboard/payouts?file=x`);
  await rows.getByRole('row', { name: '$30.00 HKD' }).waitFor();
  expect(await page.getByRole('radio', { name: 'All' }).isChecked()).toBe(true);
});

test('the books show a month, lead to its exceptions, and are exported; a refund that came back is reopened', async () => {
  const refund = await toPay(20.5);
  await payOut(site.service, site.merchant, refund, { paidAt: new Date() });
  await returnPayout(site.service, site.merchant, refund, { paidAt: new Date() });
  const owner = { merchantId: site.merchant.merchant.id, mode: 'live', currency: 'KRW' } as const;
  const other = await site.service.prisma.receivingAccount.findFirstOrThrow({ where: owner });
  const elsewhere = transferInput({ money: { minor: 4_000n, currency: 'KRW' }, paidAt: new Date() });
  const recording = { receivingAccountId: other.id, input: elsewhere, now: new Date() };
  await recordOne(site.service, site.merchant, recording);
  work();
  const page = await site.open('/reconciliation', desktop);
  const books = page.getByRole('table', { name: /^Reconciliation of / });
  await books.getByRole('row', { name: 'Received $149.00 HKD' }).waitFor();
  await books.getByRole('row', { name: 'Needs review $20.50 HKD' }).waitFor();
  await books.getByRole('row', { name: 'Less refunds paid $20.50 HKD' }).waitFor();
  await books.getByRole('row', { name: 'Closing $128.50 HKD' }).waitFor();
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export CSV' }).click();
  const text = await textOf(await saved);
  expect(text).toMatch(/^\uFEFFfrom,to,timeZone,/);
  expect(text).toContain(',149.00,128.50,0.00,20.50,0.00,20.50,128.50,0.00');
  // To those of that account alone.
  await books.getByRole('row', { name: 'Needs review $20.50 HKD' }).getByRole('link').click();
  const listed = page.getByRole('table', { name: 'Transfers' }).getByRole('row');
  await expect.poll(() => listed.count()).toBe(2);
  await expect.poll(() => page.getByRole('combobox', { name: 'Account' }).inputValue()).toMatch(/^FPS · /);
  await page.goBack();
  await page.getByRole('button', { name: 'Previous month' }).click();
  await page.getByText('No money moved up to the end of this period').waitFor();

  await page.goto(`${site.url}/dashboard/refunds/${refund.id}`);
  await page.getByText('This payout was returned').waitFor();
  await page.getByRole('button', { name: 'Payout returned' }).click();
  await page.getByRole('dialog').getByLabel('Reason for the return').fill('The account is closed');
  await page.getByRole('button', { name: 'Request new details' }).click();
  await page.getByText('Awaiting details').first().waitFor();
  await page.getByText('returned', { exact: true }).waitFor();
});

test('a list is exported as it is filtered; the page says how far the file is, and keeps it', async () => {
  const { service, merchant } = site;
  const paid = await seedCharge(service, merchant, { input: { email: 'paid@example.com' }, now: new Date() });
  await seedCharge(service, merchant, { now: new Date() });
  await payCharge(service, merchant, paid);
  const page = await site.open('/charges?status=completed', desktop);
  await page.getByRole('link', { name: 'paid@example.com' }).waitFor();
  const list = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export CSV' }).click();
  await page.getByText(/^Preparing charges-.*\.csv: 0 of/).waitFor();
  // One question that got no answer is not what is said in the end.
  await page.route('**/graphql', (route) => route.abort());
  await page.getByRole('alert').getByText('Can’t reach the server').waitFor();
  await page.unroute('**/graphql');
  await page.getByRole('progressbar', { name: 'Export progress' }).waitFor({ state: 'attached' });
  work();
  expect((await textOf(await list)).split('\r\n')).toHaveLength(3);
  await page.getByText(/^Downloaded .*: 1 row\.$/).waitFor();
  expect(await page.getByRole('alert').count()).toBe(0);
  await page.getByRole('link', { name: 'All exports' }).click();
  const again = page.waitForEvent('download');
  await page
    .getByRole('row', { name: /charges-.*Ready/ })
    .getByRole('button', { name: 'Download' })
    .click();
  expect((await again).suggestedFilename()).toMatch(/^charges-.*\.csv$/);
});
