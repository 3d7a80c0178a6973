import type { Locator, Page } from 'playwright-core';
import { describe, expect, onTestFinished } from 'vitest';
import type { Charge } from '../../prisma/client/client.ts';
import { startImporter } from '../../src/domain/money-in/statement/import/start-importer.ts';
import { systemClock } from '../../src/kit/clock.ts';
import { newId } from '../../src/kit/id.ts';
import { type MethodCode, paymentMethods } from '../../src/method/catalog.ts';
import { getText } from '../../src/method/emv.ts';
import { renderQrPng } from '../../src/method/qr-png.ts';
import { readEmv } from '../../src/method/read-emv.ts';
import { findOverflow } from '../setup/accessibility.ts';
import { desktop, readQr } from '../setup/browser.ts';
import { signInByForm } from '../setup/browser-sign-in.ts';
import { testHost } from '../setup/chromium.ts';
import { type DashboardSite, dashboardTest as test } from '../setup/dashboard-site.ts';
import { throwError } from '../setup/errors.ts';
import { csvLines, importFile } from '../setup/import-file.ts';
import { holdResponse } from '../setup/intercept-response.ts';
import { createPhoto, createPicture } from '../setup/pictures.ts';
import { findCodeForm, seedReceivingAccount } from '../setup/receiving-accounts.ts';
import { noon, seedCharge } from '../setup/seed.ts';
import { setPublicUrl } from '../setup/service.ts';
import { camtXml, ntry } from '../setup/statement-files.ts';
import { payCharge, reverseOne, transferInput } from '../setup/transfers.ts';

const seedNewCharge = (site: DashboardSite, email: string, mode: 'live' | 'sandbox' = 'live') =>
  seedCharge(site.service, site.merchant, { mode, input: { email }, now: new Date() });

async function chooseCharge(dialog: Locator, label: string, { email }: Charge): Promise<void> {
  await dialog.getByLabel(label).fill(email!);
  await dialog.page().getByRole('option').filter({ hasText: email! }).click();
}

async function recordTransfer(
  site: DashboardSite,
  charge: Charge,
  minor: bigint,
  reference: string,
): Promise<string> {
  const details = { minor, reference, payerName: 'LAU KA YAN' };
  return (await payCharge(site.service, site.merchant, charge, details)).transferId!;
}

async function recordReversal(
  site: DashboardSite,
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

const statementsTest = test.extend('importer', { scope: 'file' }, ({ dashboard, onFileCleanup }) => {
  const { service } = dashboard.testApp.context;
  const importer = startImporter(service, { clock: systemClock, onError: throwError });
  onFileCleanup(() => importer.stop());
  return importer;
});

/** Seeds more than a page of accounts after the given one; returns its account number. */
async function seedNewerAccounts(site: DashboardSite, id: string): Promise<string> {
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

const accountsTest = test.extend('merchantInput', () => ({ hasDemoAccounts: false }));

const readAccount = (site: DashboardSite) =>
  site.service.prisma.receivingAccount.findFirstOrThrow({
    where: { merchantId: site.merchant.merchant.id, mode: 'live' },
    orderBy: { id: 'desc' },
  });

const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name });

/** Reads the QR code on the page, as a payment app does. */
const scan = async (page: Page, code: Locator) =>
  readQr({ context: page.context() }, await code.screenshot());

test('an unmatched transfer is assigned to the suggested charge, unassigned, and split', async ({ site }) => {
  const charge = await seedNewCharge(site, 'ada@example.com');
  const other = await seedNewCharge(site, 'bo@example.com');
  await recordTransfer(site, charge, 12_850n, 'coffee');
  const page = await site.open('/transfers', desktop);
  await page.getByRole('combobox', { name: 'Status' }).click();
  await page.getByRole('option', { name: 'Needs review' }).click();
  await page.getByRole('link', { name: 'LAU KA YAN' }).click();
  await page.getByText('No payment reference found').waitFor();
  const suggestion = page.getByRole('listitem').filter({ hasText: 'ada@example.com' });
  await suggestion.getByRole('button', { name: 'Assign' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Note').fill('reported by phone');
  await dialog.getByRole('button', { name: 'Assign' }).click();
  await page.getByText('HK$128.50 · Assigned').waitFor();
  await page.getByText('“reported by phone”').waitFor();
  const paid = () => site.service.prisma.charge.findUniqueOrThrow({ where: { id: charge.id } });
  expect(await paid()).toMatchObject({ status: 'completed' });

  await page.getByRole('button', { name: 'Unassign' }).click();
  await dialog.getByRole('button', { name: 'Unassign' }).click();
  await page.getByText('A decision about the transfer was undone').waitFor();
  await page.getByRole('button', { name: 'Assign', exact: true }).click();
  await chooseCharge(dialog, 'Charge', charge);
  await dialog.getByText('The charge is already paid').waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Split' }).click();
  await chooseCharge(dialog, 'Charge 1', other);
  await dialog.getByLabel('Amount (HKD)').first().fill('28.50');
  await chooseCharge(dialog, 'Charge 2', charge);
  await dialog.getByRole('button', { name: 'Split' }).click();
  await page.getByText('HK$28.50 · Assigned').waitFor();
  await page.getByText('HK$100.00 · Assigned').waitFor();
});

test('a transfer with the references of two charges is split as suggested', async ({ site }) => {
  const charge = await seedNewCharge(site, 'ada@example.com');
  const other = await seedNewCharge(site, 'bo@example.com');
  const id = await recordTransfer(
    site,
    charge,
    25_700n,
    `${charge.paymentReference} ${other.paymentReference}`,
  );
  const page = await site.open(`/transfers/${id}`, desktop);
  const split = page.getByRole('group', { name: 'Suggested split' });
  await split.getByText('HK$128.50 for ada@example.com').waitFor();
  await page.getByText('Payment reference matches').first().waitFor();
  await split.getByRole('button', { name: 'Apply split' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Split' }).click();
  await page.getByText('HK$128.50 · Assigned').first().waitFor();
  const charges = await site.service.prisma.charge.findMany({ where: { id: { in: [charge.id, other.id] } } });
  expect(charges.map(({ status }) => status)).toEqual(['completed', 'completed']);
});

test('a transfer is marked as returned on a phone, and an amount that is too high is rejected', async ({
  site,
}) => {
  const charge = await seedNewCharge(site, 'ada@example.com');
  const id = await recordTransfer(site, charge, 4_000n, 'hello');
  const page = await site.open(`/transfers/${id}`);
  await page.getByText('No suggested matches.').waitFor();
  await page.getByRole('button', { name: 'Mark as returned' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Amount (HKD)').fill('41');
  await dialog.getByRole('button', { name: 'Mark as returned' }).click();
  await dialog.getByRole('alert').filter({ hasText: 'Only 40.00 HKD' }).waitFor();
  await dialog.getByLabel('Amount (HKD)').fill('40');
  await dialog.getByRole('button', { name: 'Mark as returned' }).click();
  await page.getByText('HK$40.00 · Returned to payer').waitFor();
  expect(await findOverflow(page)).toEqual([]);
});

test('a duplicate is not applied, and a reversed transfer is acknowledged', async ({ site }) => {
  const charge = await seedNewCharge(site, 'ada@example.com');
  const first = await recordTransfer(site, charge, 4_000n, 'hello');
  const second = await recordTransfer(site, charge, 4_000n, 'hello again');
  const paid = await recordTransfer(site, charge, 12_850n, charge.paymentReference);
  await recordReversal(site, charge.receivingAccountId, 12_850n, charge.paymentReference);

  const page = await site.open(`/transfers/${second}`, desktop);
  const dialog = page.getByRole('dialog');
  await page.getByRole('button', { name: 'Mark as duplicate' }).click();
  await dialog.getByRole('button', { name: 'Mark as duplicate' }).click();
  await dialog.getByText('Choose the original transfer from the list.').waitFor();
  const picker = dialog.getByLabel('Original transfer');
  await picker.fill('128.50');
  await page.getByText('No transfer of this amount found on the same account').waitFor();
  // Without a text, the transfers of the same amount are suggested.
  await picker.fill('');
  await picker.click();
  expect(await page.getByRole('option').count()).toBe(1);
  await page.getByRole('option').click();
  await dialog.getByRole('button', { name: 'Mark as duplicate' }).click();
  await page.getByText('Duplicate. Applied to no charge and part of no total.').waitFor();
  expect(await page.getByRole('button', { name: 'Assign' }).count()).toBe(0);

  await page.getByRole('link', { name: 'Transfers' }).first().click();
  await page.getByRole('row', { name: 'Needs review Reversed' }).getByRole('link').first().click();
  await page.getByText('The bank reversed the transfer').waitFor();
  await page.getByText('HK$128.50 · Reversed by the bank', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Mark as reviewed' }).click();
  await dialog.getByRole('button', { name: 'Mark as reviewed' }).click();
  await expect.poll(() => page.getByRole('button', { name: 'Mark as reviewed' }).count()).toBe(0);
  const { prisma } = site.service;
  const rows = await prisma.transfer.findMany({ where: { id: { in: [first, second, paid] } } });
  const statuses = new Map(rows.map(({ id, status }) => [id, status]));
  expect([first, second, paid].map((id) => statuses.get(id))).toEqual(['exception', 'duplicate', 'returned']);
});

test('a reversal that may be a duplicate is marked as one', async ({ site }) => {
  const charge = await seedNewCharge(site, 'bob@example.com');
  await recordTransfer(site, charge, 7_700n, 'rent');
  await recordReversal(site, charge.receivingAccountId, 7_700n, 'rent');
  const otherSource = { fileKind: 'mt940', status: 'exception' } as const;
  const unmatched = await recordReversal(site, charge.receivingAccountId, 7_700n, 'rent', otherSource);
  const page = await site.open(`/transfers/${unmatched}`, desktop);
  await page
    .getByText('Another source or file reported a transfer of the same amount, which may be the same money')
    .waitFor();
  await page.getByRole('button', { name: 'Mark as duplicate' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Original transfer').click();
  await page.getByRole('option').click();
  await dialog.getByRole('button', { name: 'Mark as duplicate' }).click();
  await page.getByText('Duplicate. Applied to no charge and part of no total.').waitFor();
});

test('a transfer is recorded manually, and simulated from the charge in the sandbox', async ({ site }) => {
  const charge = await seedNewCharge(site, 'ada@example.com');
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
  // The dialog stays open during the request, because its result would be lost.
  const recording = await holdResponse(page, 'RecordTransfer');
  await dialog.getByRole('button', { name: 'Record' }).click();
  await page.keyboard.press('Escape');
  await recording.release();
  await dialog.getByRole('alert').waitFor();
  await dialog.getByLabel('Amount (HKD)').fill('128.50');
  await dialog.getByRole('button', { name: 'Record' }).click();
  await page.getByText('HK$128.50 · Matched').waitFor();
  await page.getByText('Manual', { exact: true }).waitFor();

  const tried = await seedNewCharge(site, 'sandbox@example.com', 'sandbox');
  await page.getByText('Sandbox', { exact: true }).click();
  await page.getByText('No real money moves').waitFor();
  await page.goto(`${site.url}/dashboard/charges/${tried.id}`);
  await page.getByRole('button', { name: 'Simulate payment' }).click();
  await dialog.getByRole('combobox', { name: 'Scenario' }).click();
  await page.getByRole('option', { name: 'Underpayment' }).click();
  await dialog.getByRole('button', { name: 'Simulate' }).click();
  await page.getByRole('main').getByText('Part payment received').waitFor();
});

test('a transfer is recorded manually over http, without the APIs of secure contexts', async ({ site }) => {
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
  await page.getByRole('heading', { level: 1 }).getByText('HK$40.00').waitFor();
});

statementsTest(
  'a CSV file is previewed, corrected and imported once, and links to its unmatched transfers',
  {
    timeout: 120_000,
  },
  async ({ site, importer }) => {
    const charge = await seedCharge(site.service, site.merchant, { now: new Date() });
    const account = await seedNewerAccounts(site, charge.receivingAccountId);
    const day = charge.createdAt.toISOString().slice(0, 10);
    const others = Array.from({ length: 25 }, (_, i) => `${day};AND WHO ${i};5,00;\n`).join('');
    const csv = `Savings,012\nDay;Text;In;Out\n${day};FPS ${charge.paymentReference};128,50;\n${day};WHO IS THIS;5,00;\n${day};FEE;;2,00\n${others}`;
    const page = await site.open('/statements', desktop);
    await page.getByText('No statements yet').waitFor();
    await page.getByRole('link', { name: 'Import statement' }).click();
    await page.getByLabel('Statement file').setInputFiles(file('november.csv', csv));
    // With several accounts, none is selected by default.
    await page.getByText('Choose an account to preview the file').waitFor();
    const chooseAccount = async (number: string) => {
      await page.getByRole('combobox', { name: 'Account' }).fill(number.slice(1));
      await page.getByRole('option', { name: `FPS · ${number} · HKD`, exact: true }).click();
    };
    await chooseAccount(account);

    // The headers are unknown, so that the user assigns the columns.
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
      .getByText('Pays charge: ')
      .getByRole('link', { name: charge.email! })
      .waitFor();
    await rows.getByRole('row', { name: 'WHO IS THIS' }).getByText('Will need review').waitFor();
    await page.getByText('28 entries.').waitFor();
    // The preview must match the format before the import.
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
    await importer.startDue();
    await page.getByText('1 matched · 26 to review · 1 outgoing').waitFor();
    await page.getByText('26 transfers couldn’t be matched automatically').waitFor();
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Download file' }).click();
    expect((await download).suggestedFilename()).toBe('november.csv');
    // Unmatched transfers have several pages.
    const unmatched = page.getByRole('table', { name: 'Transfers' }).getByRole('link', { name: /WHO/ });
    expect(await unmatched.count()).toBe(25);
    await page.getByRole('button', { name: 'Next' }).click();
    await expect.poll(() => unmatched.count()).toBe(1);
    await unmatched.click();
    await page.getByRole('heading', { level: 1 }).getByText('HK$5.00').waitFor();

    await page.goto(`${site.url}/dashboard/statements/new`);
    // The account of the last import is selected. The format needs no change, so that it is folded.
    const selected = page.getByRole('combobox', { name: 'Account' });
    await expect.poll(() => selected.inputValue()).toBe(`FPS · ${account} · HKD`);
    await page.getByLabel('Statement file').setInputFiles(file('again.csv', csv));
    await rows.getByText('Already recorded').first().waitFor();
    expect(await page.getByRole('combobox', { name: 'Delimiter' }).isVisible()).toBe(false);
    // A late preview for the account selected before is ignored.
    const latePreview = await holdResponse(page, 'PreviewStatement');
    await chooseAccount('9000000');
    await chooseAccount(account);
    await page.getByText('Uses the format of this account’s earlier files.').waitFor();
    await latePreview.release();
    await page.getByText('28 entries.').waitFor();
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'november.csv' }).waitFor();
    await page.getByRole('status').getByText('This file was already imported').waitFor();
    await page.getByText('1 matched · 26 to review · 1 outgoing').waitFor();

    await page.getByRole('link', { name: 'Statements', exact: true }).first().click();
    await page.getByRole('link', { name: 'november.csv' }).click();
    await page.getByRole('heading', { level: 1, name: 'november.csv' }).waitFor();
    expect(await page.getByText('This file was already imported').count()).toBe(0);
  },
);

test('dates that can be read in two ways are asked about before the import', async ({ site }) => {
  const { receivingAccountId } = await seedCharge(site.service, site.merchant, { now: new Date() });
  const page = await site.open(`/statements/new?account=${receivingAccountId}`, desktop);
  const csv = 'Date,Amount,Memo\n02/03/2026,5.00,A\n02/03/2026,-7.00,B\n';
  await page.getByLabel('Statement file').setInputFiles(file('march.csv', csv));
  await page.getByText('Which part of the date 02/03/2026 is the day?').waitFor();
  const importButton = page.getByRole('button', { name: 'Import', exact: true });
  expect(await importButton.isDisabled()).toBe(true);
  await page.getByLabel('The second: month, day, year').check();
  await page.getByRole('button', { name: 'Apply answers' }).click();
  await page.getByText('3 Feb 2026').first().waitFor();
  expect(await importButton.isEnabled()).toBe(true);
});

test('invalid files display the error and its line', async ({ site }) => {
  const { receivingAccountId } = await seedCharge(site.service, site.merchant, { now: new Date() });
  const page = await site.open(`/statements/new?account=${receivingAccountId}`, desktop);
  const chooser = page.getByLabel('Statement file');
  await chooser.setInputFiles(file('broken.xml', camtXml(`${ntry()}\n${ntry().replace('CRDT', 'BOTH')}`)));
  await page.getByText(/^Line \d+: <CdtDbtInd> "BOTH" is neither CRDT nor DBIT$/).waitFor();
  await chooser.setInputFiles(file('november.pdf', '%PDF-1.7'));
  await page.getByText('this is a PDF: ask the bank').waitFor();
});

test('the list displays the state of imports, and the page of a failed one its progress', async ({
  site,
}) => {
  const { service, merchant } = site;
  const { paymentReference: nonce, receivingAccountId } = await seedCharge(service, merchant);
  const lines = { ...csvLines(nonce, 28), receivingAccountId, now: noon };
  const { id } = await importFile(service, merchant, lines);
  const page = await site.open('/statements', desktop);
  const row = page.getByRole('table', { name: 'Statements' }).getByRole('row').nth(1);
  await row.getByText('Imported', { exact: true }).waitFor();
  const data = { status: 'failed', recordedCount: 27, failureReason: 'an error' } as const;
  await service.prisma.statement.update({ where: { id }, data });
  await row.getByRole('link').click();
  await page.getByRole('alert').getByText('Stopped after 27 of 28 entries').waitFor();
  await page.getByText('1 matched · 27 to review').waitFor();
});

test('support users see statements, but cannot import them', async ({ site }) => {
  const page = await site.open('/statements', desktop, await site.newUser('support'));
  await page.getByText('No statements yet').waitFor();
  expect(await page.getByRole('link', { name: 'Import statement' }).count()).toBe(0);
});

describe('receiving accounts', () => {
  test('a demo account beside an own account of its method is deactivated from the list, and from the page of the own account', async ({
    site,
  }) => {
    const { service, merchant } = site;
    const page = await site.open('/receiving-accounts', desktop);
    await page.getByRole('table', { name: 'Receiving accounts' }).waitFor();
    const alert = page.getByRole('alert').filter({ hasText: 'Demo accounts still receive payments' });
    expect(await alert.count()).toBe(0);
    const own = await seedReceivingAccount(service, merchant, {}, new Date());
    await page.reload();
    await alert
      .getByText('Some customers who pay by FPS are asked to send money to the fictional demo account')
      .waitFor();
    await page.setViewportSize({ width: 360, height: 740 });
    expect(await findOverflow(page)).toEqual([]);
    await page.goto(`${site.url}/dashboard/receiving-accounts/${own.id}`);
    await alert.getByRole('button', { name: 'Deactivate the FPS demo account' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Deactivate account' }).click();
    await alert.waitFor({ state: 'detached' });
    const scope = { merchantId: merchant.merchant.id, mode: 'live' } as const;
    const active = { ...scope, method: 'fps', status: 'active' } as const;
    expect(await service.prisma.receivingAccount.findMany({ where: active })).toMatchObject([{ id: own.id }]);
  });

  accountsTest(
    'a printed QR code of DuitNow, QRIS or QR Ph is read from a file and from a photo',
    async ({ site }) => {
      const page = await site.open('/receiving-accounts/new', { ...desktop, mode: 'live' });
      const startAccount = async (method: MethodCode) => {
        await page.goto(`${site.url}/dashboard/receiving-accounts/new`);
        await page.getByRole('combobox', { name: 'Payment method' }).click();
        await page.getByRole('option', { name: paymentMethods[method].name }).click();
      };
      const upload = async (buffer: Buffer) => {
        const chooser = page.waitForEvent('filechooser');
        await page.getByRole('button', { name: 'Upload QR code' }).click();
        await (await chooser).setFiles({ name: 'qr.png', mimeType: 'image/png', buffer });
      };
      for (const method of ['duit-now', 'gojek-id', 'instapay'] as const) {
        const { code, form } = findCodeForm(method);
        await startAccount(method);
        if (method === 'instapay') await page.getByRole('radio', { name: form }).check();
        const field = page.getByPlaceholder('000201…');
        await field.waitFor();
        for (const picture of [renderQrPng(code), createPhoto(code)]) {
          await field.fill('');
          await upload(picture);
          await expect.poll(() => field.inputValue()).toBe(code);
        }
        await page.getByRole('button', { name: 'Add account' }).click();
        const sample = page.getByRole('img', { name: /Sample QR code/ });
        await sample.waitFor();
        const { details, holder } = await readAccount(site);
        expect(Object.values(details as object)).toContain(code);
        expect(holder).toBe(getText(readEmv(code, ''), '59'));
      }
      await startAccount('gojek-id');
      await upload(createPicture({ width: 300, height: 300 }));
      await page.getByText('No QR code was found').waitFor();
    },
  );

  accountsTest(
    'an account is created with the fields of its method, previewed, changed, deactivated and reactivated, on a phone too',
    async ({ site }) => {
      const page = await site.open('/receiving-accounts', { ...desktop, mode: 'live' });
      await page.getByText('No accounts yet').waitFor();
      const responded = page.waitForResponse((response) =>
        /query PaymentMethods/.test(response.request().postData() ?? ''),
      );
      await page.getByRole('link', { name: 'Charges', exact: true }).click();
      await (await responded).finished();
      await page.getByRole('link', { name: 'Receiving accounts' }).click();
      await page.getByRole('link', { name: 'New account' }).click();
      await heading(page, 'New receiving account').waitFor();

      await page.getByRole('combobox', { name: 'Payment method' }).click();
      await page.getByRole('option', { name: 'PromptPay · TH' }).click();
      await page.getByLabel('Thai mobile number registered for PromptPay').waitFor();
      expect(await page.getByLabel('FPS identifier').count()).toBe(0);
      const uniqueAmounts = page.getByLabel('Match payments by unique amounts');
      expect(await uniqueAmounts.isChecked()).toBe(true);
      await page.getByRole('radio', { name: 'Bill payment, with a payment reference' }).check();
      await page.getByLabel('Biller ID issued by the bank').waitFor();
      expect(await uniqueAmounts.count()).toBe(0);
      await page
        .getByRole('radio', { name: 'Payment by mobile number, without a payment reference' })
        .check();
      expect(await uniqueAmounts.isChecked()).toBe(true);
      await page.getByLabel('Thai mobile number').fill('12');
      await page.getByLabel('Holder').fill('Harbour Teas Co');
      await page.getByLabel('Maximum amount (THB)').fill('abc');
      await page.getByRole('button', { name: 'Add account' }).click();
      await page.getByText('Must be a decimal number, such as 12.50').waitFor();
      await page.getByLabel('Maximum amount (THB)').fill('5,000');
      await page.getByRole('button', { name: 'Add account' }).click();
      await page.getByText('Must be a Thai mobile number').waitFor();
      await page.getByLabel('Thai mobile number').fill('081 234 5678');
      await page.getByRole('button', { name: 'Add account' }).click();

      await heading(page, 'PromptPay +66812345678').waitFor();
      await page.getByText('up to 1% is added to make the amount unique').waitFor();
      expect(await readAccount(site)).toMatchObject({
        maxAmount: 500_000n,
        holder: 'Harbour Teas Co',
        maxAmountOffset: 999,
      });
      await page.getByLabel('Amount (THB)').fill('5000.01');
      await page.keyboard.press('Enter');
      await page.getByText('accepts 0.01 to 5000.00 THB').waitFor();
      await page.getByLabel('Amount (THB)').fill('128.50');
      await page.keyboard.press('Enter');
      const code = page.getByRole('img', { name: /Sample QR code/ });
      await page.getByText('accepts 0.01').waitFor({ state: 'detached' });
      await code.waitFor();
      expect(getText(readEmv(await scan(page, code), ''), '54')).toBe('128.50');

      await page.getByRole('button', { name: 'Edit' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Minimum amount (THB)').fill('6000');
      await dialog.getByLabel('Unique amounts').fill('20');
      await dialog.getByLabel('Maximum bank fee (THB)').fill('15');
      await dialog.getByLabel('Maximum bank fee rate').fill('1.5');
      await dialog.getByRole('button', { name: 'Save' }).click();
      await dialog.getByText('Must be at most').waitFor();
      await dialog.getByLabel('Minimum amount (THB)').fill('20');
      await dialog.getByRole('button', { name: 'Save' }).click();
      await page.getByText('at most 20 THB').waitFor();
      await page.getByText('1.5% per payment').waitFor();
      expect(await readAccount(site)).toMatchObject({
        minAmount: 2_000n,
        maxAmountOffset: 20,
        maxBankFee: 1_500n,
      });

      await page.getByRole('button', { name: 'Deactivate' }).click();
      await page.getByRole('dialog').getByText('still complete when they’re paid').waitFor();
      await page.getByRole('button', { name: 'Deactivate account' }).click();
      await page.getByRole('button', { name: 'Reactivate' }).waitFor();
      expect((await readAccount(site)).status).toBe('retired');
      expect(await code.count()).toBe(0);
      await page.getByRole('button', { name: 'Reactivate' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Reactivate' }).click();
      await page.getByRole('button', { name: 'Edit' }).waitFor();
      expect((await readAccount(site)).status).toBe('active');
      // The first account of all brings a method where there was none.
      await page.getByRole('link', { name: 'Charges', exact: true }).click();
      await page.getByRole('combobox', { name: 'Method' }).click();
      await page.getByRole('option', { name: 'PromptPay' }).waitFor();
      await page.goBack();
      await page.getByRole('button', { name: 'Edit' }).waitFor();

      await page.setViewportSize({ width: 360, height: 740 });
      await expect.poll(() => findOverflow(page)).toEqual([]);
      await page.getByRole('link', { name: '‹ Receiving accounts' }).click();
      const rows = page.getByRole('row');
      await rows.nth(1).waitFor();
      expect(await rows.count()).toBe(2);
      expect(await findOverflow(page)).toEqual([]);
      await page.getByRole('button', { name: 'Navigation' }).click();
      await page.getByText('Sandbox', { exact: true }).click();
      await page.getByText('Fictional bank accounts and wallets').waitFor();
      await rows.nth(13).waitFor();
      expect(await findOverflow(page)).toEqual([]);
      await page.getByRole('link', { name: 'New account' }).click();
      await page.getByText('A test account for sandbox mode').waitFor();
      expect(await findOverflow(page)).toEqual([]);
    },
  );
});
