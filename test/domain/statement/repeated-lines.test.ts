import { describe, expect } from 'vitest';
import type { Charge } from '../../../prisma/client/client.ts';
import type { NewMerchant } from '../../../src/domain/accounts/merchant/create-merchant.ts';
import { reconcile } from '../../../src/domain/money-in/reconciliation/reconcile.ts';
import type { Service } from '../../../src/domain/platform/service.ts';
import { toStaleReads } from '../../../src/kit/stale-reads.ts';
import { serviceTest } from '../../setup/fixtures.ts';
import { getNonZeroCounts, getReceivedAmount, importFile } from '../../setup/import-file.ts';
import { expectInvariants } from '../../setup/invariants.ts';
import { noon, seedCharge, seedMerchant } from '../../setup/seed.ts';
import { csvMapping } from '../../setup/statement-files.ts';

const test = serviceTest.extend('merchant', ({ service }, { onCleanup }) => {
  onCleanup(() => expectInvariants(service));
  return seedMerchant(service);
});

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
  return { counts: getNonZeroCounts(statement), reasons: transfers.map(({ reason }) => reason) };
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
      expect(again).toEqual({ counts: { exception: 1 }, reasons: ['possible_duplicate'] });
      expect(await readReceived(service, merchant)).toEqual([[12_850n, 12_850n]]);
      expect(await getReceivedAmount(service, charge)).toBe(12_850n);
    },
  );

  test('that pays a charge for a second time in one file is no duplicate', async ({ service, merchant }) => {
    const charge = await seedCharge(service, merchant);
    const row = `2026-11-17,128.50,${charge.paymentReference}`;
    await importTable(service, merchant, charge, { rows: [row] });
    const twice = await importTable(service, merchant, charge, { rows: [row, row] });
    expect(twice).toEqual({ counts: { duplicate: 1, exception: 1 }, reasons: ['charge_completed'] });
    expect(await readReceived(service, merchant)).toEqual([[25_700n, 0n]]);
  });

  test('is recognized by its balance, whatever its words', async ({ service, merchant }) => {
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
