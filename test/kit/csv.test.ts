import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { column, formatHeader, formatLines, numberColumn } from '../../src/kit/csv.ts';

type Row = { ours: string; typed: string };
const columns = [numberColumn<Row>('ours', ({ ours }) => ours), column<Row>('typed', ({ typed }) => typed)];
const write = (rows: Row[]) => formatHeader(columns) + formatLines(columns, rows);

describe('CSV', () => {
  test('is parsed by another library with the same values', () => {
    const text = fc.string({ unit: 'binary', maxLength: 20 }).map((value) => value.toWellFormed());
    const row = fc.record({ ours: fc.integer().map(String), typed: text });
    fc.assert(
      fc.property(fc.array(row, { maxLength: 5 }), (rows) => {
        const read: string[][] = parse(write(rows), { record_delimiter: '\r\n' });
        expect(read[0]).toEqual(['ours', 'typed']);
        expect(read.slice(1).map(([ours, typed]) => [ours, typed?.replaceAll("'", '')])).toEqual(
          rows.map(({ ours, typed }) => [ours, typed.replaceAll("'", '')]),
        );
      }),
      { numRuns: 500 },
    );
  });

  test.each(['=HYPERLINK("http://x")', '+1', '-1', '@SUM(A1)', '\t1', '\r1', ' =1', '＝1', '\u00a0=1'])(
    'has %j as text, not as a formula',
    (typed) => {
      const [, row] = parse(write([{ ours: '-1', typed }]), { record_delimiter: '\r\n' }) as string[][];
      expect(row).toEqual(['-1', `'${typed}`]);
    },
  );

  test.each([
    ['tea;=1+1', "tea;'=1+1"],
    ['tea\t@SUM(A1)', "tea\t'@SUM(A1)"],
    ['tea\n  +1', "tea\n'  +1"],
    ['tea;"=1+1', 'tea;\'"=1+1'],
    ['tea, =1', "tea,' =1"],
    ['tea;-1;=2', "tea;'-1;'=2"],
    ['a=b, c-d; e', 'a=b, c-d; e'],
    ["O'Brien", "O'Brien"],
  ])(
    'contains no formula after a character that some spreadsheets use as a separator: %j',
    (typed, expected) => {
      const [, row] = parse(write([{ ours: '1', typed }]), { record_delimiter: '\r\n' }) as string[][];
      expect(row).toEqual(['1', expected]);
    },
  );

  test('ends each line with CRLF and quotes values if necessary', () => {
    expect(write([{ ours: '1', typed: 'Tea, "green"' }])).toBe('ours,typed\r\n1,"Tea, ""green"""\r\n');
  });
});
