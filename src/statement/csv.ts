import { appendContinuation, csvColumns, csvEntry } from './csv-entry.ts';
import type { CsvMapping } from './csv-mapping.ts';
import { type CsvRecord, csvRecords } from './csv-records.ts';
import { invalidStatement } from './invalid-statement.ts';
import type { StatementEntry } from './statement-entry.ts';

/** The mapping, and the account's currency, which such files often omit. */
export type CsvReadOptions = {
  mapping: CsvMapping;
  currency: string;
  /** The import day, `YYYY-MM-DD`; see `csvDate`. */
  today?: string | undefined;
};

/**
 * Streams the entries of a CSV file; buffers the footer rows and one entry. Skips rows without an amount; a
 * row with only text extends the text of the entry above. Throws `invalid_statement` with line and reason,
 * also if no row has an amount, since the mapping is then wrong.
 */
export async function* readCsv(
  source: AsyncIterable<Uint8Array>,
  { mapping, ...options }: CsvReadOptions,
): AsyncGenerator<StatementEntry> {
  let movements = 0;
  let rows = 0;
  let pendingEntry: StatementEntry | undefined;
  for await (const { record, columns } of csvRows(source, mapping)) {
    rows += 1;
    const entry = csvEntry(record, { mapping, columns, ...options });
    if (!entry) {
      pendingEntry &&= appendContinuation(pendingEntry, record, { mapping, columns });
      continue;
    }
    movements += 1;
    if (pendingEntry) yield pendingEntry;
    pendingEntry = entry;
  }
  if (pendingEntry) yield pendingEntry;
  if (rows > 0 && movements === 0) {
    throw invalidStatement(
      mapping.skipLines + 1,
      'no row has an amount: the mapping does not match this file',
    );
  }
}

/**
 * Yields the rows between header and footer. Throws the errors of `csvRecords` and `csvColumns`, or if the
 * header is missing.
 */
export async function* csvRows(source: AsyncIterable<Uint8Array>, mapping: CsvMapping) {
  let columns = mapping.hasHeader ? undefined : csvColumns(mapping, undefined);
  const footerBuffer: CsvRecord[] = [];
  for await (const record of csvRecords(source, mapping)) {
    if (!columns) {
      columns = csvColumns(mapping, record);
      continue;
    }
    footerBuffer.push(record);
    if (footerBuffer.length > mapping.footerRows) yield { record: footerBuffer.shift()!, columns };
  }
  if (!columns) throw invalidStatement(mapping.skipLines + 1, 'the file ends before its header');
}
