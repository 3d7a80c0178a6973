import type { Prisma } from '../../../../prisma/client/client.ts';
import type { Db } from '../../../kit/db.ts';
import { toDecimal } from '../../../kit/money.ts';
import { type Column, column, numberColumn } from './csv.ts';
import type { Source } from './source.ts';

const include = {
  charge: {
    select: { method: true, email: true, phone: true, firstName: true, lastName: true, customerId: true },
  },
} satisfies Prisma.RefundInclude;

type Row = Prisma.RefundGetPayload<{ include: typeof include }>;

const typed = (name: 'email' | 'phone' | 'firstName' | 'lastName') =>
  column<Row>(name, ({ charge }) => charge[name]);
const time = (name: 'createdAt' | 'updatedAt' | 'completedAt' | 'payoutExportedAt') =>
  column<Row>(name, (row) => row[name]?.toISOString() ?? null);

/** Where the money goes is not among them: that is for whoever pays it. */
const columns: readonly Column<Row>[] = [
  column('id', ({ id }) => id),
  column('status', ({ status }) => status),
  time('createdAt'),
  column('chargeId', ({ chargeId }) => chargeId),
  numberColumn('customerAmount', (row) =>
    toDecimal({ minor: row.customerAmount, currency: row.customerCurrency }),
  ),
  column('customerCurrency', ({ customerCurrency }) => customerCurrency),
  column('method', ({ charge }) => charge.method),
  column('payoutReference', ({ payoutReference }) => payoutReference),
  time('payoutExportedAt'),
  time('completedAt'),
  time('updatedAt'),
  column('reopenReason', ({ reopenReason }) => reopenReason),
  column('customerId', ({ charge }) => charge.customerId),
  typed('email'),
  typed('phone'),
  typed('firstName'),
  typed('lastName'),
];

/** The refunds that fit a filter, newest first. */
export const refundSource: Source<Row> = {
  columns,
  count: (db: Db, where) => db.prisma.refund.count({ where: where as Prisma.RefundWhereInput }),
  read: (db: Db, where, take) =>
    db.prisma.refund.findMany({
      include,
      where: where as Prisma.RefundWhereInput,
      orderBy: { id: 'desc' },
      take,
    }),
};
