import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cp, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { decimalToMinor } from '../../src/kit/money.ts';
import { createTempDir } from '../setup/temp-dir.ts';
import type { Entry } from './read.ts';
import { readEntries, whatMoved } from './read.ts';

/** An entry as the readers of `expected.py` read it. The entries of a file are null if those readers cannot read it. */
type ExpectedEntry = [amount: string, currency: string, bookedOn: string | null, valueOn: string | null];

const folder = new URL('../fixtures/statements/', import.meta.url);
const expectedFiles: Record<string, ExpectedEntry[] | null> = JSON.parse(
  readFileSync(new URL('expected.json', folder), 'utf8'),
);

/** The amounts of the parts of a split `Ntry` are added up. */
function toRows(entries: Entry[]) {
  const rows = new Map<string, { minor: bigint; row: unknown[] }>();
  for (const [index, entry] of entries.entries()) {
    const { amount, direction, bookedOn = null, valueOn = null, batchReference } = entry;
    const key = batchReference ?? `#${index}`;
    const minor = (rows.get(key)?.minor ?? 0n) + (direction === 'debit' ? -amount.minor : amount.minor);
    rows.set(key, { minor, row: [minor, amount.currency, bookedOn, valueOn] });
  }
  return [...rows.values()].map(({ row }) => row);
}

/** Python with lxml and mt-940; `.ci/run` installs it where Python is present. */
const { STATEMENT_READERS } = process.env;

const check = (path: string) =>
  spawnSync(STATEMENT_READERS as string, [join(path, 'expected.py'), '--check'], { encoding: 'utf8' });

describe.skipIf(!STATEMENT_READERS)('expected.py (runs where STATEMENT_READERS names its Python)', () => {
  test('reads in each file the entries of expected.json', () => {
    const { status, stderr } = check(fileURLToPath(folder));
    expect(status, stderr).toBe(0);
  });

  test.each([
    ['camt/camt053.v14.no-status.xml', />[\d.]+<\/Amt>/g, '>1.23</Amt>'],
    ['mt940/de-at-signs.sta', '128,50', '128,05'],
  ])('fails if an amount in %s differs', async (name, amount, other) => {
    const copy = await createTempDir(onTestFinished);
    await cp(folder, copy, { recursive: true });
    const path = join(copy, name);
    await writeFile(path, (await readFile(path, 'latin1')).replaceAll(amount, other), 'latin1');
    const { status, stderr } = check(copy);
    expect([status, stderr]).toEqual([1, expect.stringContaining('expected.json differs')]);
  });
});

describe('independent readers', () => {
  test('have read all camt and MT940 fixtures', async () => {
    const names = await Promise.all(
      ['camt', 'mt940'].map(async (kind) =>
        (await readdir(new URL(kind, folder))).map((name) => `${kind}/${name}`),
      ),
    );
    const statements = names.flat().filter((name) => /\.(xml|sta|txt)$/.test(name));
    expect(Object.keys(expectedFiles).sort()).toEqual(statements.sort());
  });

  const readable = Object.entries(expectedFiles).filter(([, expected]) => expected !== null);

  test.each(readable)('read the same in %s', async (name, expected) => {
    const entries = await readEntries(readFileSync(new URL(name, folder)));
    expect(toRows(entries)).toEqual(
      expected!.map(([amount, currency, ...dates]) => [decimalToMinor(amount, currency), currency, ...dates]),
    );
  });

  test.each([
    ['mt940/de-blank-before-type.sta', ['1235 EUR', '50 EUR'], ['TIGER2345', 'order HONEY6789']],
    ['mt940/ng-no-type.sta', ['22000000 NGN', '-24023 NGN'], ['TIGER2345', 'Acct Maint. Fee + VAT']],
    ['mt940/nl-decimal-point.sta', ['30000 EUR', '-5050 EUR'], ['J JANSEN TIGER2345 170059286', 'RENT']],
  ])('cannot read %s, which a person has read', async (name, moved, texts) => {
    expect(expectedFiles[name]).toBeNull();
    const entries = await readEntries(readFileSync(new URL(name, folder)));
    expect(entries.map(whatMoved)).toEqual(moved);
    for (const [index, text] of texts.entries()) expect(entries[index]!.reference).toContain(text);
  });
});
