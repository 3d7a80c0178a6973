import fc from 'fast-check';
import { describe, expect, vi } from 'vitest';
import type { Charge } from '../../../prisma/client/client.ts';
import { markTransferAsDuplicate } from '../../../src/domain/money-in/transfer/duplicates/mark-transfer-as-duplicate.ts';
import {
  type ComparableTransfer,
  type DuplicateMatch,
  matchDuplicates,
} from '../../../src/domain/money-in/transfer/duplicates/match-duplicates.ts';
import type { TransferInput } from '../../../src/domain/money-in/transfer/record/draft-transfer.ts';
import { getPaymentReferences } from '../../../src/domain/payments/allocation/get-payment-references.ts';
import type { Service } from '../../../src/domain/platform/service.ts';
import { createDateFormatter } from '../../../src/kit/time-zone.ts';
import { anyReference } from '../../method/any-reference.ts';
import { concurrently } from '../../setup/concurrently.ts';
import { count } from '../../setup/counts.ts';
import { getErrorCode } from '../../setup/errors.ts';
import { importFile } from '../../setup/import-file.ts';
import { minutesAfter, noon } from '../../setup/seed.ts';
import { csvMapping } from '../../setup/statement-files.ts';
import { type TransferActions, transferTest as test } from '../../setup/transfer-test.ts';
import { recordOne, transferInput } from '../../setup/transfers.ts';

describe('Payment reported by two sources', () => {
  const record = (transfers: TransferActions, charge: Charge, changes: Partial<TransferInput>) =>
    transfers.record(charge, { minor: 5_000n, ...changes });

  test('is recorded once when the days in the account’s time zone are at most three apart', async ({
    transfers,
  }) => {
    const charge = await transfers.newCharge();
    // 00:30 in Hong Kong on Tuesday the 17th; booked with a date alone on the 20th.
    const early = new Date('2026-11-16T16:30:00Z');
    expect(
      (await record(transfers, charge, { source: 'feed', bankReference: 'f1', paidAt: early })).status,
    ).toBe('partial');
    const booked = { paidAt: new Date('2026-11-20T00:00:00Z'), isPaidAtDateOnly: true };
    expect((await record(transfers, charge, booked)).status).toBe('duplicate');
    expect(
      (await record(transfers, charge, { source: 'manual', bankReference: 'h1', paidAt: early })).status,
    ).toBe('duplicate');
    expect(await transfers.reload(charge)).toMatchObject({ status: 'pending', amountReceived: 5_000n });
  });

  test('is two payments when the days are four apart', async ({ transfers }) => {
    const charge = await transfers.newCharge();
    const early = new Date('2026-11-16T12:00:00Z');
    await record(transfers, charge, { source: 'feed', bankReference: 'f2', paidAt: early });
    const late = { paidAt: new Date('2026-11-20T00:00:00Z'), isPaidAtDateOnly: true };
    expect(await record(transfers, charge, { bankReference: 's2', ...late })).toMatchObject({
      status: 'exception',
      reason: 'charge_expired',
    });
  });

  test('is two payments when a bank reference is reused with another payment reference', async ({
    transfers,
  }) => {
    const [first, second] = [await transfers.newCharge(), await transfers.newCharge()];
    expect((await record(transfers, first, { bankReference: '//0001' })).status).toBe('partial');
    expect(await record(transfers, second, { bankReference: '//0001' })).toMatchObject({
      status: 'exception',
      reason: 'id_reused',
    });
    expect(
      (await record(transfers, first, { bankReference: '//0001', reference: 'interim line' })).status,
    ).toBe('duplicate');
  });
});

describe('Payment that must not be matched automatically', () => {
  const reference = 'PUMA23456W';
  const record = (transfers: TransferActions, charge: Charge, changes: Partial<TransferInput>) =>
    transfers.record(charge, { reference, ...changes });

  test.for(['returned_payment', 'batch', 'id_reused'] as const)(
    'with the reason %s is recorded once when two kinds of file report it',
    async (exception, { transfers }) => {
      const charge = await transfers.newCharge();
      const minor = BigInt(100 + exception.length);
      const money = { minor, currency: 'HKD' };
      const first = await record(transfers, charge, { fileKind: 'camt.054', money, exception });
      expect(first).toMatchObject({ status: 'exception', reason: exception });
      const second = await record(transfers, charge, { fileKind: 'mt940', money, exception });
      expect(second.status).toBe('duplicate');
      expect(await transfers.reloadTransfer(second.transferId)).toMatchObject({
        duplicateOfId: first.transferId,
      });
      const another = await record(transfers, charge, { fileKind: 'mt940', money, exception });
      expect(another).toMatchObject({ status: 'exception', reason: exception });
    },
  );

  test('keeps its reason when it has no payment reference', async ({ transfers }) => {
    const charge = await transfers.newCharge();
    const bare = { reference: 'RETURN AC04', exception: 'returned_payment' as const };
    const money = { minor: 4_711n, currency: 'HKD' };
    await record(transfers, charge, { fileKind: 'camt.054', money, ...bare });
    expect(await record(transfers, charge, { fileKind: 'mt940', money, ...bare })).toMatchObject({
      status: 'exception',
      reason: 'returned_payment',
    });
  });

  test('becomes a returned payment when a later file reports that it was returned', async ({ transfers }) => {
    const charge = await transfers.newCharge();
    const money = { minor: 4_712n, currency: 'HKD' };
    const { transferId, reason } = await record(transfers, charge, { fileKind: 'csv', money });
    expect(reason).toBe('unknown_reference');
    const second = await record(transfers, charge, {
      fileKind: 'camt.053',
      money,
      exception: 'returned_payment',
    });
    expect(second.status).toBe('duplicate');
    expect(await transfers.reloadTransfer(transferId)).toMatchObject({
      status: 'exception',
      reason: 'returned_payment',
    });
    expect(await transfers.getEventTypes(transferId)).toEqual(['transfer_exception']);
  });
});

describe('Marking a transfer as a duplicate', () => {
  const now = minutesAfter(noon, 60);

  const record = (transfers: TransferActions, charge: Charge, source: 'feed' | 'statement') =>
    transfers.record(charge, { source, minor: 500n, reference: 'no reference' });

  const mark = (transfers: TransferActions, service: Service, transferId: string, duplicateOfId: string) =>
    markTransferAsDuplicate(service, { ...transfers.decision, input: { transferId, duplicateOfId } });

  /** Returns the status and the original transfer, or the error code. */
  const getOutcome = (marking: ReturnType<typeof mark>): Promise<string> =>
    marking.then((transfer) => `${transfer.status} of ${transfer.duplicateOfId}`, getErrorCode);

  const markAsDuplicate = (...args: Parameters<typeof mark>) => getOutcome(mark(...args));

  test('reports the reason when a transfer cannot be marked', async ({ transfers, service }) => {
    const charge = await transfers.newCharge();
    const { transferId: a } = await record(transfers, charge, 'feed');
    const { transferId: b } = await record(transfers, charge, 'statement');
    const { transferId: c } = await record(transfers, charge, 'statement');
    const tryMark = (transferId: string, duplicateOfId: string) =>
      mark(transfers, service, transferId, duplicateOfId);
    await expect(tryMark(b, b)).rejects.toThrow('a transfer cannot be its own duplicate');
    await tryMark(b, a);
    await expect(tryMark(b, a)).rejects.toThrow(
      `The transfer ${b} has the status "duplicate"; only transfers with the status "exception" can be changed`,
    );
    await expect(tryMark(c, b)).rejects.toThrow(`${b} is itself a duplicate`);
    await expect(tryMark(c, a)).rejects.toThrow(`${b} from the same source is already a duplicate of ${a}`);
  });

  test('is rejected when the transfer already has a duplicate from the source', async ({
    transfers,
    service,
  }) => {
    const charge = await transfers.newCharge();
    const first = await record(transfers, charge, 'feed');
    const [second, third] = [
      await record(transfers, charge, 'statement'),
      await record(transfers, charge, 'statement'),
    ];
    expect([second.reason, third.reason]).toEqual(['possible_duplicate', 'possible_duplicate']);
    const original = first.transferId;
    expect(await markAsDuplicate(transfers, service, second.transferId, original)).toBe(
      `duplicate of ${original}`,
    );
    const entry = await service.prisma.auditEntry.findFirstOrThrow({
      where: { objectId: second.transferId },
    });
    expect(entry).toMatchObject({ action: 'transfer.marked_as_duplicate', actor: 'user:usr_1' });
    expect(await markAsDuplicate(transfers, service, third.transferId, original)).toBe(
      'transfer_already_allocated',
    );
    expect(await markAsDuplicate(transfers, service, original, original)).toBe('transfer_already_allocated');
  });

  test('moves the duplicates of the transfer, unless the original already has one from their source', async ({
    transfers,
    service,
  }) => {
    const charge = await transfers.newCharge();
    const recordReport = async (fileKind: string) => {
      const report = { fileKind, minor: 500n, reference: 'no reference' };
      return (await transfers.record(charge, report)).transferId;
    };
    const original = await recordReport('camt.053');
    const [first, second] = [await recordReport('mt940'), await recordReport('mt940')];
    const repeats = [await recordReport('csv'), await recordReport('csv')] as const;
    expect(await markAsDuplicate(transfers, service, repeats[0], first)).toBe(`duplicate of ${first}`);
    expect(await markAsDuplicate(transfers, service, first, original)).toBe(`duplicate of ${original}`);
    expect(await transfers.reloadTransfer(repeats[0])).toMatchObject({
      status: 'duplicate',
      duplicateOfId: original,
    });
    // The second payment and its repeat are of the same sources as the duplicates of the original.
    await mark(transfers, service, repeats[1], second);
    const another = await recordReport('ofx');
    await mark(transfers, service, second, another);
    await expect(mark(transfers, service, another, original)).rejects.toThrow(
      `${first} from the same source is already a duplicate of ${original}`,
    );
    expect(await transfers.reloadTransfer(another)).toMatchObject({ status: 'exception' });
    expect(await transfers.reloadTransfer(second)).toMatchObject({ duplicateOfId: another });
  });

  test('is undone for the second payment of a customer, which then needs review and counts again', async ({
    transfers,
    service,
  }) => {
    const charge = await transfers.newCharge();
    const first = await record(transfers, charge, 'feed');
    const second = await record(transfers, charge, 'statement');
    await mark(transfers, service, second.transferId, first.transferId);
    const unmarked = await transfers.unassign(second.transferId);
    expect(unmarked).toMatchObject({ status: 'exception', reason: 'unassigned', duplicateOfId: null });
    expect(await transfers.getEventTypes(second.transferId)).toEqual([
      'transfer_exception',
      'transfer_exception',
    ]);
    const actions = await service.prisma.auditEntry.findMany({
      where: { objectId: second.transferId },
      orderBy: { id: 'asc' },
    });
    expect(actions.map(({ action, detail }) => ({ action, detail }))).toEqual([
      { action: 'transfer.marked_as_duplicate', detail: { duplicateOfId: first.transferId } },
      { action: 'transfer.unmarked_as_duplicate', detail: { duplicateOfId: first.transferId } },
    ]);
    // The mark can be set again.
    expect(await markAsDuplicate(transfers, service, second.transferId, first.transferId)).toBe(
      `duplicate of ${first.transferId}`,
    );
  });

  test('is rejected when a concurrent recording has found a duplicate', async ({
    transfers,
    service,
    merchant,
  }) => {
    const { receivingAccountId } = await transfers.newCharge();
    const money = { minor: 500n, currency: 'HKD' };
    const recordBy = (by: Service, input: Partial<TransferInput>) =>
      recordOne(by, merchant, { receivingAccountId, input: transferInput({ money, ...input }) });
    const original = await recordBy(service, { source: 'feed', reference: 'ZEBU23456Y' });
    const unmatched = await recordBy(service, {});
    const [outcome] = await concurrently(
      service,
      async (uow) => {
        const line = await recordBy(uow, { reference: 'ZEBU23456Y' });
        expect(line.status).toBe('duplicate');
      },
      () => markAsDuplicate(transfers, service, unmatched.transferId, original.transferId),
    );
    expect(outcome).toBe('transfer_already_allocated');
  });

  test('is possible once for each of two mappings of a CSV file', async ({
    transfers,
    service,
    merchant,
  }) => {
    const charge = await transfers.newCharge();
    const { receivingAccountId } = charge;
    const { transferId: original } = await record(transfers, charge, 'feed');
    const content = 'Date,Amount,Text,Payer\n2026-11-17,5,hello,CHAN\n2026-11-17,5,hello,CHAN\n';
    for (const referenceColumns of [['Text'], ['Text', 'Payer']]) {
      const mapping = csvMapping({ referenceColumns });
      await importFile(service, merchant, { content, receivingAccountId, mapping, now });
    }
    const lines = await service.prisma.transfer.findMany({
      where: { receivingAccountId, source: 'statement' },
    });
    const outcomes: string[] = [];
    for (const { id } of lines) outcomes.push(await markAsDuplicate(transfers, service, id, original));
    const rejected = 'transfer_already_allocated';
    const marked = `duplicate of ${original}`;
    expect(outcomes.toSorted()).toEqual([marked, marked, rejected, rejected]);
  });
});

describe('matchDuplicates', () => {
  const timeZone = 'Asia/Hong_Kong';

  function createTransfer(id: string, changes: Partial<ComparableTransfer> = {}): ComparableTransfer {
    return {
      id,
      source: 'feed',
      bankReference: id,
      batchReference: null,
      amount: 5_000n,
      currency: 'HKD',
      reference: 'no reference',
      paidAt: noon,
      isPaidAtDateOnly: false,
      status: 'exception',
      allocated: 0n,
      ...changes,
    };
  }

  /** The specification: compares each payment with every other transfer. */
  function matchBySpecification(
    transfers: ComparableTransfer[],
    others: ComparableTransfer[],
  ): Map<ComparableTransfer, DuplicateMatch> {
    const formatDate = createDateFormatter(timeZone);
    const getDay = ({ paidAt, isPaidAtDateOnly }: ComparableTransfer) =>
      Date.parse(isPaidAtDateOnly ? paidAt.toISOString().slice(0, 10) : formatDate(paidAt));
    const unmatched = new Set(others);
    const matches = transfers.map((transfer): [ComparableTransfer, DuplicateMatch][] => {
      const isBatch = (other: ComparableTransfer) =>
        other.source === 'statement' && other.bankReference === transfer.batchReference;
      const near = [...unmatched].filter(
        (other) =>
          other.amount === transfer.amount &&
          other.currency === transfer.currency &&
          Math.abs(getDay(other) - getDay(transfer)) <= 3 * 86_400_000 &&
          !(isBatch(other) && other.status === 'exception' && other.allocated === 0n),
      );
      const references = getPaymentReferences(transfer);
      const duplicated =
        near.find(isBatch) ??
        near.find((other) => getPaymentReferences(other).some((reference) => references.includes(reference)));
      if (duplicated) {
        unmatched.delete(duplicated);
        return [[transfer, { duplicateOfId: duplicated.id }]];
      }
      const isPossible =
        references.length === 0 && near.some((other) => getPaymentReferences(other).length === 0);
      return isPossible ? [[transfer, { reason: 'possible_duplicate' }]] : [];
    });
    return new Map(matches.flat());
  }

  const transferRow = fc.record({
    source: fc.constantFrom('feed' as const, 'statement' as const),
    bankReference: fc.constantFrom('B1', 'B2', 'B3'),
    batchReference: fc.constantFrom(null, null, 'B1', 'B2'),
    amount: fc.constantFrom(5_000n, 12_850n),
    currency: fc.constantFrom('HKD', 'HKD', 'USD'),
    reference: fc.constantFrom('rent', '', 'ZEBU23456Y', 'sand 23456d', 'ZEBU23456Y and SAND-23456D'),
    paidAt: fc.integer({ min: -120, max: 120 }).map((hours) => minutesAfter(noon, 60 * hours)),
    isPaidAtDateOnly: fc.boolean(),
    status: fc.constantFrom('exception' as const, 'matched' as const),
    allocated: fc.constantFrom(0n, 1n),
  });
  const transferRows = fc
    .array(transferRow)
    .map((all) => all.map((row, i) => createTransfer(`tr_${i}`, row)));

  test('finds the same duplicates as a comparison with every other transfer', () => {
    fc.assert(
      fc.property(transferRows, transferRows, (transfers, others) => {
        expect(matchDuplicates(transfers, others, timeZone)).toEqual(matchBySpecification(transfers, others));
      }),
      { numRuns: count(1_000, 100_000) },
    );
  });

  test('marks one of two payments when the other report has the payment references of both', () => {
    const both = createTransfer('tr_both', { reference: 'ZEBU23456Y SAND23456D' });
    const [first, second] = [
      createTransfer('tr_1', { reference: 'ZEBU23456Y' }),
      createTransfer('tr_2', { reference: 'SAND23456D' }),
    ];
    expect([...matchDuplicates([first, second], [both], timeZone)]).toEqual([
      [first, { duplicateOfId: 'tr_both' }],
    ]);
  });

  test('reads each of a thousand equal payments once, and creates one date formatter', () => {
    const format = vi.spyOn(Intl, 'DateTimeFormat');
    try {
      let read = 0;
      const reading = <T>(value: T) => ({
        get(): T {
          read += 1;
          return value;
        },
      });
      const counted = (id: string, i: number): ComparableTransfer =>
        Object.defineProperties(createTransfer(id), {
          reference: reading(toPaymentReference(i)),
          paidAt: reading(noon),
        });
      const others = Array.from({ length: 1_000 }, (_, i) => counted(`tr_${i}`, i));
      const transfers = Array.from({ length: 250 }, (_, i) => counted(`tr_own${i}`, 500 + i));
      const duplicates = matchDuplicates(transfers, others, timeZone);
      const expected = transfers.map((_, i) => ({ duplicateOfId: `tr_${500 + i}` }));
      expect(transfers.map((transfer) => duplicates.get(transfer))).toEqual(expected);
      expect(read).toBe(2 * (others.length + transfers.length));
      expect(format).toHaveBeenCalledTimes(1);
    } finally {
      format.mockRestore();
    }
  });

  /** A distinct payment reference for each number. */
  function toPaymentReference(i: number): string {
    return fc.sample(anyReference, { seed: i, numRuns: 1 })[0]!;
  }
});
