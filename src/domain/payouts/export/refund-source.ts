import type { Prisma } from '../../../../prisma/client/client.ts';
import { type CsvColumn, column, numberColumn } from '../../../kit/csv.ts';
import { toDecimal } from '../../../kit/money.ts';
import type { ExportSource } from './export-source.ts';

const include = {
  charge: {
    select: { method: true, email: true, phone: true, firstName: true, lastName: true, customerId: true },
  },
} satisfies Prisma.RefundInclude;

type RefundExportRow = Prisma.RefundGetPayload<{ include: typeof include }>;

const customerColumn = (name: 'email' | 'phone' | 'firstName' | 'lastName') =>
  column<RefundExportRow>(name, ({ charge }) => charge[name]);
const timeColumn = (name: 'createdAt' | 'updatedAt' | 'completedAt' | 'payoutExportedAt') =>
  column<RefundExportRow>(name, (row) => row[name]?.toISOString() ?? null);

/** Payout details are excluded, because they require the permission to pay. */
const columns: readonly CsvColumn<RefundExportRow>[] = [
  column('id', ({ id }) => id),
  column('status', ({ status }) => status),
  timeColumn('createdAt'),
  column('chargeId', ({ chargeId }) => chargeId),
  numberColumn('customerAmount', (row) =>
    toDecimal({ minor: row.customerAmount, currency: row.customerCurrency }),
  ),
  column('customerCurrency', ({ customerCurrency }) => customerCurrency),
  column('method', ({ charge }) => charge.method),
  column('payoutReference', ({ payoutReference }) => payoutReference),
  timeColumn('payoutExportedAt'),
  timeColumn('completedAt'),
  timeColumn('updatedAt'),
  column('reopenReason', ({ reopenReason }) => reopenReason),
  column('customerId', ({ charge }) => charge.customerId),
  customerColumn('email'),
  customerColumn('phone'),
  customerColumn('firstName'),
  customerColumn('lastName'),
  column('reason', ({ reason }) => reason),
  column('note', ({ note }) => note),
];

export const refundSource: ExportSource<RefundExportRow> = {
  columns,
  count: ({ stale }, where) => stale.refund.count({ where: where as Prisma.RefundWhereInput }),
  read: ({ stale }, where, page) =>
    stale.refund.findMany({
      include,
      where: where as Prisma.RefundWhereInput,
      ...page,
    }),
};
