import type { CsvMapping } from '../../../statement/csv-mapping.ts';
import { InvalidStatement } from '../../../statement/invalid-statement.ts';
import type { StatementFormat } from '../../../statement/read-statement.ts';
import type { StatementEntry } from '../../../statement/statement-entry.ts';

/**
 * Rows that are shown, rows that are read, faults that are told: a preview answers at once, however large the file is.
 */
export const previewRowsMax = 20;
export const scannedRowsMax = 2_000;
const errorsMax = 20;
export const accountsMax = 20;
export type PreviewRow = { line: number; cells: string[]; entry: StatementEntry | null };
type PreviewError = { line: number; reason: string };

export type StatementPreview = {
  format: StatementFormat;
  /** Of CSV: how it is read, and whether that was given, is the account's, or was guessed. */
  mapping?: CsvMapping;
  mappingFrom?: 'given' | 'account' | 'guess';
  /** Of CSV: the cells of the header; where there is none, of the widest of the first rows. */
  columns: string[];
  /** The accounts it says it is of, as the bank writes them; a CSV file seldom says. */
  accounts: string[];
  rows: PreviewRow[];
  faults: PreviewError[];
  /** Movements that were read. */
  entries: number;
  /** Whether that is the whole file; the import looks at all of it first in any case. */
  isWhole: boolean;
};

/** Adds a refusal of a row, or of the file, to what is wrong; throws any other error. */
export function recordError(preview: StatementPreview, error: unknown): void {
  if (!(error instanceof InvalidStatement)) throw error;
  const { line, reason } = error;
  if (preview.faults.length < errorsMax) preview.faults.push({ line, reason });
}
