import type { Prisma } from '../../../../prisma/client/client.ts';
import { type CsvColumn, column, numberColumn } from '../../../kit/csv.ts';
import { toDecimal } from '../../../kit/money.ts';
import { getBankReference } from '../../payments/allocation/bank-reference.ts';
import type { ExportSource } from './export-source.ts';

const include = {
  receivingAccount: { select: { account: true, method: true } },
} satisfies Prisma.TransferInclude;

type TransferExportRow = Prisma.TransferGetPayload<{ include: typeof include }>;

const amountColumn = (name: 'amount' | 'allocated') =>
  numberColumn<TransferExportRow>(name, (row) => toDecimal({ minor: row[name], currency: row.currency }));

const columns: readonly CsvColumn<TransferExportRow>[] = [
  column('id', ({ id }) => id),
  column('direction', ({ direction }) => direction),
  column('status', ({ status }) => status),
  column('reason', ({ reason }) => reason),
  // If the bank has reported no time, only the date is written.
  column('paidAt', ({ paidAt, isPaidAtDateOnly }) =>
    paidAt.toISOString().slice(0, isPaidAtDateOnly ? 10 : undefined),
  ),
  amountColumn('amount'),
  amountColumn('allocated'),
  column('currency', ({ currency }) => currency),
  column('reference', ({ reference }) => reference),
  column('payerName', ({ payerName }) => payerName),
  column('receivingAccountId', ({ receivingAccountId }) => receivingAccountId),
  column('method', ({ receivingAccount }) => receivingAccount.method),
  column('account', ({ receivingAccount }) => receivingAccount.account),
  column('source', ({ source }) => source),
  column('bankReference', getBankReference),
  column('createdAt', ({ createdAt }) => createdAt.toISOString()),
];

export const transferSource: ExportSource<TransferExportRow> = {
  columns,
  count: ({ stale }, where) => stale.transfer.count({ where: where as Prisma.TransferWhereInput }),
  read: ({ stale }, where, page) =>
    stale.transfer.findMany({
      include,
      where: where as Prisma.TransferWhereInput,
      ...page,
    }),
};
