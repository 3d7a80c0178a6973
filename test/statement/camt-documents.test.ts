import { describe, expect, test } from 'vitest';
import type { StatementSummary } from '../../src/statement/control-totals.ts';
import { readStatement } from '../../src/statement/read-statement.ts';
import { camtXml, details, ntry, payer, toChunks } from '../setup/statement-files.ts';
import { catchReadErrorText, invalidStatementText, readEntries, readOnlyEntry } from './read.ts';

describe('documents of a camt file', () => {
  test('version 1 names the version in its elements and has no element around transactions', async () => {
    const entry = ntry({
      status: '<Sts>BOOK</Sts>',
      details: details(payer('Chan Tai Man', 'HK00999', 1)).replace(/<\/?NtryDtls>/g, ''),
    });
    const xml = camtXml(entry, { version: 1 }).replaceAll('BkToCstmrStmt>', 'BkToCstmrStmtV01>');
    expect(await readOnlyEntry(xml)).toMatchObject({ counterpartyName: 'Chan Tai Man' });
  });

  test('a message without a namespace is rejected with its kind', async () => {
    expect(await catchReadErrorText('<Document><CstmrCdtTrfInitn/></Document>')).toBe(
      invalidStatementText(
        1,
        'this file is pain.001, a payment order to the bank: camt.052, camt.053 and camt.054 are supported',
      ),
    );
  });

  test('several documents one after the other are read as one file', async () => {
    const other = camtXml(ntry({ reference: '<AcctSvcrRef>R2</AcctSvcrRef>' }), {
      message: '054',
      version: 2,
    });
    for (const between of ['', '\n', '\uFEFF', '\r\n\uFEFF']) {
      const entries = await readEntries(camtXml(ntry()) + between + other);
      expect(entries.map(({ bankReference }) => bankReference)).toEqual(['R1', 'R2']);
    }
    expect(await catchReadErrorText(`${camtXml(ntry())}<html/>`)).toContain(
      '<html> is not an ISO 20022 message',
    );
  });

  test('a later version is read like the newest known, with a note', async () => {
    const summaries: StatementSummary[] = [];
    const onStatement = (summary: StatementSummary) => summaries.push(summary);
    await Array.fromAsync(readStatement(toChunks(camtXml(ntry(), { version: 14 })), { onStatement }));
    expect(summaries[0]!.note).toBe(
      'camt.053.001.14 is a later version than camt.053.001.13 and was read like it',
    );
  });

  test('names, references and purposes are other texts, which are searched too', async () => {
    const transaction = [
      '<Refs><InstrId>I1</InstrId><Prtry><Tp>T</Tp><Ref>P1</Ref></Prtry></Refs>',
      '<RltdPties><Dbtr><Pty><Nm>Bank of A</Nm></Pty></Dbtr><UltmtDbtr><Pty><Nm>TIGER2345</Nm></Pty></UltmtDbtr></RltdPties>',
      '<Purp><Prtry>HONEY6789</Prtry></Purp><RmtInf><Ustrd>rent</Ustrd></RmtInf>',
    ].join('');
    const [entry] = await Array.fromAsync(
      readStatement(toChunks(camtXml(ntry({ details: details(transaction) })))),
    );
    expect(entry).toMatchObject({
      reference: 'rent',
      otherTexts: expect.arrayContaining(['Bank of A', 'TIGER2345', 'I1', 'T', 'P1', 'HONEY6789']),
    });
  });
});
