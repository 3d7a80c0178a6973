import { beforeAll, expect, test } from 'vitest';
import { type Importer, startImporter } from '../../src/domain/money-in/statement/start-importer.ts';
import { systemClock } from '../../src/kit/clock.ts';
import { newId } from '../../src/kit/id.ts';
import { desktop } from '../setup/browser.ts';
import { setupDashboardSite } from '../setup/dashboard-site.ts';
import { throwError } from '../setup/errors.ts';
import { csvLines, importFile } from '../setup/import-file.ts';
import { holdResponse } from '../setup/intercept-response.ts';
import { noon, seedCharge } from '../setup/seed.ts';
import { camtXml, ntry } from '../setup/statement-files.ts';

/** Bank statements at the dashboard, in a real browser. */

const site = setupDashboardSite();
let importer: Importer;

beforeAll(() => {
  importer = startImporter(site.service, { clock: systemClock, onError: throwError });
  return () => importer.stop();
});

/** More than a page of them, so that the account given is on the last page of the API; answers what customers see of it. */
async function makeNewerAccounts(id: string): Promise<string> {
  const { receivingAccount } = site.service.prisma;
  const row = await receivingAccount.findUniqueOrThrow({ where: { id } });
  const details = row.details as object;
  await receivingAccount.createMany({
    data: Array.from({ length: 51 }, (_, i) => {
      const account = `9${String(i).padStart(6, '0')}`;
      return { ...row, details, account, id: newId('receivingAccount', new Date()) };
    }),
  });
  return row.account;
}

const file = (name: string, content: string) => ({
  name,
  mimeType: 'application/octet-stream',
  buffer: Buffer.from(content),
});

test('a CSV file is sent, looked into, corrected and imported, once; what waits is a click away', {
  timeout: 60_000,
}, async () => {
  const charge = await seedCharge(site.service, site.merchant, { now: new Date() });
  const account = await makeNewerAccounts(charge.receivingAccountId);
  const day = charge.createdAt.toISOString().slice(0, 10);
  const others = Array.from({ length: 25 }, (_, i) => `${day};AND WHO ${i};5,00;\n`).join('');
  const csv = `Savings,012\nDay;Text;In;Out\n${day};FPS ${charge.paymentReference};128,50;\n${day};WHO IS THIS;5,00;\n${day};FEE;;2,00\n${others}`;
  const page = await site.open('/statements', desktop);
  await page.getByText('No statements yet').waitFor();
  await page.getByRole('link', { name: 'Import statement' }).click();
  await page.getByLabel('Statement file').setInputFiles(file('november.csv', csv));
  // Of several accounts none is chosen by itself.
  await page.getByText('Choose an account to preview the file').waitFor();
  const chooseAccount = async (number: string) => {
    await page.getByRole('combobox', { name: 'Account' }).fill(number.slice(1));
    await page.getByRole('option', { name: `FPS · ${number} · HKD`, exact: true }).click();
  };
  await chooseAccount(account);

  // Headers that no bank writes: a person says what they are.
  await page.getByText('Detected from your file').waitFor();
  await page.getByRole('alert').waitFor();
  expect(await page.getByRole('button', { name: 'Import', exact: true }).isDisabled()).toBe(true);
  const choose = async (label: string, option: string) => {
    await page.getByRole('combobox', { name: label, exact: true }).click();
    await page.getByRole('option', { name: option, exact: true }).click();
  };
  await choose('Delimiter', 'Semicolon');
  await choose('Decimal separator', 'Comma: 1.234,50');
  await page.getByLabel('Lines to skip at top').fill('1');
  await page.getByLabel('First row is a header').check();
  await page.getByRole('button', { name: 'Update preview' }).click();
  await page.getByText('Uses the format that you set.').waitFor();
  await choose('Amount format', 'Separate credit and debit columns');
  await choose('Date', 'Day');
  await choose('Credit', 'In');
  await choose('Debit', 'Out');
  await page.getByRole('combobox', { name: 'Reference columns' }).fill('Text');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Update preview' }).click();
  const rows = page.getByRole('table', { name: 'First rows' });
  await rows
    .getByRole('row', { name: `FPS ${charge.paymentReference}` })
    .getByText('Incoming')
    .waitFor();
  await page.getByText('28 entries.').waitFor();
  // What is imported is what stands there, read as the form says.
  const start = page.getByRole('button', { name: 'Import', exact: true });
  const dates = await page.getByRole('combobox', { name: 'Date format' }).inputValue();
  await choose('Date format', 'Month, day, year');
  await page.getByText('The format changed. Update the preview before importing.').waitFor();
  expect(await start.isDisabled()).toBe(true);
  await choose('Date format', dates);
  await page.getByText('28 entries.').waitFor();
  await start.click();

  await page.getByRole('heading', { level: 1, name: 'november.csv' }).waitFor();
  await page.getByText('Queued', { exact: true }).waitFor();
  await importer.startQueued();
  await page.getByText('1 matched · 26 to review · 1 outgoing').waitFor();
  await page.getByText('26 transfers could not be matched automatically').waitFor();
  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download file' }).click();
  expect((await download).suggestedFilename()).toBe('november.csv');
  // What waits goes on over the page's end.
  const waiting = page.getByRole('table', { name: 'Transfers' }).getByRole('link', { name: /WHO/ });
  expect(await waiting.count()).toBe(25);
  await page.getByRole('button', { name: 'Next' }).click();
  await expect.poll(() => waiting.count()).toBe(1);
  await waiting.click();
  await page.getByRole('heading', { level: 1 }).getByText('$5.00 HKD').waitFor();

  await page.goto(`${site.url}/dashboard/statements/new`);
  await page.getByLabel('Statement file').setInputFiles(file('again.csv', csv));
  await page.getByText('Choose an account to preview the file').waitFor();
  // How it would be read for an account that was chosen by mistake comes late, and shows no more.
  const mistaken = await holdResponse(page, 'PreviewStatement');
  await chooseAccount('9000000');
  await chooseAccount(account);
  await page.getByText('Uses the format of this account’s earlier files.').waitFor();
  await mistaken.release();
  await page.getByText('28 entries.').waitFor();
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'november.csv' }).waitFor();
  await page.getByRole('status').getByText('This file was already imported').waitFor();
  await page.getByText('1 matched · 26 to review · 1 outgoing').waitFor();

  await page.getByRole('link', { name: 'Statements', exact: true }).first().click();
  await page.getByRole('link', { name: 'november.csv' }).click();
  await page.getByRole('heading', { level: 1, name: 'november.csv' }).waitFor();
  expect(await page.getByText('This file was already imported').count()).toBe(0);
});

test('broken files say what is wrong, and where', async () => {
  const { receivingAccountId } = await seedCharge(site.service, site.merchant, { now: new Date() });
  const page = await site.open(`/statements/new?account=${receivingAccountId}`, desktop);
  const chooser = page.getByLabel('Statement file');
  await chooser.setInputFiles(file('broken.xml', camtXml(`${ntry()}\n${ntry().replace('CRDT', 'BOTH')}`)));
  await page.getByText(/^Line \d+: <CdtDbtInd> "BOTH" is neither CRDT nor DBIT$/).waitFor();
  await chooser.setInputFiles(file('book.xlsx', 'PK\u0003\u0004'));
  await page.getByText('this is an Excel workbook').waitFor();
});

test('the list says what has been imported, and the page of what stopped how far it came', async () => {
  const { service, merchant } = site;
  const { paymentReference: nonce, receivingAccountId } = await seedCharge(service, merchant);
  const lines = { ...csvLines(nonce, 28), receivingAccountId, now: noon };
  const { id } = await importFile(service, merchant, lines);
  const page = await site.open('/statements', desktop);
  const row = page.getByRole('table', { name: 'Statements' }).getByRole('row').nth(1);
  await row.getByText('Imported', { exact: true }).waitFor();
  const data = { status: 'failed', recordedCount: 27, errorReason: 'a fault' } as const;
  await service.prisma.statement.update({ where: { id }, data });
  await row.getByRole('link').click();
  await page.getByRole('alert').getByText('Stopped after 27 of 28 entries').waitFor();
  await page.getByText('1 matched · 27 to review').waitFor();
});

test('support sees statements, and imports none', async () => {
  const page = await site.open('/statements', desktop, await site.newUser('support'));
  await page.getByText('No statements yet').waitFor();
  expect(await page.getByRole('link', { name: 'Import statement' }).count()).toBe(0);
});
