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
 * Returns the line, the booking time, the amount, the text, the counterparty and the bank's reference of an entry,
 * without missing texts.
 */
export function summarizeCsvEntry(entry: StatementEntry): (string | number)[] {
  const { line, status, reference, counterpartyName, bankReference } = entry;
  const moved = status === 'booked' ? whatMoved(entry) : `${whatMoved(entry)} ${status}`;
  const said = [reference, counterpartyName, bankReference].flatMap((one) => one || []);
  return [line, whenBooked(entry), moved, ...said];
}

/** Like `catchReadErrorText`, for a CSV file. */
export const csvRefusal = (...given: Parameters<typeof readCsvText>) =>
  catchErrorText(() => readCsvText(...given));

const fixtures = new URL('../fixtures/statements/csv/', import.meta.url);

/** Summarizes the entries of a file, which are read with the detected mapping and its changes. */
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
