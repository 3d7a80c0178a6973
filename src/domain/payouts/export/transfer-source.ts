import type { Prisma } from '../../../../prisma/client/client.ts';
import type { Db } from '../../../kit/db.ts';
import { toDecimal } from '../../../kit/money.ts';
import { type Column, column, numberColumn } from './csv.ts';
import type { Source } from './source.ts';

const include = {
  receivingAccount: { select: { account: true, method: true } },
} satisfies Prisma.TransferInclude;

type Row = Prisma.TransferGetPayload<{ include: typeof include }>;

const amount = (name: 'amount' | 'allocated') =>
  numberColumn<Row>(name, (row) => toDecimal({ minor: row[name], currency: row.currency }));

const columns: readonly Column<Row>[] = [
  column('id', ({ id }) => id),
  column('direction', ({ direction }) => direction),
  column('status', ({ status }) => status),
  column('reason', ({ reason }) => reason),
  // A bank that gives only a date gives no midnight.
  column('paidAt', ({ paidAt, paidAtIsDate }) =>
    paidAt.toISOString().slice(0, paidAtIsDate ? 10 : undefined),
  ),
  amount('amount'),
  amount('allocated'),
  column('currency', ({ currency }) => currency),
  column('reference', ({ reference }) => reference),
  column('payerName', ({ payerName }) => payerName),
  column('receivingAccountId', ({ receivingAccountId }) => receivingAccountId),
  column('method', ({ receivingAccount }) => receivingAccount.method),
  column('account', ({ receivingAccount }) => receivingAccount.account),
  column('source', ({ source }) => source),
  column('bankReference', ({ bankReference }) => bankReference),
  column('createdAt', ({ createdAt }) => createdAt.toISOString()),
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
