import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { detectFormat, readStatement } from '../../src/statement/read-statement.ts';
import type { StatementFileKind } from '../../src/statement/statement-entry.ts';
import { measureHeapBytes } from '../setup/fuzz.ts';
import { camtXml, csvMapping, mt940Text, ntry, toChunks } from '../setup/statement-files.ts';
import { xlsxWorkbook } from '../setup/xlsx.ts';
import { zip, zipFile } from '../setup/zip-files.ts';
import { catchErrorText, catchReadErrorText, invalidStatementText, readEntries } from './read.ts';

const camt = (reference: string) => camtXml(ntry({ reference: `<AcctSvcrRef>${reference}</AcctSvcrRef>` }));

async function readReferences(content: Uint8Array, chunkSize = 1000) {
  const entries = await Array.fromAsync(readStatement(toChunks(content, chunkSize)));
  return entries.map(({ bankReference, fileIndex }) => [bankReference, fileIndex]);
}

describe('a ZIP archive', () => {
  test.each([1, 7, 100_000])('is read file by file, in chunks of %i', async (chunkSize) => {
    const content = zip(
      zipFile('november/', '', { method: 0 }),
      zipFile('november/a.xml', camt('R1')),
      zipFile('b.sta', mt940Text(':61:261120C1,NTRFNONREF//R2'), { method: 0 }),
      zipFile('c.xml', camt('R3'), { descriptor: 'signature' }),
      zipFile('d.xml', camt('R4'), { descriptor: 'bare' }),
      zipFile('e.xml', camt('R5'), { descriptor: 'zip64' }),
      zipFile('f.xml.gz', gzipSync(camt('R6')), { method: 0 }),
    );
    expect(detectFormat(content).format).toBe('zip');
    expect(await readReferences(content, chunkSize)).toEqual([
      ['R1', 0],
      ['R2', 1],
      ['R3', 2],
      ['R4', 3],
      ['R5', 4],
      ['R6', 5],
    ]);
  });

  test('reports the kind of each file', async () => {
    const kinds: StatementFileKind[] = [];
    const onKind = (kind: StatementFileKind) => kinds.push(kind);
    const content = zip(zipFile('a.xml', camt('R1')), zipFile('b.sta', mt940Text('')));
    await Array.fromAsync(readStatement(toChunks(content), { onKind }));
    expect(kinds).toEqual(['camt.053', 'mt940']);
  });

  test('may contain CSV files of one mapping', async () => {
    const content = zip(
      zipFile('a.csv', 'Date,Amount\n2026-11-20,1\n'),
      zipFile('b.csv', 'Date,Amount\n2026-11-21,2\n'),
    );
    const csv = { mapping: csvMapping(), currency: 'HKD' };
    const entries = await Array.fromAsync(readStatement(toChunks(content), { csv }));
    expect(entries.map(({ amount, line }) => [amount.minor, line])).toEqual([
      [100n, 2],
      [200n, 2],
    ]);
    expect(await catchReadErrorText(content)).toBe(
      invalidStatementText(1, 'a.csv: this file requires a column mapping'),
    );
  });

  test('may contain an Excel workbook, also without compression', async () => {
    const workbook = xlsxWorkbook({
      Statement: [
        ['Date', 'Amount'],
        ['2026-11-20', 3],
      ],
    });
    for (const method of [0, 8]) {
      const content = zip(
        zipFile('a.xlsx', workbook, { method }),
        zipFile('b.csv', 'Date,Amount\n2026-11-21,2\n'),
      );
      const csv = { mapping: csvMapping(), currency: 'HKD' };
      expect(detectFormat(content).format).toBe('zip');
      const entries = await Array.fromAsync(readStatement(toChunks(content), { csv }));
      expect(entries.map(({ amount, fileIndex }) => [amount.minor, fileIndex])).toEqual([
        [300n, 0],
        [200n, 1],
      ]);
    }
  });

  test('may contain a PDF file, an image, and files of the operating system', async () => {
    const content = zip(
      zipFile('__MACOSX/._a.xml', 'x'),
      zipFile('.DS_Store', 'x'),
      zipFile('statement.pdf', '%PDF-1.7'),
      zipFile('logo.png', Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10])),
      zipFile('empty.txt', ''),
      zipFile('a.xml', camt('R1')),
    );
    expect(await readReferences(content)).toEqual([['R1', 0]]);
  });

  test.each<[string, Buffer, number, string]>([
    ['of nothing but a PDF file', zip(zipFile('a.pdf', '%PDF-1.7')), 1, 'this archive contains no statement'],
    [
      'without files',
      Buffer.concat([Buffer.from('PK\x05\x06'), Buffer.alloc(18)]),
      1,
      'this archive contains no statement',
    ],
    [
      'with a file that is no statement',
      zip(zipFile('a.xml', camt('R1')), zipFile('readme.txt', 'Dear customer')),
      1,
      'readme.txt: the format of this file is not recognized',
    ],
    ['with an invalid file', zip(zipFile('a.xml', `${camt('R1')}<`)), 19, 'a.xml: not well-formed XML'],
    [
      'with another archive',
      zip(zipFile('a.zip', zip(zipFile('a.xml', camt('R1'))))),
      1,
      'a.zip: this is an archive within an archive',
    ],
    [
      'with a password',
      zip(zipFile('a.xml', camt('R1'), { flags: 1 })),
      1,
      'this archive is password-protected',
    ],
    ['with LZMA', zip(zipFile('a.xml', camt('R1'), { method: 14 })), 1, 'a.xml is compressed with LZMA'],
    [
      'with a wrong checksum',
      zip(zipFile('a.xml', camt('R1'), { checksum: 1 })),
      1,
      'a.xml: this ZIP archive is damaged',
    ],
    ['cut in a file', zipFile('a.xml', camt('R1')).subarray(0, 200), 1, 'a.xml: this ZIP archive is damaged'],
    ['cut behind a file', zipFile('a.xml', camt('R1')), 1, 'this ZIP archive is damaged'],
    [
      'with damaged bytes',
      zip(zipFile('a.xml', Buffer.alloc(50, 0xff), { method: 0, size: 20 })),
      1,
      'a.xml: ',
    ],
  ])('%s is rejected', async (_, content, line, reason) => {
    const text = await catchReadErrorText(content);
    expect(text.slice(0, invalidStatementText(line, reason).length)).toBe(invalidStatementText(line, reason));
  });

  test('of files that expand without end is rejected in bounded memory', { timeout: 120_000 }, async () => {
    // A PDF file is skipped, but extracted.
    const pdf = Buffer.concat([Buffer.from('%PDF-'), Buffer.alloc(64 * 2 ** 20)]);
    const file = zipFile('a.pdf', pdf);
    async function* source() {
      for (let count = 0; count < 100; count += 1) yield file;
    }
    const before = measureHeapBytes();
    expect(await catchErrorText(() => Array.fromAsync(readStatement(source())))).toBe(
      invalidStatementText(1, 'the archive contains more than 1024 MiB'),
    );
    expect(measureHeapBytes() - before).toBeLessThan(50_000_000);
  });
});

describe('a GZIP file', () => {
  test('is read as the file in it', async () => {
    expect(await readEntries(gzipSync(camt('R1')))).toMatchObject([{ bankReference: 'R1' }]);
    const twoMembers = Buffer.concat([gzipSync(mt940Text(':61:261120C1,NTRF')), gzipSync(mt940Text(''))]);
    expect(await readEntries(twoMembers)).toHaveLength(1);
  });

  test.each([
    ['damaged', Buffer.concat([gzipSync(camt('R1')).subarray(0, 100), Buffer.alloc(100)])],
    ['cut off', gzipSync(camt('R1')).subarray(0, 200)],
  ])('that is %s is rejected', async (_, content) => {
    expect(await catchReadErrorText(content)).toBe(
      invalidStatementText(1, 'this GZIP file is damaged or truncated'),
    );
  });
});

describe('a file that is not a statement is named', () => {
  const ole = Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]);
  const others: [content: string | Uint8Array, reason: string][] = [
    ['%PDF-1.7', 'this is a PDF: ask the bank'],
    [Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10]), 'this is an image'],
    [Buffer.from([0xff, 0xd8, 0xff, 0xe0]), 'this is an image'],
    [ole, 'this is an Excel 97-2003 workbook (.xls) or one with a password'],
    [Buffer.from("7z\u00BC\u00AF'\u001C", 'latin1'), 'this is an archive that is neither ZIP nor GZIP'],
    ['Rar!\u001A\u0007', 'this is an archive that is neither ZIP nor GZIP'],
    [
      `a.xml${'\0'.repeat(95)}0000644\0${'0'.repeat(149)}ustar\x0000`,
      'this is an archive that is neither ZIP nor GZIP',
    ],
    ['-----BEGIN PGP MESSAGE-----\n', 'this file is encrypted with PGP'],
    ['-----BEGIN PKCS7-----\n', 'this file is encrypted or signed with S/MIME'],
    ['Received: from bank.example\n', 'this is an email'],
    ['{\\rtf1 text}', 'this is a text document (RTF)'],
    ['{"entries": []}', 'this is JSON'],
    ["UNA:+.? 'UNB+UNOC:3+", 'this is an EDIFACT message'],
    ['{1:F01BANK}{2:I103BANKN}{4:\n:20:X\n-}', 'this file is MT103 (a customer transfer), not a statement'],
    [
      '{1:F01BANK}{2:O9101200}{4:\n:20:X\n-}',
      'this file is MT910 (a confirmation of a credit), not a statement',
    ],
    ['{1:F01BANK}{2:O9991200}{4:\n:20:X\n-}', 'this file is MT999, not a statement'],
    [':20:X\n:23B:CRED\n:32A:261120HKD1,\n:59:/1\nNAME\n', 'this file is MT103'],
    [':20:X\n:21:Y\n:25:123\n:32A:261120HKD1,\n', 'this file is MT910'],
  ];

  test.each(others.map(([content, reason]) => ({ content, reason })))(
    '$reason',
    async ({ content, reason }) => {
      const bytes = typeof content === 'string' ? Buffer.from(content, 'latin1') : content;
      expect(await catchReadErrorText(bytes)).toContain(`invalid_statement: line 1: ${reason}`);
    },
  );
});

describe('bytes behind the end of a file', () => {
  test.each(['\u001A', '\0\0\0', '\r\n\u001A\0', '\u001A'.repeat(1000)])(
    '%j are ignored',
    async (padding) => {
      for (const content of [camt('R1'), mt940Text(':61:261120C1,NTRFNONREF//R1')])
        expect(await readReferences(Buffer.from(content + padding), 7)).toEqual([['R1', undefined]]);
    },
  );

  test('are not ignored within the file', async () => {
    expect(await catchReadErrorText(mt940Text(':61:261120C1,NTRF\0'))).toMatch(
      /contains the character U\+0000$/,
    );
  });
});
