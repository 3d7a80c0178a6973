import { readFile } from 'node:fs/promises';
import { readCsv } from '../../src/statement/csv.ts';
import { guessCsvMapping } from '../../src/statement/csv-guess.ts';
import type { CsvMapping } from '../../src/statement/csv-mapping.ts';
import type { StatementEntry } from '../../src/statement/statement-entry.ts';
import { csvMapping, toChunks } from '../setup/statement-files.ts';
import { catchErrorText, whatMoved, whenBooked } from './read.ts';

export async function readCsvText(
  content: string | Uint8Array,
  options: { mapping?: CsvMapping; currency?: string; today?: string } = {},
): Promise<StatementEntry[]> {
  const { mapping = csvMapping(), currency = 'HKD', ...rest } = options;
  return Array.fromAsync(readCsv(toChunks(content, 1000), { mapping, currency, ...rest }));
}

/**
 * A movement in short: line, day and time, what it moves, what text, who, under which reference of the bank;
 * what is not there is left out.
 */
export function summarizeCsvEntry(entry: StatementEntry): (string | number)[] {
  const { line, status, reference, counterpartyName, bankReference } = entry;
  const moved = status === 'booked' ? whatMoved(entry) : `${whatMoved(entry)} ${status}`;
  const said = [reference, counterpartyName, bankReference].flatMap((one) => one || []);
  return [line, whenBooked(entry), moved, ...said];
}

/** As `catchReadErrorText`. */
export const csvRefusal = (...given: Parameters<typeof readCsvText>) =>
  catchErrorText(() => readCsvText(...given));

const fixtures = new URL('../fixtures/statements/csv/', import.meta.url);

/** The movements of a file, in short, by the mapping that is guessed from it, changed or not. */
export async function readCsvFile(
  name: string,
  currency: string,
  change: Partial<CsvMapping> = {},
): Promise<(string | number)[][]> {
  const content = await readFile(new URL(name, fixtures));
  const guess = await guessCsvMapping(() => toChunks(content), { currency });
  const mapping = { ...guess.mapping, ...change };
  return (await readCsvText(content, { mapping, currency, today: '2026-11-21' })).map(summarizeCsvEntry);
}
