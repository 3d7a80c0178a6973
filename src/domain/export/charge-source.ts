import type { Prisma } from '../../../prisma/client/client.ts';
import type { Db } from '../../kit/db.ts';
import { toDecimal } from '../../kit/money.ts';
import { type Column, ours } from './csv.ts';
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

const plain = (
  name: keyof Row & ('id' | 'status' | 'method' | 'nonce' | 'customerId' | 'receivingAccountId'),
) => ours<Row>(name, (row) => row[name]);
const link = (name: 'sessionId' | 'checkoutLinkId' | 'subscriptionId' | 'completedBy') =>
  ours<Row>(name, (row) => row[name]);
const typed = (name: 'email' | 'phone' | 'firstName' | 'lastName' | 'notifyPayload'): Column<Row> => ({
  title: name,
  value: (row) => row[name],
});
const time = (name: 'createdAt' | 'expiresAt' | 'completedAt') =>
  ours<Row>(name, (row) => row[name]?.toISOString() ?? null);

const columns: readonly Column<Row>[] = [
  plain('id'),
  plain('status'),
  time('createdAt'),
  ours('merchantAmount', (row) => toDecimal({ minor: row.merchantAmount, currency: row.merchantCurrency })),
  ours('merchantCurrency', (row) => row.merchantCurrency),
  ours('customerAmount', (row) => toDecimal({ minor: row.customerAmount, currency: row.customerCurrency })),
  ours('amountReceived', (row) => toDecimal({ minor: row.amountReceived, currency: row.customerCurrency })),
  ours('customerCurrency', (row) => row.customerCurrency),
  ours('rate', (row) => row.rate.toFixed()),
  plain('method'),
  plain('nonce'),
  plain('receivingAccountId'),
  time('completedAt'),
  link('completedBy'),
  time('expiresAt'),
  plain('customerId'),
  typed('email'),
  typed('phone'),
  typed('firstName'),
  typed('lastName'),
  link('sessionId'),
  link('checkoutLinkId'),
  link('subscriptionId'),
  typed('notifyPayload'),
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
