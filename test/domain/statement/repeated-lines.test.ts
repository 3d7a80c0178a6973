import { describe, expect } from 'vitest';
import type { Charge } from '../../../prisma/client/client.ts';
import type { NewMerchant } from '../../../src/domain/accounts/merchant/create-merchant.ts';
import { reconcile } from '../../../src/domain/money-in/reconciliation/reconcile.ts';
import { findDuplicateCandidates } from '../../../src/domain/money-in/transfer/duplicates/find-duplicate-candidates.ts';
import { markTransferAsDuplicate } from '../../../src/domain/money-in/transfer/duplicates/mark-transfer-as-duplicate.ts';
import type { Service } from '../../../src/domain/platform/service.ts';
import { toStaleReads } from '../../../src/kit/stale-reads.ts';
import { getNonZeroCounts, getReceivedAmount, importFile } from '../../setup/import-file.ts';
import { checkedTest as test } from '../../setup/invariants.ts';
import { noon, seedCharge } from '../../setup/seed.ts';
import { csvMapping } from '../../setup/statement-files.ts';

const importTable = async (
  service: Service,
  merchant: NewMerchant,
  { receivingAccountId }: Charge,
  { rows, hasBalance = false }: { rows: string[]; hasBalance?: boolean },
) => {
  const statement = await importFile(service, merchant, {
    content: `Date,Amount,Text${hasBalance ? ',Balance' : ''}\n${rows.join('\n')}\n`,
    mapping: csvMapping({ referenceColumns: ['Text'], ...(hasBalance && { balanceColumn: 'Balance' }) }),
    receivingAccountId,
    now: noon,
  });
  const transfers = await service.prisma.transfer.findMany({ where: { statementId: statement.id } });
  return {
    id: statement.id,
    counts: getNonZeroCounts(statement),
    reasons: transfers.map(({ reason }) => reason),
  };
};

const findTransfer = (service: Service, statementId: string) =>
  service.prisma.transfer.findFirstOrThrow({ where: { statementId } });

const markAsDuplicate = (
  service: Service,
  { merchant }: NewMerchant,
  input: { transferId: string; duplicateOfId: string },
) => {
  const audit = { actor: 'user:ada', now: noon };
  return markTransferAsDuplicate(service, { merchantId: merchant.id, mode: 'live', input, audit, now: noon });
};

async function readReceived(service: Service, { merchant }: NewMerchant) {
  const range = { from: '2026-11-16', to: '2026-11-20' };
  const { lines } = await reconcile(toStaleReads(service), { merchant, mode: 'live', ...range });
  return lines.map(({ received, possibleDuplicates }) => [received, possibleDuplicates]);
}

describe('A line of a table without references of the bank', () => {
  test.for([
    ['on the next day', (reference: string) => `2026-11-17,128.50,${reference}`],
    ['with other words', (reference: string) => `2026-11-16,128.50,FPS ${reference} THANKS`],
  ] as const)(
    'that is listed again %s may be a duplicate, and is not counted twice',
    async ([, repeat], { service, merchant }) => {
      const charge = await seedCharge(service, merchant, { now: new Date('2026-11-16T00:00:00Z') });
      await service.prisma.charge.update({
        where: { id: charge.id },
        data: { expiresAt: new Date('2026-11-19T00:00:00Z') },
      });
      const { paymentReference } = charge;
      const first = await importTable(service, merchant, charge, {
        rows: [`2026-11-16,128.50,${paymentReference}`],
      });
      expect(first.counts).toEqual({ matched: 1 });
      const again = await importTable(service, merchant, charge, { rows: [repeat(paymentReference)] });
      expect(again).toMatchObject({ counts: { exception: 1 }, reasons: ['possible_duplicate'] });
      expect(await readReceived(service, merchant)).toEqual([[12_850n, 12_850n]]);
      expect(await getReceivedAmount(service, charge)).toBe(12_850n);
    },
  );

  test.for([
    ['on the next day', '2026-11-17,5,FPS CHAN'],
    ['with other words', '2026-11-16,5,TRANSFER FROM CHAN'],
  ] as const)(
    'that paid no charge and is listed again %s may be a duplicate',
    async ([, repeat], { service, merchant }) => {
      const charge = await seedCharge(service, merchant);
      const first = await importTable(service, merchant, charge, { rows: ['2026-11-16,5,FPS CHAN'] });
      expect(first.reasons).toEqual(['missing_reference']);
      const again = await importTable(service, merchant, charge, { rows: [repeat] });
      expect(again.reasons).toEqual(['possible_duplicate']);
      expect(await readReceived(service, merchant)).toEqual([[500n, 500n]]);
      // A third file changes the line once more. The user decides about each of the two.
      const third = await importTable(service, merchant, charge, { rows: ['2026-11-18,5,FPS CHAN'] });
      expect(third.reasons).toEqual(['possible_duplicate']);
      const { id: firstId } = await findTransfer(service, first.id);
      for (const { id } of [again, third]) {
        const transfer = await findTransfer(service, id);
        const candidates = await findDuplicateCandidates(service, [transfer]);
        expect(candidates.get(transfer.id)!.map((one) => one.id)).toContain(firstId);
        await markAsDuplicate(service, merchant, { transferId: transfer.id, duplicateOfId: firstId });
      }
      expect(await readReceived(service, merchant)).toEqual([[500n, 0n]]);
    },
  );

  test('that paid a part of a charge and is listed again does not complete it', async ({
    service,
    merchant,
  }) => {
    const charge = await seedCharge(service, merchant);
    const { paymentReference } = charge;
    const half = await importTable(service, merchant, charge, {
      rows: [`2026-11-17,64.25,${paymentReference}`],
    });
    expect(half.counts).toEqual({ partial: 1 });
    const row = `2026-11-17,64.25,FROM CHAN ${paymentReference}`;
    const again = await importTable(service, merchant, charge, { rows: [row] });
    expect(again.reasons).toEqual(['possible_duplicate']);
    expect(await getReceivedAmount(service, charge)).toBe(6_425n);
    // A file that lists both has two payments.
    const both = [`2026-11-17,64.25,${paymentReference}`, row, `2026-11-17,64.25,SECOND ${paymentReference}`];
    expect((await importTable(service, merchant, charge, { rows: both })).counts).toEqual({
      duplicate: 2,
      matched: 1,
    });
  });

  test('is another payment if the file lists the earlier line too', async ({ service, merchant }) => {
    const charge = await seedCharge(service, merchant);
    await importTable(service, merchant, charge, { rows: ['2026-11-16,5,FPS CHAN'] });
    const rows = ['2026-11-17,5,FPS CHAN', '2026-11-16,5,FPS CHAN', '2026-11-16,5,FPS WONG'];
    const again = await importTable(service, merchant, charge, { rows });
    expect(again.reasons).toEqual(['missing_reference', 'missing_reference']);
    expect(again.counts).toEqual({ duplicate: 1, exception: 2 });
    expect(await readReceived(service, merchant)).toEqual([[1_500n, 0n]]);
  });

  test('is not lost if another payer sends the same amount with the same text', async ({
    service,
    merchant,
  }) => {
    const charge = await seedCharge(service, merchant);
    const { receivingAccountId } = charge;
    const importPayers = async (...payers: string[]) => {
      const rows = payers.map((payer) => `2026-11-17,5,转账,${payer}\n`);
      const content = `Date,Amount,Text,Payer\n${rows.join('')}`;
      const mapping = csvMapping({ referenceColumns: ['Text'], payerNameColumn: 'Payer' });
      return getNonZeroCounts(
        await importFile(service, merchant, { content, mapping, receivingAccountId, now: noon }),
      );
    };
    expect(await importPayers('Zhang San')).toEqual({ exception: 1 });
    expect(await importPayers('LI SI')).toEqual({ exception: 1 });
    // A file with all lines may list the latest one first, and write the names in another case.
    expect(await importPayers('Wang Wu', 'Li Si', 'ZHANG SAN')).toEqual({ duplicate: 2, exception: 1 });
    const reasons = await service.prisma.transfer.findMany({
      where: { receivingAccountId },
      select: { payerName: true, reason: true },
      orderBy: { id: 'asc' },
    });
    expect(reasons).toEqual([
      { payerName: 'Zhang San', reason: 'missing_reference' },
      { payerName: 'LI SI', reason: 'possible_duplicate' },
      { payerName: 'Wang Wu', reason: 'missing_reference' },
    ]);
  });

  test('pays its charge if only its new wording has the payment reference', async ({ service, merchant }) => {
    const charge = await seedCharge(service, merchant);
    await importTable(service, merchant, charge, { rows: ['2026-11-17,128.50,FPS'] });
    const row = `2026-11-17,128.50,FPS ${charge.paymentReference}`;
    expect((await importTable(service, merchant, charge, { rows: [row] })).counts).toEqual({ matched: 1 });
  });

  test('that pays a charge for a second time in one file is no duplicate', async ({ service, merchant }) => {
    const charge = await seedCharge(service, merchant);
    const row = `2026-11-17,128.50,${charge.paymentReference}`;
    await importTable(service, merchant, charge, { rows: [row] });
    const twice = await importTable(service, merchant, charge, { rows: [row, row] });
    expect(twice).toMatchObject({ counts: { duplicate: 1, exception: 1 }, reasons: ['charge_completed'] });
    expect(await readReceived(service, merchant)).toEqual([[25_700n, 0n]]);
  });

  test('is recognized by its balance, regardless of its text', async ({ service, merchant }) => {
    const charge = await seedCharge(service, merchant);
    const { paymentReference } = charge;
    const first = [`2026-11-17,128.50,${paymentReference},128.50`, '2026-11-17,5,unknown,133.50'];
    expect((await importTable(service, merchant, charge, { rows: first, hasBalance: true })).counts).toEqual({
      matched: 1,
      exception: 1,
    });
    const again = [
      `2026-11-17,128.50,TRANSFER ${paymentReference} OK,128.50`,
      '2026-11-17,5,other words,133.50',
      '2026-11-17,5,other words,138.50',
    ];
    expect((await importTable(service, merchant, charge, { rows: again, hasBalance: true })).counts).toEqual({
      duplicate: 2,
      exception: 1,
    });
    expect(await readReceived(service, merchant)).toEqual([[13_850n, 0n]]);
  });
});
