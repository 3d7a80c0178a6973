import { type Charge, type Customer, Prisma, type Refund } from '../../../prisma/client/client.ts';
import type { Db } from '../../kit/db.ts';
import { queryPrepared } from '../../kit/prepared.ts';
import { rowShape } from '../../kit/row-shape.ts';
import { type ChargeOwner, type CountedFilter, listConditions, type Values } from './charge-conditions.ts';

/** Which of its relations are read with a charge. */
export type ChargeParts = { refunds: boolean; customer: boolean };
export type ChargeSlice = { filter: CountedFilter; after: string | undefined; take: number };
export type ChargeRow = Charge & { refunds?: Refund[]; customer?: Customer };

const chargeShape = rowShape<Charge>(Object.values(Prisma.ChargeScalarFieldEnum), {
  merchantAmount: 'bigint',
  customerAmount: 'bigint',
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

const chargeColumns = chargeShape.columns('charge');
const refundList = `(SELECT json_agg(${refundShape.json('refund')} ORDER BY refund.id DESC)
  FROM refund WHERE refund.charge_id = charge.id) AS refunds`;
const customerObject = `(SELECT ${customerShape.json('customer')}
  FROM customer WHERE customer.id = charge.customer_id) AS customer`;

/** One charge as Prisma reads it, in one statement; null where there is none. */
export async function readChargeRow(
  db: Pick<Db, 'pool'>,
  owner: ChargeOwner & { id: string },
  parts: ChargeParts,
): Promise<ChargeRow | null> {
  const text = `SELECT ${columnsOf(parts)} FROM charge
    WHERE charge.id = $1 AND charge.merchant_id = $2 AND charge.mode = $3::mode`;
  const [row] = await queryPrepared<Told>(db, text, [owner.id, owner.merchantId, owner.mode]);
  return row ? readRow(row) : null;
}

/** The newest charges of a list, those after (older than) the id given; `take` at most. */
export async function readChargeRows(
  db: Pick<Db, 'pool'>,
  owner: ChargeOwner,
  { filter, after, take }: ChargeSlice,
  parts: ChargeParts,
): Promise<ChargeRow[]> {
  const values: Values = [];
  const edge = after === undefined ? '' : `AND id < $${values.push(after)}`;
  const text = `SELECT ${columnsOf(parts)} FROM (
      SELECT * FROM charge WHERE ${listConditions(values, owner, filter)} ${edge}
      ORDER BY id DESC LIMIT $${values.push(take)}
    ) charge ORDER BY charge.id DESC`;
  return (await queryPrepared<Told>(db, text, values)).map(readRow);
}

type Told = Record<string, unknown> & {
  refunds?: Record<string, unknown>[] | null;
  customer?: Record<string, unknown>;
};

function columnsOf({ refunds, customer }: ChargeParts): string {
  return [chargeColumns, ...(refunds ? [refundList] : []), ...(customer ? [customerObject] : [])].join(', ');
}

function readRow(told: Told): ChargeRow {
  const { refunds, customer } = told;
  const row: ChargeRow = chargeShape.read(told);
  if (refunds !== undefined) row.refunds = (refunds ?? []).map(refundShape.read);
  if (customer) row.customer = customerShape.read(customer);
  return row;
}
