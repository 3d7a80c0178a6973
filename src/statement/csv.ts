import { appendContinuation, locateCsvColumns, toCsvEntry } from './csv-entry.ts';
import type { CsvMapping } from './csv-mapping.ts';
import { type CsvRecord, readCsvRecords } from './csv-records.ts';
import { invalidStatementError } from './invalid-statement.ts';
import type { StatementEntry } from './statement-entry.ts';

export type CsvReadOptions = {
  mapping: CsvMapping;
  /** The account's currency, which CSV files often omit. */
  currency: string;
  /** The import day, `YYYY-MM-DD`; see `parseCsvDate`. */
  today?: string | undefined;
};

/**
 * Streams the entries of a CSV file; keeps only the footer rows and one entry in memory. Skips rows without an amount;
 * a row with only text extends the text of the entry above it. Throws `invalid_statement` with line and reason, also if
 * no row has an amount, since the mapping is then wrong.
 */
export async function* readCsv(
  source: AsyncIterable<Uint8Array>,
  { mapping, ...options }: CsvReadOptions,
): AsyncGenerator<StatementEntry> {
  let movementCount = 0;
  let rowCount = 0;
  let pendingEntry: StatementEntry | undefined;
  for await (const { record, columns } of readCsvRows(source, mapping)) {
    rowCount += 1;
    const entry = toCsvEntry(record, { mapping, columns, ...options });
    if (!entry) {
      pendingEntry &&= appendContinuation(pendingEntry, record, { mapping, columns });
      continue;
    }
    movementCount += 1;
    if (pendingEntry) yield pendingEntry;
    pendingEntry = entry;
  }
  if (pendingEntry) yield pendingEntry;
  if (rowCount > 0 && movementCount === 0) {
    throw invalidStatementError(
      mapping.skipLines + 1,
      'no row has an amount: the mapping does not match this file',
    );
  }
}

/**
 * Yields the rows between header and footer. Throws the errors of `readCsvRecords` and `locateCsvColumns`, and an error
 * if the header is missing.
 */
export async function* readCsvRows(source: AsyncIterable<Uint8Array>, mapping: CsvMapping) {
  let columns = mapping.hasHeader ? undefined : locateCsvColumns(mapping, undefined);
  const footerBuffer: CsvRecord[] = [];
  for await (const record of readCsvRecords(source, mapping)) {
    if (!columns) {
      columns = locateCsvColumns(mapping, record);
      continue;
    }
    footerBuffer.push(record);
    if (footerBuffer.length > mapping.footerRows) yield { record: footerBuffer.shift()!, columns };
  }
  if (!columns) throw invalidStatementError(mapping.skipLines + 1, 'the file ends before its header');
}
