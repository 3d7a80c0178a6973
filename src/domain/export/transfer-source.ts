import type { Prisma } from '../../../prisma/client/client.ts';
import type { Db } from '../../kit/db.ts';
import { toDecimal } from '../../kit/money.ts';
import { type Column, ours } from './csv.ts';
import type { Source } from './source.ts';

const include = {
  receivingAccount: { select: { account: true, method: true } },
} satisfies Prisma.TransferInclude;

type Row = Prisma.TransferGetPayload<{ include: typeof include }>;

const amount = (name: 'amount' | 'allocated') =>
  ours<Row>(name, (row) => toDecimal({ minor: row[name], currency: row.currency }));

const columns: readonly Column<Row>[] = [
  ours('id', ({ id }) => id),
  ours('direction', ({ direction }) => direction),
  ours('status', ({ status }) => status),
  ours('reason', ({ reason }) => reason),
  // A bank that gives only a date gives no midnight.
  ours('paidAt', ({ paidAt, paidAtIsDate }) => paidAt.toISOString().slice(0, paidAtIsDate ? 10 : undefined)),
  amount('amount'),
  amount('allocated'),
  ours('currency', ({ currency }) => currency),
  { title: 'reference', value: ({ reference }) => reference },
  { title: 'payerName', value: ({ payerName }) => payerName },
  ours('receivingAccountId', ({ receivingAccountId }) => receivingAccountId),
  ours('method', ({ receivingAccount }) => receivingAccount.method),
  { title: 'account', value: ({ receivingAccount }) => receivingAccount.account },
  ours('source', ({ source }) => source),
  { title: 'bankReference', value: ({ bankReference }) => bankReference },
  ours('createdAt', ({ createdAt }) => createdAt.toISOString()),
];

/** The transfers that fit a filter, those recorded last first. */
export const transferSource: Source<Row> = {
  columns,
  count: (db: Db, where) => db.prisma.transfer.count({ where: where as Prisma.TransferWhereInput }),
  read: (db: Db, where, take) =>
    db.prisma.transfer.findMany({
      include,
      where: where as Prisma.TransferWhereInput,
      orderBy: { id: 'desc' },
      take,
    }),
};
