import type { CsvColumn } from '../../../kit/csv.ts';
import type { StaleReads } from '../../../kit/stale-reads.ts';

/** The order and the maximum number of rows of a page. */
type ExportPageOptions = { orderBy: { id: 'asc' | 'desc' }; take: number };

/** Rows of one kind, read page by page in the order of their IDs. `where` is a Prisma filter of that kind. */
export type ExportSource<Row extends { id: string }> = {
  columns: readonly CsvColumn<Row>[];
  count: (reads: StaleReads, where: object) => Promise<number>;
  read: (reads: StaleReads, where: object, page: ExportPageOptions) => Promise<Row[]>;
};
