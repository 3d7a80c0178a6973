import type { StaleReads } from '../../../kit/stale-reads.ts';
import type { CsvColumn } from './csv.ts';

/** Rows of one kind, read page by page in descending order of IDs. `where` is a Prisma filter of that kind. */
export type ExportSource<Row extends { id: string }> = {
  columns: readonly CsvColumn<Row>[];
  count: (reads: StaleReads, where: object) => Promise<number>;
  read: (reads: StaleReads, where: object, take: number) => Promise<Row[]>;
};
