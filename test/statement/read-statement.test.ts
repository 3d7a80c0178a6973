import { describe, expect, test } from 'vitest';
import { readStatement } from '../../src/statement/read-statement.ts';
import { camtXml, ntry } from './camt-xml.ts';
import { mt940Text } from './mt940-text.ts';
import { chunks, entriesOf, readAll, refusalOf } from './read.ts';

describe('the format of a statement file', () => {
  test('is told by the first bytes, or named', async () => {
    const xml = camtXml(ntry());
    expect(await entriesOf(xml)).toHaveLength(1);
    expect(await entriesOf(xml, { format: 'camt' })).toHaveLength(1);
    await expect(entriesOf(xml, { format: 'mt940' })).rejects.toMatchObject({ code: 'invalid_statement' });
  });

  test('is handed on before the first entry', async () => {
    const mt940 = mt940Text(':61:261120C1,NTRF');
    for (const [content, format] of [
      [camtXml(ntry()), 'camt'],
      [mt940, 'mt940'],
    ] as const) {
      const heard: string[] = [];
      for await (const _ of readStatement(chunks(content), { onFormat: (one) => heard.push(one) })) {
        expect(heard).toEqual([format]);
      }
      expect(heard).toEqual([format]);
    }
  });

  test.each([
    ['a ZIP archive', Buffer.from('PK\u0003\u0004....')],
    ['a PDF', Buffer.from('%PDF-1.7')],
    ['plain text', Buffer.from('Dear customer,')],
  ])('%s is refused, naming what is supported', async (_, bytes) => {
    expect(await refusalOf(bytes)).toMatch(
      /^invalid_statement: line 1: the format of this file is not known; supported: ISO 20022 camt.053 and camt.054 \(XML\); SWIFT MT940$/,
    );
  });

  test('an empty file is refused', async () => {
    expect(await refusalOf('')).toBe('invalid_statement: line 1: the file is empty');
  });
});

describe('the source of a statement', () => {
  const watched = (content: string) => {
    const state = { closed: false };
    async function* source() {
      try {
        yield* chunks(content, 100);
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
