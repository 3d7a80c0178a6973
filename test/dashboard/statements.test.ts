import { beforeAll, beforeEach, expect, test } from 'vitest';
import { buildDashboard } from '../../src/dashboard-server/build-dashboard.ts';
import type { NewMerchant } from '../../src/domain/merchant/create-merchant.ts';
import { type Importer, startImporter } from '../../src/domain/statement/start-importer.ts';
import { newId } from '../../src/kit/id.ts';
import { type TestApp, testApp } from '../setup/app.ts';
import { testBrowser } from '../setup/browser.ts';
import { camtXml, ntry } from '../setup/camt-xml.ts';
import { enterDashboard } from '../setup/enter-dashboard.ts';
import { holdAnswer } from '../setup/hold-answer.ts';
import { makeCharge, makeMerchant } from '../setup/makers.ts';
import { makeUser } from '../setup/sign-in.ts';

/** Bank statements at the dashboard, in a real browser. */

const wide = { viewport: { width: 1440, height: 900 }, acceptDownloads: true };

let served: TestApp;
let url: string;
let merchant: NewMerchant;
let importer: Importer;
const browser = testBrowser(() => url);

beforeAll(async () => {
  await buildDashboard();
  served = await testApp();
  url = await served.app.listen({ port: 0, host: '127.0.0.1' });
  const { service, clock } = served.context;
  service.settings.publicUrl = url;
  importer = startImporter(service, { clock, onFault: (error) => console.error(error) });
  return () => importer.stop();
});

beforeEach(async () => {
  merchant = await makeMerchant(served.context.service, {}, new Date());
});

async function open(path: string, user: { email: string; password: string } = merchant) {
  const { page, context } = await browser.customer(wide);
  await enterDashboard(context, url, user);
  await page.goto(`${url}/dashboard${path}`);
  return page;
}

/** More than a page of them, so that the account given is on the last page of the API; answers what customers see of it. */
async function makeNewerAccounts(id: string): Promise<string> {
  const { receivingAccount } = served.context.service.prisma;
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

test('a CSV file is sent, looked into, corrected and imported; what waits is a click away; broken files say where', {
  timeout: 60_000,
}, async () => {
  const { service } = served.context;
  const charge = await makeCharge(service, merchant, { now: new Date() });
  const account = await makeNewerAccounts(charge.receivingAccountId);
  const day = charge.createdAt.toISOString().slice(0, 10);
  const others = Array.from({ length: 25 }, (_, i) => `${day};AND WHO ${i};5,00;\n`).join('');
  const csv = `Savings,012\nDay;Text;In;Out\n${day};FPS ${charge.nonce};128,50;\n${day};WHO IS THIS;5,00;\n${day};FEE;;2,00\n${others}`;
  const page = await open('/statements');
  await page.getByText('No statements yet').waitFor();
  await page.getByRole('link', { name: 'Import a file' }).click();
  await page.getByLabel('Statement file').setInputFiles(file('november.csv', csv));
  // Of several accounts none is chosen by itself.
  await page.getByText('Choose the account it is of').waitFor();
  const chooseAccount = async (number: string) => {
    await page.getByRole('combobox', { name: 'Account' }).fill(number.slice(1));
    await page.getByRole('option', { name: `FPS · ${number} · HKD`, exact: true }).click();
  };
  await chooseAccount(account);

  // Headers that no bank writes: a person says what they are.
  await page.getByText('Guessed from the file').waitFor();
  await page.getByRole('alert').waitFor();
  expect(await page.getByRole('button', { name: 'Import', exact: true }).isDisabled()).toBe(true);
  const choose = async (label: string, option: string) => {
    await page.getByRole('combobox', { name: label, exact: true }).click();
    await page.getByRole('option', { name: option, exact: true }).click();
  };
  await choose('Between columns', 'Semicolon');
  await choose('Decimals', 'Comma: 1.234,50');
  await page.getByLabel('Lines above the header').fill('1');
  await page.getByLabel('The first row names the columns').check();
  await page.getByRole('button', { name: 'Read it so' }).click();
  await page.getByText('As you set it.').waitFor();
  await choose('Amounts', 'Credit and debit apart');
  await choose('Date', 'Day');
  await choose('Credit', 'In');
  await choose('Debit', 'Out');
  await page.getByRole('combobox', { name: 'What the payer can have written' }).fill('Text');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Read it so' }).click();
  const rows = page.getByRole('table', { name: 'First rows' });
  await rows
    .getByRole('row', { name: `FPS ${charge.nonce}` })
    .getByText('Money that came')
    .waitFor();
  await page.getByText('28 movements.').waitFor();
  // What is imported is what stands there, read as the form says.
  const start = page.getByRole('button', { name: 'Import', exact: true });
  const dates = await page.getByRole('combobox', { name: 'Dates' }).inputValue();
  await choose('Dates', 'Month, day, year');
  await page.getByText('You changed how it is read: read it so first.').waitFor();
  expect(await start.isDisabled()).toBe(true);
  await choose('Dates', dates);
  await page.getByText('28 movements.').waitFor();
  await start.click();

  await page.getByRole('heading', { level: 1, name: 'november.csv' }).waitFor();
  await page.getByText('Waits', { exact: true }).waitFor();
  await importer.begin();
  await page.getByText('1 matched · 26 waiting for you · 1 went out').waitFor();
  await page.getByText('26 could not be assigned by themselves').waitFor();
  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Get the file' }).click();
  expect((await download).suggestedFilename()).toBe('november.csv');
  // What waits goes on over the page's end.
  const waiting = page.getByRole('table', { name: 'Transfers' }).getByRole('link', { name: /WHO/ });
  expect(await waiting.count()).toBe(25);
  await page.getByRole('button', { name: 'Older' }).click();
  await expect.poll(() => waiting.count()).toBe(1);
  await waiting.click();
  await page.getByRole('heading', { level: 1 }).getByText('$5.00 HKD').waitFor();

  await page.goto(`${url}/dashboard/statements/new`);
  await page.getByLabel('Statement file').setInputFiles(file('again.csv', csv));
  await page.getByText('Choose the account it is of').waitFor();
  // How it would be read for an account that was chosen by mistake comes late, and shows no more.
  const mistaken = await holdAnswer(page, 'PreviewStatement');
  await chooseAccount('9000000');
  await chooseAccount(account);
  await page.getByText('As the files of this account were read before.').waitFor();
  await mistaken.letGo();
  await page.getByText('28 movements.').waitFor();
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'november.csv' }).waitFor();
  await page.getByRole('status').getByText('This file is known already').waitFor();
  await page.getByText('1 matched · 26 waiting for you · 1 went out').waitFor();

  await page.getByRole('link', { name: 'Statements', exact: true }).first().click();
  await page.getByRole('link', { name: 'november.csv' }).click();
  await page.getByRole('heading', { level: 1, name: 'november.csv' }).waitFor();
  expect(await page.getByText('This file is known already').count()).toBe(0);
  await page.goto(`${url}/dashboard/statements/new?account=${charge.receivingAccountId}`);
  await page
    .getByLabel('Statement file')
    .setInputFiles(file('broken.xml', camtXml(`${ntry()}\n${ntry().replace('CRDT', 'BOTH')}`)));
  await page.getByText(/^Line \d+: <CdtDbtInd> "BOTH" is neither CRDT nor DBIT$/).waitFor();
  await page.getByLabel('Statement file').setInputFiles(file('book.xlsx', 'PK\u0003\u0004'));
  await page.getByText('this is an Excel workbook').waitFor();

  await page.getByRole('link', { name: 'Statements', exact: true }).first().click();
  const list = page.getByRole('table', { name: 'Statements' });
  await list.getByRole('row', { name: 'november.csv' }).getByText('Imported', { exact: true }).waitFor();

  await service.prisma.statement.updateMany({
    data: { status: 'failed', recorded: 27, errorReason: 'a fault' },
  });
  await page.getByRole('link', { name: 'november.csv' }).click();
  await page.getByRole('alert').getByText('Stopped after 27 of 28 entries').waitFor();
  await page.getByText('1 matched · 26 waiting for you · 1 went out').waitFor();
});

test('support sees statements, and imports none', async () => {
  const { service, clock } = served.context;
  const user = await makeUser(service, {
    merchantId: merchant.merchant.id,
    email: 'sue@example.com',
    role: 'support',
    now: clock.now(),
  });
  const page = await open('/statements', user);
  await page.getByText('No statements yet').waitFor();
  expect(await page.getByRole('link', { name: 'Import a file' }).count()).toBe(0);
});
