import type { ReceivingAccount } from '../../../../../prisma/client/client.ts';
import type { SystemTime } from '../../../../kit/clock.ts';
import type { Db } from '../../../../kit/db.ts';
import type { MerchantScope } from '../../../../kit/merchant-scope.ts';
import { toLocalDate } from '../../../../kit/time-zone.ts';
import type { StatementListener, StatementSummary } from '../../../../statement/control-totals.ts';
import { readCsvRows } from '../../../../statement/csv.ts';
import { appendContinuation, toCsvEntry } from '../../../../statement/csv-entry.ts';
import { guessCsvMapping } from '../../../../statement/csv-guess.ts';
import type { CsvMapping } from '../../../../statement/csv-mapping.ts';
import {
  decompress,
  readStatement,
  type StatementReadOptions,
} from '../../../../statement/read-statement.ts';
import type { StatementEntry, StatementFileKind } from '../../../../statement/statement-entry.ts';
import { createTableMetadata } from '../../../../statement/table-metadata.ts';
import { readTableRecords } from '../../../../statement/table-records.ts';
import { getReceivingAccount } from '../../../accounts/receiving-account/get-receiving-account.ts';
import { getUpload, readUpload } from '../../../platform/upload/read-upload.ts';
import { checkStatement } from '../check-statement.ts';
import { chooseFileAccount, selectOwnSummaries } from '../file-account.ts';
import { readFormat } from '../read-format.ts';
import { chooseMapping } from '../statement-mapping.ts';
import {
  accountsMax,
  previewRowsMax,
  recordError,
  type StatementPreview,
  scannedRowsMax,
} from './statement-preview.ts';

export type PreviewInput = MerchantScope & {
  uploadId: string;
  receivingAccountId: string;
  mapping?: unknown;
  /** The merchant's time, with which dates are compared; in the sandbox, the time of its test clock. */
  now: Date;
  /** The system time, at which uploads expire. */
  systemNow: SystemTime;
};

/**
 * Returns the first rows of a file as entries, with the errors in the first {@link scannedRowsMax} rows,
 * without importing anything. For a table, suggests a mapping if none is given and the account has none. Errors:
 * `upload_not_found`, `receiving_account_not_found`, `invalid_request` for an invalid mapping,
 * `invalid_statement` for an unsupported format.
 */
export async function previewStatement(db: Db, input: PreviewInput): Promise<StatementPreview> {
  const { merchantId, mode, systemNow } = input;
  const account = await getReceivingAccount(db, { merchantId, mode, id: input.receivingAccountId });
  const upload = await getUpload(db, { merchantId, mode, id: input.uploadId, now: systemNow });
  const { format, fileKind } = await readFormat(db, upload);
  const emptyLists = {
    columns: [],
    accounts: [],
    rows: [],
    errors: [],
    questions: [],
    discrepancies: [],
    notes: [],
  };
  const preview: StatementPreview = {
    format: fileKind ?? null,
    ...emptyLists,
    entries: 0,
    isComplete: false,
  };
  const { currency } = account;
  const today = toLocalDate(input.now, account.timeZone);
  if (format !== 'csv') {
    const mapping = format === 'zip' ? (await chooseMapping(db, input))?.mapping : undefined;
    const csv = mapping && { mapping, currency, today };
    const options = { csv, account: { currency, today } };
    const result = await readEntries(preview, readUpload(db, upload), options);
    return addDiscrepancies(db, addFileAccount(result, account.account), {
      account,
      entries: (onStatement) => readStatement(readUpload(db, upload), { ...options, onStatement }),
    });
  }
  const rows = () => decompress(readUpload(db, upload));
  const choice = (await chooseMapping(db, input)) ?? {
    ...(await guessCsvMapping(rows, { currency, today })),
    mappingOrigin: 'detected',
  };
  const csv = { mapping: choice.mapping, currency, today };
  const result = await previewCsv({ ...preview, ...choice }, choice.mapping, { rows, currency, today });
  return addDiscrepancies(db, addFileAccount(result, account.account), {
    account,
    entries: (onStatement) => readStatement(readUpload(db, upload), { csv, onStatement }),
  });
}

/** Reads a file that is short enough for the preview once more, and compares it with its control totals. */
async function addDiscrepancies(
  db: Db,
  preview: StatementPreview,
  options: {
    account: ReceivingAccount;
    entries: (onStatement: StatementListener) => AsyncIterable<StatementEntry>;
  },
): Promise<StatementPreview> {
  const { account, entries } = options;
  const mustChoose = preview.accounts.length > 1 && preview.fileAccount === undefined;
  if (!preview.isComplete || preview.errors.length > 0 || mustChoose) return preview;
  const summaries: StatementSummary[] = [];
  try {
    for await (const _ of entries((summary) => summaries.push(summary)));
  } catch (error) {
    recordError(preview, error);
    return preview;
  }
  const own = selectOwnSummaries(summaries, preview.fileAccount);
  const { discrepancies, control } = await checkStatement(db, undefined, { account, summaries: own });
  return { ...preview, discrepancies: discrepancies.items, notes: control.notes ?? [] };
}

function addFileAccount(preview: StatementPreview, ownAccount: string): StatementPreview {
  const choice = chooseFileAccount(new Set(preview.accounts), { ownAccount, chosen: null });
  const fileAccount = 'error' in choice ? undefined : choice.fileAccount;
  return fileAccount === undefined ? preview : { ...preview, fileAccount };
}

/** Previews a format that needs no mapping; the first error ends the preview. */
async function readEntries(
  preview: StatementPreview,
  source: AsyncIterable<Uint8Array>,
  options: StatementReadOptions,
): Promise<StatementPreview> {
  const onKind = (kind: StatementFileKind) => {
    preview.format ??= kind;
  };
  try {
    for await (const entry of readStatement(source, { ...options, onKind })) {
      if (preview.entries === scannedRowsMax) return preview;
      preview.entries += 1;
      addAccount(preview, entry);
      if (preview.rows.length < previewRowsMax) preview.rows.push({ line: entry.line, cells: [], entry });
    }
    preview.isComplete = true;
  } catch (error) {
    recordError(preview, error);
  }
  return preview;
}

function addAccount({ accounts }: StatementPreview, { accountId }: StatementEntry): void {
  const isNew = accountId !== undefined && !accounts.includes(accountId);
  if (isNew && accounts.length < accountsMax) accounts.push(accountId);
}

const cellLengthMax = 200;

/**
 * Previews a table. Parses each row separately, so that the preview of a wrong mapping shows the errors of several
 * rows.
 */
async function previewCsv(
  preview: StatementPreview,
  mapping: CsvMapping,
  { rows, ...options }: { rows: () => AsyncIterable<Uint8Array>; currency: string; today: string },
): Promise<StatementPreview> {
  let scannedCount = 0;
  let lastEntryIndex = -1;
  try {
    preview.columns = (await readColumns(rows(), mapping)).map(truncateCell);
    const metadata = createTableMetadata(mapping, options);
    const readOptions = { mapping, ...options, metadata };
    for await (const row of readCsvRows(rows(), readOptions)) {
      if (scannedCount === scannedRowsMax) return preview;
      scannedCount += 1;
      const entry = tryParseEntry(preview, () => toCsvEntry(row, readOptions));
      if (entry) {
        preview.entries += 1;
        addAccount(preview, entry);
        metadata.addEntry(entry);
        lastEntryIndex = preview.rows.length;
      }
      if (!entry) metadata.addRow(row.record);
      const previousRow = entry ? undefined : preview.rows[lastEntryIndex];
      if (previousRow?.entry) previousRow.entry = appendContinuation(previousRow.entry, row, mapping);
      if (preview.rows.length >= previewRowsMax) continue;
      const { line, cells } = row.record;
      preview.rows.push({ line, cells: cells.map(truncateCell), entry: entry ?? null });
    }
    preview.isComplete = true;
  } catch (error) {
    recordError(preview, error);
  }
  return preview;
}

/**
 * Returns the cells of the header or, if there is none, of the widest of the first rows, because a title may
 * precede the data.
 */
async function readColumns(source: AsyncIterable<Uint8Array>, mapping: CsvMapping): Promise<string[]> {
  let widest: string[] = [];
  let scannedCount = 0;
  for await (const { cells } of readTableRecords(source, mapping)) {
    if (cells.length > widest.length) widest = cells;
    scannedCount += 1;
    if (mapping.hasHeader || scannedCount === previewRowsMax) break;
  }
  return widest;
}

function tryParseEntry(
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
  return cell.length > cellLengthMax ? `${cell.slice(0, cellLengthMax).toWellFormed()}…` : cell;
}
