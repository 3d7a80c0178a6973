import { readCsv } from '../../src/statement/csv.ts';
import type { CsvMapping } from '../../src/statement/csv-mapping.ts';
import type { StatementEntry } from '../../src/statement/statement-entry.ts';
import { chunks } from '../setup/chunks.ts';
import { csvMapping } from '../setup/csv-mapping.ts';
import { whatMoved, whenBooked } from './read.ts';

export async function readCsvText(
  content: string | Uint8Array,
  options: { mapping?: CsvMapping; currency?: string; today?: string } = {},
): Promise<StatementEntry[]> {
  const { mapping = csvMapping(), currency = 'HKD', ...rest } = options;
  return Array.fromAsync(readCsv(chunks(content, 1000), { mapping, currency, ...rest }));
}

/**
 * A movement in short: line, day and time, what it moves, what text, who, under which reference of the bank; what is not
 * there is left out.
 */
export function shortOf(entry: StatementEntry): (string | number)[] {
  const { line, status, reference, counterpartyName, bankReference } = entry;
  const moved = status === 'booked' ? whatMoved(entry) : `${whatMoved(entry)} ${status}`;
  const said = [reference, counterpartyName, bankReference].flatMap((one) => one || []);
  return [line, whenBooked(entry), moved, ...said];
}

/** The refusal of a file, or its number of entries. */
export async function csvRefusal(
  content: string | Uint8Array,
  options: Parameters<typeof readCsvText>[1] = {},
): Promise<string> {
  try {
    return `${(await readCsvText(content, options)).length} entries`;
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    return `${code}: ${message}`;
  }
}
