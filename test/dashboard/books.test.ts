import { readFile } from 'node:fs/promises';
import { expect } from 'vitest';
import { findOverflow } from '../setup/accessibility.ts';
import { desktop } from '../setup/browser.ts';
import { dashboardTest as test } from '../setup/dashboard-site.ts';
import { startExportWorker } from '../setup/exports.ts';
import { seedCharge } from '../setup/seed.ts';
import { payCharge } from '../setup/transfers.ts';

test('the books of a month show sales by currency, and are exported as manual journals for Xero', async ({
  site,
}) => {
  const { service } = site;
  const now = new Date();
  const charge = await seedCharge(service, site.merchant, { now });
  await payCharge(service, site.merchant, charge, { now });
  const page = await site.open('/books', desktop);
  await page.getByRole('row', { name: 'HKD 1 HK$128.50' }).waitFor();
  await page.getByRole('combobox', { name: 'Totals by' }).click();
  await page.getByRole('option', { name: 'Day' }).click();
  await page.getByRole('columnheader', { name: 'Day' }).waitFor();

  await page.getByRole('button', { name: 'Export journal' }).click();
  await page.getByRole('menuitem', { name: 'Manual journals for Xero' }).click();
  await page.getByRole('dialog').getByLabel('Bank clearing account').fill('610');
  startExportWorker(service);
  const download = page.waitForEvent('download');
  await page.keyboard.press('Enter');
  const text = await readFile(await (await download).path(), 'utf8');
  expect(text).toContain(',Bank,610,Tax Exempt,128.50,');
  expect(text).toContain(',Sales,200,Tax Exempt,-128.50,');
});

test('the totals of a month are hidden while those of another month load', async ({ site }) => {
  const now = new Date();
  const charge = await seedCharge(site.service, site.merchant, { now });
  await payCharge(site.service, site.merchant, charge, { now });
  const page = await site.open('/books', desktop);
  const row = page.getByRole('row', { name: 'HKD 1 HK$128.50' });
  await row.waitFor();
  await page.route('**/graphql', (route) => route.abort());
  await page.getByRole('button', { name: 'Previous month' }).click();
  await page.getByRole('alert').waitFor();
  expect(await row.count()).toBe(0);
});

test('the books fit on a phone and on a laptop', async ({ site }) => {
  const { service } = site;
  const now = new Date();
  const input = { merchantAmount: '123456.70', customerAmount: undefined };
  const charge = await seedCharge(service, site.merchant, { now, input });
  await payCharge(service, site.merchant, charge, { now });
  const page = await site.open('/books');
  await page.getByRole('row', { name: /HKD/ }).first().waitFor();
  expect(await findOverflow(page)).toEqual([]);
  await page.setViewportSize({ width: 1280, height: 800 });
  const table = await page.getByRole('table', { name: 'Totals' }).boundingBox();
  const card = await page.getByRole('region', { name: 'Totals' }).boundingBox();
  expect(await findOverflow(page)).toEqual([]);
  expect(table!.width).toBeLessThanOrEqual(card!.width);
});
