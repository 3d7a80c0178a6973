import { describe, expect, test } from 'vitest';
import type { CsvReadOptions } from '../../src/statement/csv.ts';
import { detectFormat, readStatement } from '../../src/statement/read-statement.ts';
import { camtXml, csvMapping, mt940Text, ntry, toChunks } from '../setup/statement-files.ts';
import { readAll, refusalOf, refused } from './read.ts';

describe('the format of a statement file', () => {
  test.each([
    ['camt', camtXml(ntry())],
    ['mt940', mt940Text(':61:261120C1,NTRF')],
    ['csv', 'Date,Amount\n2026-11-20,1'],
  ])('%s is told by the first bytes', (format, content) => {
    expect(detectFormat(Buffer.from(content))).toBe(format);
    expect(detectFormat(Buffer.from(`\uFEFF${content}`))).toBe(format);
    expect(detectFormat(Buffer.from(`\uFEFF${content}`, 'utf16le'))).toBe(format);
  });

  test.each([
    ['a workbook', Buffer.from('PK\u0003\u0004....'), /Excel workbook or another ZIP file: save it as CSV$/],
    ['a PDF', Buffer.from('%PDF-1.7'), /this is a PDF: ask the bank for camt.053, MT940 or CSV$/],
    ['compressed', Buffer.from([0x1f, 0x8b, 8, 0]), /this is a compressed file: extract it first$/],
    [
      'plain text',
      Buffer.from('Dear customer,'),
      /the format of this file is not recognized; supported formats: ISO 20022 camt.053 and camt.054 \(XML\); SWIFT MT940; CSV with your bank’s columns$/,
    ],
    [
      'a CSV file without a mapping',
      Buffer.from('Date,Amount\n2026-11-20,1'),
      /a CSV file requires a column mapping$/,
    ],
  ])('%s is refused, saying what to do', async (_, bytes, reason) => {
    const refusal = await refusalOf(bytes);
    expect(refusal).toMatch(/^invalid_statement: line 1: /);
    expect(refusal).toMatch(reason);
  });

  test('each entry says what kind of file it stood in', async () => {
    const kindOf = async (content: string, csv?: CsvReadOptions) => {
      for await (const { kind } of readStatement(toChunks(content), { csv })) return kind;
    };
    expect(await kindOf(camtXml(ntry()))).toBe('camt.053');
    expect(await kindOf(camtXml(ntry(), { message: '054' }))).toBe('camt.054');
    expect(await kindOf(mt940Text(':61:261120C1,NTRF'))).toBe('mt940');
    const mapping = csvMapping({ amountColumn: 'Amount' });
    expect(await kindOf('Date,Amount\n2026-11-20,1', { mapping, currency: 'HKD' })).toBe('csv');
  });

  test('an empty file is refused', async () => {
    expect(await refusalOf('')).toBe(refused(1, 'the file is empty'));
  });
});

describe('the source of a statement', () => {
  const watched = (content: string) => {
    const state = { closed: false };
    async function* source() {
      try {
        yield* toChunks(content, 100);
      } finally {
        state.closed = true;
      }
    }
    return { state, source: source() };
  };

  test('is closed when the reader stops early', async () => {
    const { state, source } = watched(camtXml(ntry() + ntry({ reference: '' }).repeat(2000)));
    for await (const entry of readStatement(source)) {
      expect(entry.bankReference).toBe('R1');
      break;
    }
    expect(state.closed).toBe(true);
  });

  test('is closed when the file is refused', async () => {
    const { state, source } = watched('x'.repeat(10_000));
    await expect(readAll(source)).rejects.toMatchObject({ code: 'invalid_statement' });
    expect(state.closed).toBe(true);
  });

  test('that fails is not a broken statement', async () => {
    async function* source() {
      yield Buffer.from(camtXml(ntry()).slice(0, 500));
      throw new Error('connection lost');
    }
    await expect(readAll(source())).rejects.toThrow(/^connection lost$/);
  });
});
