import type { Mode, Upload } from '../../../prisma/client/client.ts';
import type { Db } from '../../kit/db.ts';
import { csvRows } from '../../statement/csv.ts';
import { csvEntry } from '../../statement/csv-entry.ts';
import { guessCsvMapping } from '../../statement/csv-guess.ts';
import { type CsvMapping, checkCsvMapping } from '../../statement/csv-mapping.ts';
import { csvRecords } from '../../statement/csv-records.ts';
import { statementFault } from '../../statement/invalid-statement.ts';
import { readStatement, type StatementFormat } from '../../statement/read-statement.ts';
import type { StatementEntry } from '../../statement/statement-entry.ts';
import { getUpload } from '../upload/get-upload.ts';
import { readUpload } from '../upload/read-upload.ts';
import { getAccount } from './import-statement.ts';
import { readHead } from './read-head.ts';
import { findStatementMapping } from './statement-mapping.ts';

/** Rows that are shown, rows that are read, faults that are told: a preview answers at once, however large the file is. */
const shownMax = 20;
const readMax = 2_000;
const faultsMax = 20;
/** Of each cell, so many characters. */
const cellMax = 200;

export type PreviewRow = { line: number; cells: string[]; entry: StatementEntry | null };
export type PreviewFault = { line: number; reason: string };

export type StatementPreview = {
  format: StatementFormat;
  /** Of CSV: how it is read, and whether that was given, is the account's, or was guessed. */
  mapping?: CsvMapping;
  mappingFrom?: 'given' | 'account' | 'guess';
  /** Of CSV: the cells of the header, or of the first row where there is none. */
  columns: string[];
  rows: PreviewRow[];
  faults: PreviewFault[];
  /** Movements that were read. */
  entries: number;
  /** Whether that is the whole file; the import looks at all of it first in any case. */
  isWhole: boolean;
};

type PreviewInput = {
  merchantId: string;
  mode: Mode;
  uploadId: string;
  receivingAccountId: string;
  mapping?: unknown;
  /** The machine's time. */
  at: Date;
};

/**
 * Shows how a file would be read, without importing anything: its first rows with what they come to, and what is wrong in
 * the first two thousand. For CSV a mapping is suggested where none is given and the account has none. Errors:
 * `upload_not_found`, `receiving_account_not_found`, `invalid_request` for a mapping that is none, `invalid_statement` for
 * a file of no format we read.
 */
export async function previewStatement(db: Db, input: PreviewInput): Promise<StatementPreview> {
  const account = await getAccount(db, input);
  const upload = await getUpload(db, { ...owner(input), id: input.uploadId, at: input.at });
  const { head, format } = await readHead(db, upload);
  const preview: StatementPreview = { format, columns: [], rows: [], faults: [], entries: 0, isWhole: false };
  const { currency } = account;
  if (format !== 'csv') return readEntries(preview, readStatement(readUpload(db, upload)));
  const chosen = await chooseMapping(db, input, () => guessCsvMapping(head, { currency }));
  const rows = () => readUpload(db, upload);
  return previewCsv({ ...preview, ...chosen }, chosen.mapping, { rows, currency });
}

function owner({ merchantId, mode }: PreviewInput): Pick<Upload, 'merchantId' | 'mode'> {
  return { merchantId, mode };
}

async function chooseMapping(
  db: Db,
  { mapping, receivingAccountId }: PreviewInput,
  guess: () => Promise<CsvMapping>,
): Promise<{ mapping: CsvMapping; mappingFrom: NonNullable<StatementPreview['mappingFrom']> }> {
  if (mapping != null) return { mapping: checkCsvMapping(mapping), mappingFrom: 'given' };
  const stored = await findStatementMapping(db, receivingAccountId);
  if (stored) return { mapping: stored, mappingFrom: 'account' };
  return { mapping: await guess(), mappingFrom: 'guess' };
}

/** A format that says itself what is what: it is broken, or it is not. */
async function readEntries(
  preview: StatementPreview,
  entries: AsyncIterable<StatementEntry>,
): Promise<StatementPreview> {
  try {
    for await (const entry of entries) {
      if (preview.entries === readMax) return preview;
      preview.entries += 1;
      if (preview.rows.length < shownMax) preview.rows.push({ line: entry.line, cells: [], entry });
    }
    preview.isWhole = true;
  } catch (error) {
    note(preview, error);
  }
  return preview;
}

/** Each row by itself, so that a mapping that does not fit yet shows all that is wrong. */
async function previewCsv(
  preview: StatementPreview,
  mapping: CsvMapping,
  { rows, currency }: { rows: () => AsyncIterable<Uint8Array>; currency: string },
): Promise<StatementPreview> {
  let read = 0;
  try {
    for await (const { cells } of csvRecords(rows(), mapping)) {
      preview.columns = cells.map(shortened);
      break;
    }
    for await (const { record, columns } of csvRows(rows(), mapping)) {
      if (read === readMax) return preview;
      read += 1;
      const entry = tryEntry(preview, () => csvEntry(record, { mapping, columns, currency }));
      if (entry) preview.entries += 1;
      if (preview.rows.length >= shownMax) continue;
      preview.rows.push({ line: record.line, cells: record.cells.map(shortened), entry: entry ?? null });
    }
    preview.isWhole = true;
  } catch (error) {
    note(preview, error);
  }
  return preview;
}

function tryEntry(
  preview: StatementPreview,
  read: () => StatementEntry | undefined,
): StatementEntry | undefined {
  try {
    return read();
  } catch (error) {
    note(preview, error);
    return undefined;
  }
}

function note(preview: StatementPreview, error: unknown): void {
  const fault = statementFault(error);
  if (!fault) throw error;
  if (preview.faults.length < faultsMax) preview.faults.push(fault);
}

function shortened(cell: string): string {
  return cell.length > cellMax ? `${cell.slice(0, cellMax)}…` : cell;
}
