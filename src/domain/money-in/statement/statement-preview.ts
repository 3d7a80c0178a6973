import type { CsvMapping } from '../../../statement/csv-mapping.ts';
import { InvalidStatement } from '../../../statement/invalid-statement.ts';
import type { StatementFormat } from '../../../statement/read-statement.ts';
import type { StatementEntry } from '../../../statement/statement-entry.ts';

/** Limits on the preview of a large file. */
export const previewRowsMax = 20;
export const scannedRowsMax = 2_000;
const errorsMax = 20;
export const accountsMax = 20;
export type PreviewRow = { line: number; cells: string[]; entry: StatementEntry | null };
type PreviewError = { line: number; reason: string };

export type StatementPreview = {
  format: StatementFormat;
  /** The CSV mapping and its origin. */
  mapping?: CsvMapping;
  mappingOrigin?: 'provided' | 'saved' | 'detected';
  /** For CSV, the cells of the header, or without one of the widest of the first rows. */
  columns: string[];
  /** The accounts that the file names, as the bank writes them; rare in CSV files. */
  accounts: string[];
  rows: PreviewRow[];
  faults: PreviewError[];
  entries: number;
  /** Whether the whole file was read. The import always validates all of it first. */
  isWhole: boolean;
};

/** Adds the error of a row or of the file to the preview; rethrows any other error. */
export function recordError(preview: StatementPreview, error: unknown): void {
  if (!(error instanceof InvalidStatement)) throw error;
  const { line, reason } = error;
  if (preview.faults.length < errorsMax) preview.faults.push({ line, reason });
}
