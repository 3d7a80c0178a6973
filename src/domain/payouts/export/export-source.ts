import type { Db } from '../../../kit/db.ts';
import type { CsvColumn } from './csv.ts';

/** Rows of one kind, read page by page in descending order of IDs. `where` is a Prisma filter of that kind. */
export type ExportSource<Row extends { id: string }> = {
  columns: readonly CsvColumn<Row>[];
  count: (db: Db, where: object) => Promise<number>;
  read: (db: Db, where: object, take: number) => Promise<Row[]>;
};
