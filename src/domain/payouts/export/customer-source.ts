import type { Customer, Prisma } from '../../../../prisma/client/client.ts';
import { type CsvColumn, column } from '../../../kit/csv.ts';
import type { ExportSource } from './export-source.ts';

const columns: readonly CsvColumn<Customer>[] = [
  column('id', ({ id }) => id),
  column('email', ({ email }) => email),
  column('phone', ({ phone }) => phone),
  column('firstName', ({ firstName }) => firstName),
  column('lastName', ({ lastName }) => lastName),
  column('note', ({ note }) => note),
  column('createdAt', ({ createdAt }) => createdAt.toISOString()),
];

export const customerSource: ExportSource<Customer> = {
  columns,
  count: ({ stale }, where) => stale.customer.count({ where: where as Prisma.CustomerWhereInput }),
  read: ({ stale }, where, page) =>
    stale.customer.findMany({ where: where as Prisma.CustomerWhereInput, ...page }),
};
