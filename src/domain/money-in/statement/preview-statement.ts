import type { MachineTime } from '../../../kit/clock.ts';
import type { Db } from '../../../kit/db.ts';
import type { MerchantScope } from '../../../kit/merchant-scope.ts';
import { toLocalDate } from '../../../kit/time-zone.ts';
import { csvRows } from '../../../statement/csv.ts';
import { appendContinuation, csvEntry } from '../../../statement/csv-entry.ts';
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
import {
  accountsMax,
  previewRowsMax,
  recordError,
  type StatementPreview,
  scannedRowsMax,
} from './statement-preview.ts';

type PreviewInput = MerchantScope & {
  uploadId: string;
  receivingAccountId: string;
  mapping?: unknown;
  /** The merchant's time, against which dates are checked; in the sandbox that of its test clock. */
  now: Date;
  /** The machine's time, used for the expiry of uploads. */
  machineNow: MachineTime;
};

/**
 * Returns the first rows of a file as entries, with the errors in the first {@link scannedRowsMax} rows,
 * without importing anything. For CSV, suggests a mapping if none is given and the account has none. Errors:
 * `upload_not_found`, `receiving_account_not_found`, `invalid_request` for an invalid mapping,
 * `invalid_statement` for an unsupported format.
 */
export async function previewStatement(db: Db, input: PreviewInput): Promise<StatementPreview> {
  const { merchantId, mode, machineNow } = input;
  const account = await getReceivingAccount(db, { merchantId, mode, id: input.receivingAccountId });
  const upload = await getUpload(db, { merchantId, mode, id: input.uploadId, at: machineNow });
  const { head, format } = await readHead(db, upload);
  const emptyLists = { columns: [], accounts: [], rows: [], faults: [] };
  const preview: StatementPreview = { format, ...emptyLists, entries: 0, isWhole: false };
  const { currency } = account;
  if (format !== 'csv') return readEntries(preview, readStatement(readUpload(db, upload)));
  const choice = (await chooseMapping(db, input)) ?? {
    mapping: await guessCsvMapping(head, { currency }),
    mappingOrigin: 'detected',
  };
  const rows = () => readUpload(db, upload);
  const today = toLocalDate(input.now, account.timeZone);
  return previewCsv({ ...preview, ...choice }, choice.mapping, { rows, currency, today });
}

/** Previews a format that needs no mapping; the first error ends the preview. */
async function readEntries(
  preview: StatementPreview,
  entries: AsyncIterable<StatementEntry>,
): Promise<StatementPreview> {
  try {
    for await (const entry of entries) {
      if (preview.entries === scannedRowsMax) return preview;
      preview.entries += 1;
      const { accountId } = entry;
      const isNew = accountId !== undefined && !preview.accounts.includes(accountId);
      if (isNew && preview.accounts.length < accountsMax) preview.accounts.push(accountId);
      if (preview.rows.length < previewRowsMax) preview.rows.push({ line: entry.line, cells: [], entry });
    }
    preview.isWhole = true;
  } catch (error) {
    recordError(preview, error);
  }
  return preview;
}

const cellMax = 200;

/** Parses each row separately, so that a wrong mapping shows all its errors. */
async function previewCsv(
  preview: StatementPreview,
  mapping: CsvMapping,
  { rows, ...options }: { rows: () => AsyncIterable<Uint8Array>; currency: string; today: string },
): Promise<StatementPreview> {
  let scanned = 0;
  let lastEntryRow = -1;
  try {
    preview.columns = (await readColumns(rows(), mapping)).map(truncateCell);
    for await (const { record, columns } of csvRows(rows(), mapping)) {
      if (scanned === scannedRowsMax) return preview;
      scanned += 1;
      const entry = tryEntry(preview, () => csvEntry(record, { mapping, columns, ...options }));
      if (entry) {
        preview.entries += 1;
        lastEntryRow = preview.rows.length;
      }
      const previousRow = entry ? undefined : preview.rows[lastEntryRow];
      if (previousRow?.entry)
        previousRow.entry = appendContinuation(previousRow.entry, record, { mapping, columns });
      if (preview.rows.length >= previewRowsMax) continue;
      preview.rows.push({ line: record.line, cells: record.cells.map(truncateCell), entry: entry ?? null });
    }
    preview.isWhole = true;
  } catch (error) {
    recordError(preview, error);
  }
  return preview;
}

/** Returns the header, or without one the widest of the first rows, because a title may precede the data. */
async function readColumns(source: AsyncIterable<Uint8Array>, mapping: CsvMapping): Promise<string[]> {
  let widest: string[] = [];
  let scanned = 0;
  for await (const { cells } of csvRecords(source, mapping)) {
    if (cells.length > widest.length) widest = cells;
    scanned += 1;
    if (mapping.hasHeader || scanned === previewRowsMax) break;
  }
  return widest;
}

function tryEntry(
  preview: StatementPreview,
  parse: () => StatementEntry | undefined,
): StatementEntry | undefined {
  try {
    return parse();
  } catch (error) {
    recordError(preview, error);
    return undefined;
  }
}

function truncateCell(cell: string): string {
  return cell.length > cellMax ? `${cell.slice(0, cellMax).toWellFormed()}…` : cell;
}
