import type { Prisma } from '../../../../prisma/client/client.ts';
import { type CsvColumn, column, numberColumn } from '../../../kit/csv.ts';
import { toDecimal } from '../../../kit/money.ts';
import { toMetadataMember } from '../../platform/metadata.ts';
import type { OrderLine } from '../../platform/order-line.ts';
import type { ExportSource } from './export-source.ts';

const select = {
  id: true,
  status: true,
  method: true,
  paymentReference: true,
  merchantAmount: true,
  merchantCurrency: true,
  customerAmount: true,
  customerCurrency: true,
  amountReceived: true,
  feeAmount: true,
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
  orders: true,
  metadata: true,
  note: true,
  completedBy: true,
  createdAt: true,
  expiresAt: true,
  completedAt: true,
} satisfies Prisma.ChargeSelect;

type ChargeExportRow = Prisma.ChargeGetPayload<{ select: typeof select }>;

const textColumn = (
  name: keyof ChargeExportRow &
    (
      | 'id'
      | 'status'
      | 'method'
      | 'paymentReference'
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
      | 'note'
    ),
) => column<ChargeExportRow>(name, (row) => row[name]);
const timeColumn = (name: 'createdAt' | 'expiresAt' | 'completedAt') =>
  column<ChargeExportRow>(name, (row) => row[name]?.toISOString() ?? null);

const columns: readonly CsvColumn<ChargeExportRow>[] = [
  textColumn('id'),
  textColumn('status'),
  timeColumn('createdAt'),
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
  numberColumn('feeAmount', (row) => toDecimal({ minor: row.feeAmount, currency: row.customerCurrency })),
  column('customerCurrency', (row) => row.customerCurrency),
  numberColumn('rate', (row) => row.rate.toFixed()),
  textColumn('method'),
  textColumn('paymentReference'),
  textColumn('receivingAccountId'),
  timeColumn('completedAt'),
  textColumn('completedBy'),
  timeColumn('expiresAt'),
  textColumn('customerId'),
  textColumn('email'),
  textColumn('phone'),
  textColumn('firstName'),
  textColumn('lastName'),
  textColumn('sessionId'),
  textColumn('checkoutLinkId'),
  textColumn('subscriptionId'),
  textColumn('notifyPayload'),
  textColumn('note'),
  column('orderIds', ({ orders }) => (orders as OrderLine[]).flatMap(({ id }) => id ?? []).join(' ') || null),
  column('orders', ({ orders }) => ((orders as OrderLine[]).length === 0 ? null : JSON.stringify(orders))),
  column('metadata', ({ metadata }) =>
    metadata === null ? null : JSON.stringify(toMetadataMember(metadata).metadata),
  ),
];

export const chargeSource: ExportSource<ChargeExportRow> = {
  columns,
  count: ({ stale }, where) => stale.charge.count({ where: where as Prisma.ChargeWhereInput }),
  read: ({ stale }, where, page) =>
    stale.charge.findMany({
      select,
      where: where as Prisma.ChargeWhereInput,
      ...page,
    }),
};
