import type { Bai2Record } from './bai2-records.ts';
import type { TrailerTotal } from './control-totals.ts';

/** A group or a file so far. The control total is undefined if a trailer of its parts has none. */
type Bai2Part = { controlTotal: bigint | undefined; partCount: bigint; recordCount: bigint };

/**
 * Creates a check of the trailers of groups (98) and of the file (99). It takes each record in turn, and returns
 * the totals of a trailer that differ from those of its parts. The trailers of accounts (49) are trusted here,
 * because they are compared with their movements elsewhere.
 */
export function createTrailerCheck(): (record: Bai2Record) => TrailerTotal[] {
  let file = createPart();
  let group = createPart();
  return (record) => {
    const { code, recordCount } = record;
    if (code === '01') file = createPart();
    if (code === '02') group = createPart();
    for (const part of [file, group]) part.recordCount += BigInt(recordCount);
    if (code === '49') addTrailer(group, record);
    if (code === '99') return findDifferences(file, record, 'group_count');
    if (code !== '98') return [];
    addTrailer(file, record);
    return findDifferences(group, record, 'account_count');
  };
}

function createPart(): Bai2Part {
  return { controlTotal: 0n, partCount: 0n, recordCount: 0n };
}

function addTrailer(whole: Bai2Part, trailer: Bai2Record): void {
  const [controlTotal] = readNumbers(trailer);
  whole.partCount += 1n;
  whole.controlTotal =
    whole.controlTotal === undefined || controlTotal === undefined
      ? undefined
      : whole.controlTotal + controlTotal;
}

/** Compares the control total, the number of parts, and the number of records, including the header and the trailer. */
function findDifferences(
  { controlTotal, partCount, recordCount }: Bai2Part,
  trailer: Bai2Record,
  partKind: 'account_count' | 'group_count',
): TrailerTotal[] {
  const [statedTotal, statedParts, statedRecords] = readNumbers(trailer);
  const comparisons = [
    ['control_total', statedTotal, controlTotal],
    [partKind, statedParts, partCount],
    ['record_count', statedRecords, recordCount],
  ] as const;
  return comparisons.flatMap(([kind, expected, actual]) =>
    expected === undefined || actual === undefined || expected === actual ? [] : [{ kind, expected, actual }],
  );
}

/** Returns the fields of a trailer; undefined for a field that is not an integer. */
function readNumbers({ text }: Bai2Record): (bigint | undefined)[] {
  return text.split(',').map((field) => {
    const [, sign, digits] = /^([+-]?)(\d{1,30})$/.exec(field.trim()) ?? [];
    if (digits === undefined) return undefined;
    return sign === '-' ? -BigInt(digits) : BigInt(digits);
  });
}
