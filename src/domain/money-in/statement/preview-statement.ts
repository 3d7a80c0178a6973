import type { MachineTime } from '../../../kit/clock.ts';
import type { Db } from '../../../kit/db.ts';
import type { Owner } from '../../../kit/owner.ts';
import { localDate } from '../../../kit/time-zone.ts';
import { csvRows } from '../../../statement/csv.ts';
import { csvEntry, withMoreText } from '../../../statement/csv-entry.ts';
import { guessCsvMapping } from '../../../statement/csv-guess.ts';
import type { CsvMapping } from '../../../statement/csv-mapping.ts';
import { csvRecords } from '../../../statement/csv-records.ts';
import { readStatement } from '../../../statement/read-statement.ts';
import type { StatementEntry } from '../../../statement/statement-entry.ts';
import { getReceivingAccount } from '../../accounts/receiving-account/get-receiving-account.ts';
import { getUpload } from '../../platform/upload/get-upload.ts';
import { readUpload } from '../../platform/upload/read-upload.ts';
import { readHead } from './read-head.ts';
import { chooseMapping } from './statement-mapping.ts';
import { accountsMax, note, readMax, type StatementPreview, shownMax } from './statement-preview.ts';

type PreviewInput = Owner & {
  uploadId: string;
  receivingAccountId: string;
  mapping?: unknown;
  /** The merchant's time, by which dates are judged; in the sandbox that of its test clock. */
  now: Date;
  /** The machine's time, by which uploads expire. */
  machineNow: MachineTime;
};

/**
 * Shows how a file would be read, without importing anything: its first rows with what they come to, and what is wrong
 * in the first two thousand. For CSV a mapping is suggested where none is given and the account has none. Errors:
 * `upload_not_found`, `receiving_account_not_found`, `invalid_request` for a mapping that is none, `invalid_statement`
 * for a file of no format we read.
 */
export async function previewStatement(db: Db, input: PreviewInput): Promise<StatementPreview> {
  const { merchantId, mode, machineNow } = input;
  const account = await getReceivingAccount(db, { merchantId, mode, id: input.receivingAccountId });
  const upload = await getUpload(db, { merchantId, mode, id: input.uploadId, at: machineNow });
  const { head, format } = await readHead(db, upload);
  const lists = { columns: [], accounts: [], rows: [], faults: [] };
  const preview: StatementPreview = { format, ...lists, entries: 0, isWhole: false };
  const { currency } = account;
  if (format !== 'csv') return readEntries(preview, readStatement(readUpload(db, upload)));
  const chosen = (await chooseMapping(db, input)) ?? {
    mapping: await guessCsvMapping(head, { currency }),
    mappingFrom: 'guess',
  };
  const rows = () => readUpload(db, upload);
  const today = localDate(input.now, account.timeZone);
  return previewCsv({ ...preview, ...chosen }, chosen.mapping, { rows, currency, today });
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
      const { accountId } = entry;
      const isNew = accountId !== undefined && !preview.accounts.includes(accountId);
      if (isNew && preview.accounts.length < accountsMax) preview.accounts.push(accountId);
      if (preview.rows.length < shownMax) preview.rows.push({ line: entry.line, cells: [], entry });
    }
    preview.isWhole = true;
  } catch (error) {
    note(preview, error);
  }
  return preview;
}

/** Of each cell, so many characters. */
const cellMax = 200;

/** Each row by itself, so that a mapping that does not fit yet shows all that is wrong. */
async function previewCsv(
  preview: StatementPreview,
  mapping: CsvMapping,
  { rows, ...reading }: { rows: () => AsyncIterable<Uint8Array>; currency: string; today: string },
): Promise<StatementPreview> {
  let read = 0;
  /** The row of the last movement. */
  let last = -1;
  try {
    preview.columns = (await firstColumns(rows(), mapping)).map(shortened);
    for await (const { record, columns } of csvRows(rows(), mapping)) {
      if (read === readMax) return preview;
      read += 1;
      const entry = tryEntry(preview, () => csvEntry(record, { mapping, columns, ...reading }));
      if (entry) {
        preview.entries += 1;
        last = preview.rows.length;
      }
      const above = entry ? undefined : preview.rows[last];
      if (above?.entry) above.entry = withMoreText(above.entry, record, { mapping, columns });
      if (preview.rows.length >= shownMax) continue;
      preview.rows.push({ line: record.line, cells: record.cells.map(shortened), entry: entry ?? null });
    }
    preview.isWhole = true;
  } catch (error) {
    note(preview, error);
  }
  return preview;
}

/** The header; where there is none, the widest of the first rows: above the others may stand a title. */
async function firstColumns(source: AsyncIterable<Uint8Array>, mapping: CsvMapping): Promise<string[]> {
  let widest: string[] = [];
  let seen = 0;
  for await (const { cells } of csvRecords(source, mapping)) {
    if (cells.length > widest.length) widest = cells;
    seen += 1;
    if (mapping.hasHeader || seen === shownMax) break;
  }
  return widest;
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

function shortened(cell: string): string {
  return cell.length > cellMax ? `${cell.slice(0, cellMax).toWellFormed()}…` : cell;
}
