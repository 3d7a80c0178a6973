import { appendContinuation, csvColumns, csvEntry } from './csv-entry.ts';
import type { CsvMapping } from './csv-mapping.ts';
import { type CsvRecord, csvRecords } from './csv-records.ts';
import { invalidStatement } from './invalid-statement.ts';
import type { StatementEntry } from './statement-entry.ts';

/** How a CSV file is read, and the currency of its account, which such files often leave out. */
export type CsvReadOptions = {
  mapping: CsvMapping;
  currency: string;
  /** The day of the import, `YYYY-MM-DD`, by which dates are judged. */
  today?: string | undefined;
};

/**
 * Reads a CSV file as its mapping says. A stream; holds as many rows as the footer has, and one. A row without an
 * amount is left out; one that has nothing but text goes on with the text of the movement above. Errors:
 * `invalid_statement` with line and reason, also for a file in which no row has an amount: then the mapping does not
 * fit.
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

/** The rows below the header and above the footer. Errors: those of csvRecords and csvColumns; a file without header. */
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
