import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import {
  type ComparableTransfer,
  type DuplicateMatch,
  matchDuplicates,
} from '../../../src/domain/money-in/transfer/match-duplicates.ts';
import { getPaymentReferences } from '../../../src/domain/payments/allocation/get-payment-references.ts';
import { createDateFormatter } from '../../../src/kit/time-zone.ts';
import { paymentReferenceWords } from '../../../src/method/payment-reference-words.ts';
import { count } from '../../setup/counts.ts';
import { minutesAfter, noon } from '../../setup/seed.ts';

/** Payments that one source tells of, put to what others told of before. */

const timeZone = 'Asia/Hong_Kong';

function told(id: string, changes: Partial<ComparableTransfer> = {}): ComparableTransfer {
  return {
    id,
    source: 'feed',
    bankReference: id,
    batchReference: null,
    amount: 5_000n,
    currency: 'HKD',
    reference: 'no word',
    paidAt: noon,
    paidAtIsDate: false,
    status: 'exception',
    allocated: 0n,
    ...changes,
  };
}

/** As it reads: each payment held against everything that was told. */
function matchPlainly(
  transfers: ComparableTransfer[],
  others: ComparableTransfer[],
): (DuplicateMatch | undefined)[] {
  const dateOf = createDateFormatter(timeZone);
  const dayOf = ({ paidAt, paidAtIsDate }: ComparableTransfer) =>
    Date.parse(paidAtIsDate ? paidAt.toISOString().slice(0, 10) : dateOf(paidAt));
  const left = new Set(others);
  return transfers.map((transfer) => {
    const isWhole = (other: ComparableTransfer) =>
      other.source === 'statement' && other.bankReference === transfer.batchReference;
    const near = [...left].filter(
      (other) =>
        other.amount === transfer.amount &&
        other.currency === transfer.currency &&
        Math.abs(dayOf(other) - dayOf(transfer)) <= 3 * 86_400_000 &&
        !(isWhole(other) && other.status === 'exception' && other.allocated === 0n),
    );
    const nonces = getPaymentReferences(transfer);
    const twin =
      near.find(isWhole) ??
      near.find((other) => getPaymentReferences(other).some((nonce) => nonces.includes(nonce)));
    if (twin) {
      left.delete(twin);
      return { duplicateOfId: twin.id };
    }
    const isAlike = nonces.length === 0 && near.some((other) => getPaymentReferences(other).length === 0);
    return isAlike ? { reason: 'possible_duplicate' } : undefined;
  });
}

const row = fc.record({
  source: fc.constantFrom('feed' as const, 'statement' as const),
  bankReference: fc.constantFrom('B1', 'B2', 'B3'),
  batchReference: fc.constantFrom(null, null, 'B1', 'B2'),
  amount: fc.constantFrom(5_000n, 12_850n),
  currency: fc.constantFrom('HKD', 'HKD', 'USD'),
  reference: fc.constantFrom('rent', '', 'ZEBRA2345', 'amber 2345', 'ZEBRA2345 and AMBER-2345'),
  paidAt: fc.integer({ min: -120, max: 120 }).map((hours) => minutesAfter(noon, 60 * hours)),
  paidAtIsDate: fc.boolean(),
  status: fc.constantFrom('exception' as const, 'matched' as const),
  allocated: fc.constantFrom(0n, 1n),
});
const rows = fc.array(row).map((all) => all.map((one, i) => told(`tr_${i}`, one)));

describe('pairing', () => {
  test('says of each payment what holding it against everything says', () => {
    fc.assert(
      fc.property(rows, rows, (transfers, others) => {
        expect(matchDuplicates(transfers, others, timeZone)).toEqual(matchPlainly(transfers, others));
      }),
      { numRuns: count(1_000, 100_000) },
    );
  });

  test('gives what another source told of to one payment alone, though it carries the words of two', () => {
    const both = told('tr_both', { reference: 'ZEBRA2345 AMBER2345' });
    const [one, two] = [told('tr_1', { reference: 'ZEBRA2345' }), told('tr_2', { reference: 'AMBER2345' })];
    expect(matchDuplicates([one, two], [both], timeZone)).toEqual([{ duplicateOfId: 'tr_both' }, undefined]);
  });

  test('reads each of a thousand equal payments once, and asks for one calendar', () => {
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
        Object.defineProperties(told(id), { reference: reading(nonceOf(i)), paidAt: reading(noon) });
      const others = Array.from({ length: 1_000 }, (_, i) => counted(`tr_${i}`, i));
      const transfers = Array.from({ length: 250 }, (_, i) => counted(`tr_own${i}`, 500 + i));
      const twins = matchDuplicates(transfers, others, timeZone);
      expect(twins).toEqual(transfers.map((_, i) => ({ duplicateOfId: `tr_${500 + i}` })));
      expect(read).toBe(2 * (others.length + transfers.length));
      expect(format).toHaveBeenCalledTimes(1);
    } finally {
      format.mockRestore();
    }
  });
});

/** A word of its own for each number. */
function nonceOf(i: number): string {
  const digits = 2345 + Math.floor(i / paymentReferenceWords.length);
  return `${paymentReferenceWords[i % paymentReferenceWords.length]}${digits}`;
}
