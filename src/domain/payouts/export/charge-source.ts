import type { Prisma } from '../../../../prisma/client/client.ts';
import type { Db } from '../../../kit/db.ts';
import { toDecimal } from '../../../kit/money.ts';
import { type Column, column, numberColumn } from './csv.ts';
import type { Source } from './source.ts';

const select = {
  id: true,
  status: true,
  method: true,
  nonce: true,
  merchantAmount: true,
  merchantCurrency: true,
  customerAmount: true,
  customerCurrency: true,
  amountReceived: true,
  rate: true,
  customerId: true,
  email: true,
  phone: true,
  firstName: true,
  lastName: true,
  receivingAccountId: true,
  sessionId: true,
  checkoutLinkId: true,
  subscriptionId: true,
  notifyPayload: true,
  completedBy: true,
  createdAt: true,
  expiresAt: true,
  completedAt: true,
} satisfies Prisma.ChargeSelect;

type Row = Prisma.ChargeGetPayload<{ select: typeof select }>;

const text = (
  name: keyof Row &
    (
      | 'id'
      | 'status'
      | 'method'
      | 'nonce'
      | 'receivingAccountId'
      | 'completedBy'
      | 'customerId'
      | 'email'
      | 'phone'
      | 'firstName'
      | 'lastName'
      | 'sessionId'
      | 'checkoutLinkId'
      | 'subscriptionId'
      | 'notifyPayload'
    ),
) => column<Row>(name, (row) => row[name]);
const time = (name: 'createdAt' | 'expiresAt' | 'completedAt') =>
  column<Row>(name, (row) => row[name]?.toISOString() ?? null);

const columns: readonly Column<Row>[] = [
  text('id'),
  text('status'),
  time('createdAt'),
  numberColumn('merchantAmount', (row) =>
    toDecimal({ minor: row.merchantAmount, currency: row.merchantCurrency }),
  ),
  column('merchantCurrency', (row) => row.merchantCurrency),
  numberColumn('customerAmount', (row) =>
    toDecimal({ minor: row.customerAmount, currency: row.customerCurrency }),
  ),
  numberColumn('amountReceived', (row) =>
    toDecimal({ minor: row.amountReceived, currency: row.customerCurrency }),
  ),
  column('customerCurrency', (row) => row.customerCurrency),
  numberColumn('rate', (row) => row.rate.toFixed()),
  text('method'),
  text('nonce'),
  text('receivingAccountId'),
  time('completedAt'),
  text('completedBy'),
  time('expiresAt'),
  text('customerId'),
  text('email'),
  text('phone'),
  text('firstName'),
  text('lastName'),
  text('sessionId'),
  text('checkoutLinkId'),
  text('subscriptionId'),
  text('notifyPayload'),
];

/** The charges that fit a filter, newest first. */
export const chargeSource: Source<Row> = {
  columns,
  count: (db: Db, where) => db.prisma.charge.count({ where: where as Prisma.ChargeWhereInput }),
  read: (db: Db, where, take) =>
    db.prisma.charge.findMany({
      select,
      where: where as Prisma.ChargeWhereInput,
      orderBy: { id: 'desc' },
      take,
    }),
};
