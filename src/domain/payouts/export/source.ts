import type { Db } from '../../../kit/db.ts';
import type { Column } from './csv.ts';

/** Rows of one kind, read page by page in descending order of their ids. `where` is Prisma's, of that kind. */
export type Source<Row extends { id: string }> = {
  columns: readonly Column<Row>[];
  count: (db: Db, where: object) => Promise<number>;
  read: (db: Db, where: object, take: number) => Promise<Row[]>;
};
