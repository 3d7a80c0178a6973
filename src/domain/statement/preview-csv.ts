import { csvRows } from '../../statement/csv.ts';
import { csvEntry, withMoreText } from '../../statement/csv-entry.ts';
import type { CsvMapping } from '../../statement/csv-mapping.ts';
import { csvRecords } from '../../statement/csv-records.ts';
import type { StatementEntry } from '../../statement/statement-entry.ts';
import { note, readMax, type StatementPreview, shownMax } from './statement-preview.ts';

/** Of each cell, so many characters. */
const cellMax = 200;

/** Each row by itself, so that a mapping that does not fit yet shows all that is wrong. */
export async function previewCsv(
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
