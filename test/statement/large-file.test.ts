import { expect, test } from 'vitest';
import { readStatement } from '../../src/statement/read-statement.ts';
import { count } from '../setup/counts.ts';
import { measureHeapBytes } from '../setup/fuzz.ts';
import { camtXml, details, ntry, payer } from '../setup/statement-files.ts';
import { readAll } from './read.ts';

/** Enough to show that nothing is held as a whole; the full size in the long run. */
const total = count(10_000, 100_000);
/** Less than the file has, in either run. */
const growthMax = count(4_000_000, 10_000_000);

const [head, tail] = camtXml('<Ntry/>').split('<Ntry/>') as [string, string];

/** A message of very many entries, never held as a whole; counts the bytes handed out. */
function stream(lines: Iterable<string>) {
  const progress = { bytes: 0 };
  async function* source() {
    let text = head;
    for (const line of lines) {
      text += line;
      if (text.length < 32_768) continue;
      progress.bytes += text.length;
      yield Buffer.from(text);
      text = '';
    }
    yield Buffer.from(text + tail);
  }
  return { source: source(), progress };
}

function* many(count: number, line: (index: number) => string) {
  for (let index = 0; index < count; index += 1) yield line(index);
}

test('very many entries are read in bounded memory, showing progress', { timeout: 120_000 }, async () => {
  const entry = ntry({
    reference: '<AcctSvcrRef>R#</AcctSvcrRef>',
    details: details(`${payer('Payer #', 'HK#')}<RmtInf><Ustrd>order # TIGER2345</Ustrd></RmtInf>`),
  });
  const { source, progress } = stream(many(total, (index) => entry.replaceAll('#', String(index))));
  const before = measureHeapBytes();
  let read = 0;
  let heapGrowth = 0;
  let bytesAtHalf = 0;
  for await (const { bankReference, reference } of readStatement(source)) {
    if (bankReference !== `R${read}` || reference !== `order ${read} TIGER2345`) break;
    read += 1;
    if (read === total / 2) bytesAtHalf = progress.bytes;
    if (read % (total / 5) !== 0) continue;
    heapGrowth = Math.max(heapGrowth, measureHeapBytes() - before);
  }
  expect(read).toBe(total);
  expect(progress.bytes).toBeGreaterThan(growthMax);
  expect(bytesAtHalf / progress.bytes).toBeCloseTo(0.5, 1);
  expect(heapGrowth).toBeLessThan(growthMax);
});

test('very many movements of an MT940 file are read in bounded memory', { timeout: 120_000 }, async () => {
  let bytes = 0;
  async function* source() {
    yield Buffer.from(':20:S1\n:25:012-345678\n:60F:C261119HKD0,\n');
    for (let index = 0; index < total; index += 100) {
      const movements = Array.from(
        { length: 100 },
        (_, offset) => `:61:261120C1,NTRFNONREF//B${index + offset}\n:86:TIGER2345${' order'.repeat(70)}\n`,
      );
      const chunk = Buffer.from(movements.join(''));
      bytes += chunk.length;
      yield chunk;
    }
    yield Buffer.from(':62F:C261120HKD100000,\n-\n');
  }
  const before = measureHeapBytes();
  let read = 0;
  let heapGrowth = 0;
  for await (const { bankReference, line } of readStatement(source())) {
    if (bankReference !== `B${read}` || line !== 4 + 2 * read) break;
    read += 1;
    if (read % (total / 5) !== 0) continue;
    heapGrowth = Math.max(heapGrowth, measureHeapBytes() - before);
  }
  expect(read).toBe(total);
  expect(bytes).toBeGreaterThan(growthMax);
  expect(heapGrowth).toBeLessThan(growthMax);
});

/** The transactions of one entry. */
const within = count(5_000, 20_000);

test(`one entry of ${within} transactions becomes as many entries`, { timeout: 60_000 }, async () => {
  const transaction = `<TxDtls><Amt Ccy="HKD">0.01</Amt>${payer('Payer #', 'HK#')}</TxDtls>`;
  function* lines() {
    yield `<Ntry><Amt Ccy="HKD">${within / 100}.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>BOOK</Sts><AcctSvcrRef>R</AcctSvcrRef><NtryDtls>`;
    yield* many(within, (index) => transaction.replaceAll('#', String(index)));
    yield '</NtryDtls></Ntry>';
  }
  const entries = await readAll(stream(lines()).source);
  expect(entries).toHaveLength(within);
  expect(new Set(entries.map(({ bankReference }) => bankReference)).size).toBe(within);
  expect(entries.at(-1)).toMatchObject({
    amount: { minor: 1n },
    bankReference: `R/${within}`,
    counterpartyName: `Payer ${within - 1}`,
  });
});
