import type { Discrepancy } from '../../../../statement/check-control-totals.ts';
import type { CsvMapping } from '../../../../statement/csv-mapping.ts';
import type { CsvQuestion } from '../../../../statement/csv-questions.ts';
import { InvalidStatement } from '../../../../statement/invalid-statement.ts';
import type { StatementEntry, StatementFileKind } from '../../../../statement/statement-entry.ts';

export const previewRowsMax = 20;
/** The maximum number of rows that a preview reads. */
export const scannedRowsMax = 2_000;
const errorsMax = 20;
export const accountsMax = 20;
export type PreviewRow = { line: number; cells: string[]; entry: StatementEntry | null };
type PreviewError = { line: number; reason: string };

export type StatementPreview = {
  /** Null if an error prevented reading the part of the file that determines its kind. */
  format: StatementFileKind | null;
  /** Only for tables. */
  mapping?: CsvMapping;
  mappingOrigin?: 'provided' | 'saved' | 'detected';
  /** The bank whose export has exactly this header. */
  bank?: string | undefined;
  /** The decisions that a person must make before the suggested mapping may be used. */
  questions: CsvQuestion[];
  /** For tables, the cells of the header or, if there is none, of the widest of the first rows. */
  columns: string[];
  /** The accounts that the file names, as the bank writes them; rare in CSV files. */
  accounts: string[];
  /** The account whose entries would be recorded, if the file names several; undefined if a person must choose. */
  fileAccount?: string;
  rows: PreviewRow[];
  errors: PreviewError[];
  /**
   * The discrepancies; empty if the file is too long for the preview or invalid, or if a person must choose the
   * account.
   */
  discrepancies: Discrepancy[];
  /** Remarks about how the file was read; empty in the same cases. */
  notes: string[];
  /** The number of entries that were read. */
  entries: number;
  /** Whether the whole file was read. An import always validates the whole file first. */
  isComplete: boolean;
};

/** Adds the error of a row or of the file to the preview; rethrows any other error. */
export function recordError(preview: StatementPreview, error: unknown): void {
  if (!(error instanceof InvalidStatement)) throw error;
  const { line, reason } = error;
  if (preview.errors.length < errorsMax) preview.errors.push({ line, reason });
}
