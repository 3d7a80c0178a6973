import { expect } from 'vitest';
import { runImport } from '../../src/domain/money-in/statement/import/run-import.ts';
import { claimStatement } from '../../src/domain/money-in/statement/transition-statement.ts';
import { runUndo } from '../../src/domain/money-in/statement/undo/run-undo.ts';
import { dismissTransfers } from '../../src/domain/money-in/transfer/review/dismiss-transfers.ts';
import { createRefund } from '../../src/domain/payments/refund/create-refund.ts';
import { submitRefundDetails } from '../../src/domain/payments/refund/submit-refund-details.ts';
import { findOverflow } from '../setup/accessibility.ts';
import { desktop } from '../setup/browser.ts';
import { dashboardTest as test } from '../setup/dashboard-site.ts';
import { csvLines, importFile, queueFile } from '../setup/import-file.ts';
import { payeeAccount } from '../setup/payouts.ts';
import { seedCharge } from '../setup/seed.ts';
import {
  balancedMt940Text,
  booking,
  camtXml,
  csvMapping,
  mt940Text,
  ntry,
} from '../setup/statement-files.ts';

test('an import is undone after its consequences were shown, and its charge waits for a review', async ({
  site,
}) => {
  const { service, merchant } = site;
  const now = new Date();
  const charge = await seedCharge(service, merchant);
  const { receivingAccountId } = charge;
  const lines = csvLines(charge.paymentReference, 3);
  const { id } = await importFile(service, merchant, { ...lines, receivingAccountId, now });
  const page = await site.open(`/statements/${id}`, desktop);
  await page.getByRole('button', { name: 'Undo import' }).click();
  const dialog = page.getByRole('dialog', { name: 'Undo this import?' });
  await dialog.getByText('3 transfers will be removed from your totals.').waitFor();
  await dialog.getByText('1 completed charge will show a lower received amount.').waitFor();
  await dialog.getByRole('button', { name: 'Undo import' }).click();
  await page.getByText('0 of 3 transfers undone.').waitFor();
  await page.getByText('Undoing', { exact: true }).waitFor();
  const claimed = await claimStatement(service, { id, systemNow: now });
  await runUndo(service, { statement: claimed!, clock: { now: () => now } });
  await page.getByText('This import was undone').waitFor();
  expect(await page.getByRole('button', { name: 'Undo import' }).count()).toBe(0);

  // The transfer of the completed charge needs review.
  await page.getByRole('table', { name: 'Transfers' }).getByRole('link').first().click();
  await page.getByText('Its statement was undone, but its charge had already been completed.').waitFor();
  await page.getByText('No longer applied: the statement was undone').waitFor();
  await page.getByRole('button', { name: 'Mark as reviewed' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Mark as reviewed' }).click();
  await page.getByText('Undone', { exact: true }).first().waitFor();
});

test('an import whose money was refunded names the refund and cannot be undone', async ({ site }) => {
  const { service, merchant } = site;
  const now = new Date();
  const charge = await seedCharge(service, merchant);
  const { receivingAccountId } = charge;
  const lines = csvLines(charge.paymentReference, 1);
  const { id } = await importFile(service, merchant, { ...lines, receivingAccountId, now });
  const owner = { merchantId: merchant.merchant.id, mode: 'live' as const, actor: 'user:ada', now };
  const input = { chargeId: charge.id, customerAmount: 1 };
  const { refund } = await createRefund(service, { ...owner, input });
  await submitRefundDetails(service, { ...owner, id: refund.id, details: payeeAccount });
  const page = await site.open(`/statements/${id}`, desktop);
  await page.getByRole('button', { name: 'Undo import' }).click();
  const dialog = page.getByRole('dialog', { name: 'Undo this import?' });
  await dialog.getByRole('link', { name: refund.id }).waitFor();
  await dialog.getByRole('button', { name: 'Undo import' }).click();
  await dialog.getByText('because refunds depend on its money').waitFor();
});

test('a movement of an interim report is pending until its booking is imported', async ({ site }) => {
  const { service, merchant } = site;
  const now = new Date();
  const charge = await seedCharge(service, merchant, { now });
  const { receivingAccountId, paymentReference } = charge;
  const date = now.toISOString().slice(0, 10);
  const entries = booking({ date, reference: 'R1', text: paymentReference });
  const report = camtXml(entries, { message: '052' });
  const { id } = await importFile(service, merchant, { content: report, receivingAccountId, now });
  const page = await site.open(`/statements/${id}`, { viewport: { width: 390, height: 844 } });
  const table = page.getByRole('table', { name: 'Entries that aren’t booked yet' });
  await table.getByText(paymentReference).waitFor();
  await table.getByText('Pending', { exact: true }).waitFor();
  expect(await findOverflow(page)).toEqual([]);
  await importFile(service, merchant, { content: camtXml(entries), receivingAccountId, now });
  await page.reload();
  await table.getByText('Matched', { exact: true }).waitFor();
  await table.getByRole('link', { name: 'View transfer' }).click();
  await page.getByText(paymentReference).first().waitFor();
});

test('a queued import is cancelled', async ({ site }) => {
  const { service, merchant } = site;
  const charge = await seedCharge(service, merchant);
  const { receivingAccountId } = charge;
  const lines = csvLines(charge.paymentReference, 2);
  const { statement } = await queueFile(service, merchant, { ...lines, receivingAccountId, now: new Date() });
  const page = await site.open(`/statements/${statement.id}`, desktop);
  await page.getByRole('button', { name: 'Cancel import' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel import' }).click();
  await page.getByText('The import was cancelled.').waitFor();
  expect(await page.getByRole('button', { name: 'Undo import' }).count()).toBe(0);
});

test('support users can neither cancel nor undo an import, whose counts are those of now', async ({
  site,
}) => {
  const { service, merchant } = site;
  const charge = await seedCharge(service, merchant);
  const { receivingAccountId } = charge;
  const lines = csvLines(charge.paymentReference, 2);
  const { id } = await importFile(service, merchant, { ...lines, receivingAccountId, now: new Date() });
  const page = await site.open(`/statements/${id}`, desktop, await site.newUser('support'));
  await page.getByText('1 matched · 1 to review').waitFor();
  expect(await page.getByRole('button', { name: 'Undo import' }).count()).toBe(0);
  const where = { statementId: id, status: 'exception' } as const;
  const { merchantId, mode, id: transferId } = await service.prisma.transfer.findFirstOrThrow({ where });
  const audit = { actor: 'user:test', now: new Date() };
  await dismissTransfers(service, {
    merchantId,
    mode,
    input: { transferIds: [transferId] },
    audit,
    now: audit.now,
  });
  await page.reload();
  await page.getByText('1 matched · 1 reviewed').waitFor();
  await page.goto(`${site.url}/dashboard/statements?status=failed`);
  await page.getByText('No statements found').waitFor();
  await page.goto(`${site.url}/dashboard/statements?status=completed&account=${receivingAccountId}`);
  await page.getByText('1 statement', { exact: true }).waitFor();
});

test('a line that may be listed again shows the earlier one, and is marked as its duplicate', async ({
  site,
}) => {
  const { service, merchant } = site;
  const now = new Date();
  const { receivingAccountId } = await seedCharge(service, merchant);
  const importLine = (text: string) =>
    importFile(service, merchant, {
      content: `Date,Amount,Text,Payer\n2026-11-17,4321,${text},CHAN TAI MAN\n`,
      mapping: csvMapping({ referenceColumns: ['Text'], payerNameColumn: 'Payer' }),
      ...{ receivingAccountId, now },
    });
  await importLine('FPS TRANSFER');
  const { id: statementId } = await importLine('FPS 17NOV TRANSFER FROM CHAN TAI MAN');
  const { id } = await service.prisma.transfer.findFirstOrThrow({ where: { statementId } });
  const page = await site.open(`/transfers/${id}`, desktop);
  const earlier = page.getByRole('list', { name: 'Recorded earlier' }).getByRole('listitem');
  await earlier.getByText('FPS TRANSFER').waitFor();
  expect(await findOverflow(page)).toEqual([]);
  await earlier.getByRole('button', { name: 'Mark as duplicate of CHAN TAI MAN' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Mark as duplicate' }).click();
  await page.getByText('Duplicate. Applied to no charge and part of no total.').waitFor();
  await page.getByText('Original transfer: CHAN TAI MAN').waitFor();
  await page.getByText('Marked as a duplicate').waitFor();
  await page.getByText(/ · by you$/).waitFor();
  const dialog = page.getByRole('dialog');
  await page.getByRole('button', { name: 'Mark as not a duplicate' }).click();
  await dialog.getByRole('button', { name: 'Mark as not a duplicate' }).click();
  // The second payment of a customer is assigned instead.
  await page.getByRole('button', { name: 'Mark as duplicate' }).click();
  await dialog.getByText('If the customer really paid twice').waitFor();
  await dialog.getByRole('button', { name: 'Assign instead' }).click();
  await page.getByRole('dialog', { name: 'Assign to a charge' }).waitFor();
});

test('a statement of a later version of camt shows as which version it was read', async ({ site }) => {
  const { service, merchant } = site;
  const { receivingAccountId } = await seedCharge(service, merchant);
  const content = camtXml(ntry({ reference: '<AcctSvcrRef>LATER1</AcctSvcrRef>' }), { version: 14 });
  const { id } = await importFile(service, merchant, { content, receivingAccountId, now: new Date() });
  const page = await site.open(`/statements/${id}`, desktop);
  await page.getByText('Camt.053.001.14 is a later version than camt.053.001.13').waitFor();
});

test('an import that does not add up shows its differences and is imported after a confirmation', async ({
  site,
}) => {
  const { service, merchant } = site;
  const now = new Date();
  const { receivingAccountId } = await seedCharge(service, merchant);
  const content = mt940Text(':61:261120C30,NTRFNONREF\n:86:no reference');
  const { id } = await importFile(service, merchant, { content, receivingAccountId, now });
  const page = await site.open(`/statements/${id}`, desktop);
  await page.getByText('Needs confirmation', { exact: true }).waitFor();
  await page.getByText(/Closing balance: the bank reports HK\$100.00, but the file has HK\$30.00/).waitFor();
  await page.getByRole('button', { name: 'Import anyway' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Import anyway' }).click();
  await page.getByText('Queued', { exact: true }).waitFor();
  const claimed = await claimStatement(service, { id, systemNow: now });
  await runImport(service, { statement: claimed!, clock: { now: () => now } });
  await page.getByText('1 to review').waitFor();
});

test('the reconciliation shows a gap between two statements, with links to both', async ({ site }) => {
  const { service, merchant } = site;
  const now = new Date();
  const { receivingAccountId } = await seedCharge(service, merchant);
  const first = balancedMt940Text(':61:261120C30,NTRFNONREF//G1\n:86:no reference');
  const later = mt940Text(':61:261124C5,NTRFNONREF//G2\n:86:no reference')
    .replace(':60F:C261119HKD0,', ':60F:C261123HKD50,')
    .replace(':62F:C261120HKD100,', ':62F:C261124HKD55,');
  const before = await importFile(service, merchant, { content: first, receivingAccountId, now });
  const after = await importFile(service, merchant, { content: later, receivingAccountId, now });
  const page = await site.open('/reconciliation?from=2026-11-01&to=2026-11-30', desktop);
  await page.waitForLoadState();
  const gap = page.getByRole('alert').filter({ hasText: 'Statements are missing or contradict each other' });
  expect(await gap.count()).toBe(0);
  await service.prisma.statement.update({
    where: { id: after.id },
    data: { status: 'queued', confirmedBy: 'user:ada', confirmedAt: now },
  });
  const claimed = await claimStatement(service, { id: after.id, systemNow: now });
  await runImport(service, { statement: claimed!, clock: { now: () => now } });
  await page.reload();
  await gap.getByText('(difference HK$20.00)').waitFor();
  await gap.getByText('on 23 Nov 2026').waitFor();
  const targets = await gap
    .getByRole('link')
    .evaluateAll((links) => links.map((link) => link.getAttribute('href')));
  expect(targets.map((href) => href?.split('/').at(-1))).toEqual([before.id, after.id]);
});
