import { type Charge, type Customer, Prisma, type Refund } from '../../../prisma/client/client.ts';
import type { Db } from '../../kit/db.ts';
import type { Owned, Owner } from '../../kit/owner.ts';
import { rowShape } from '../../kit/row-shape.ts';
import { queryNamed } from '../../kit/sql.ts';
import { type CountedFilter, listConditions, type Values } from './charge-conditions.ts';

/** Which of its relations are read with a charge. With `isShort` its row has the members of `shortMembers` alone. */
export type ChargeParts = { refunds: boolean; customer: boolean; isShort?: boolean };
export type ChargeSlice = { filter: CountedFilter; after: string | undefined; take: number };
export type ChargeRow = Charge & { refunds?: Refund[]; customer?: Customer };

/** What is mostly asked of charges: half of the columns, in far less than half of the time where there are many rows. */
const shortMembers = [
  'id',
  'merchantId',
  'mode',
  'status',
  'customerId',
  'email',
  'merchantAmount',
  'merchantCurrency',
  'customerAmount',
  'customerCurrency',
  'method',
  'destination',
  'orders',
  'notifyPayload',
  'version',
  'expiresAt',
  'completedAt',
  'createdAt',
  'updatedAt',
] as const satisfies (keyof Charge)[];
const amounts = { merchantAmount: 'bigint', customerAmount: 'bigint' } as const;
const shortShape = rowShape<Pick<Charge, (typeof shortMembers)[number]>>(shortMembers, amounts);
const chargeShape = rowShape<Charge>(Object.values(Prisma.ChargeScalarFieldEnum), {
  ...amounts,
  amountAdded: 'bigint',
  usdAmount: 'bigint',
  amountReceived: 'bigint',
  rate: 'decimal',
});
const refundShape = rowShape<Refund>(Object.values(Prisma.RefundScalarFieldEnum), {
  customerAmount: 'bigint',
  payoutExportedAt: 'date',
  completedAt: 'date',
  createdAt: 'date',
  updatedAt: 'date',
});
const customerShape = rowShape<Customer>(Object.values(Prisma.CustomerScalarFieldEnum), {
  createdAt: 'date',
  updatedAt: 'date',
});

const refundList = `(SELECT json_agg(${refundShape.json('refund')} ORDER BY refund.id DESC)
  FROM refund WHERE refund.charge_id = charge.id) AS refunds`;
const customerObject = `(SELECT ${customerShape.json('customer')}
  FROM customer WHERE customer.id = charge.customer_id) AS customer`;

/** One charge as Prisma reads it, in one statement; null where there is none. */
export async function readChargeRow(
  db: Pick<Db, 'pool'>,
  owner: Owned,
  parts: ChargeParts,
): Promise<ChargeRow | null> {
  const text = `SELECT ${columnsOf(parts)} FROM charge
    WHERE charge.id = $1 AND charge.merchant_id = $2 AND charge.mode = $3::mode`;
  const [row] = await queryNamed<Told>(db.pool, text, [owner.id, owner.merchantId, owner.mode]);
  return row ? readRow(row, parts) : null;
}

/** The newest charges of a list, those after (older than) the id given; `take` at most. */
export async function readChargeRows(
  db: Pick<Db, 'pool'>,
  owner: Owner,
  { filter, after, take }: ChargeSlice,
  parts: ChargeParts,
): Promise<ChargeRow[]> {
  const values: Values = [];
  const edge = after === undefined ? '' : `AND id < $${values.push(after)}`;
  const text = `SELECT ${columnsOf(parts)} FROM (
      SELECT * FROM charge WHERE ${listConditions(values, owner, filter)} ${edge}
      ORDER BY id DESC LIMIT $${values.push(take)}
    ) charge ORDER BY charge.id DESC`;
  return (await queryNamed<Told>(db.pool, text, values)).map((told) => readRow(told, parts));
}

type Told = Record<string, unknown> & {
  refunds?: Record<string, unknown>[] | null;
  customer?: Record<string, unknown>;
};

function columnsOf({ refunds, customer, isShort = false }: ChargeParts): string {
  const own = (isShort ? shortShape : chargeShape).columns('charge');
  return [own, ...(refunds ? [refundList] : []), ...(customer ? [customerObject] : [])].join(', ');
}

function readRow(told: Told, { isShort = false }: ChargeParts): ChargeRow {
  const { refunds, customer } = told;
  const row = (isShort ? shortShape : chargeShape).read(told) as ChargeRow;
  if (refunds !== undefined) row.refunds = (refunds ?? []).map(refundShape.read);
  if (customer) row.customer = customerShape.read(customer);
  return row;
}

const oneCustomer = `SELECT ${customerShape.columns('customer')} FROM customer WHERE id = $1`;

/** The customer of a charge, as Prisma reads them. */
export async function readCustomerOf(
  db: Pick<Db, 'pool'>,
  { customerId }: Pick<Charge, 'customerId'>,
): Promise<Customer> {
  const [row] = await queryNamed<Told>(db.pool, oneCustomer, [customerId]);
  if (!row) throw new Error(`There is no customer ${customerId}`);
  return customerShape.read(row);
}
