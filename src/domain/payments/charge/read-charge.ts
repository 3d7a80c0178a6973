import { type Charge, type Customer, Prisma, type Refund } from '../../../../prisma/client/client.ts';
import { columnOf } from '../../../kit/insert-rows.ts';
import type { Sql } from '../../../kit/sql.ts';

/** Which of its relations are read with a charge. */
export type ChargeParts = { refunds?: boolean; customer?: boolean };

/** A charge as Prisma reads it, with the relations that were read; refunds are ordered newest first. */
export type ReadCharge = Charge & { refunds?: Refund[]; customer?: Customer };
export type ChargeWithRefunds = Charge & { refunds: Refund[] };

/** All columns of a table, named as Prisma names its members: the one list for every statement past Prisma. */
const columnsOf = (table: string, members: Record<string, string>) =>
  Object.values(members)
    .map((member) => `${table}.${columnOf(member)} AS "${member}"`)
    .join(', ');
const chargeColumns = columnsOf('charge', Prisma.ChargeScalarFieldEnum);
const refundList = `(SELECT json_agg(one ORDER BY one.id DESC) FROM (
  SELECT ${columnsOf('refund', Prisma.RefundScalarFieldEnum)} FROM refund WHERE refund.charge_id = charge.id) one)`;
const customerObject = `(SELECT row_to_json(one) FROM (
  SELECT ${columnsOf('customer', Prisma.CustomerScalarFieldEnum)} FROM customer WHERE customer.id = charge.customer_id) one)`;

/** The list of a SELECT from `charge`, whose rows `toCharge` reads. */
export function chargeList({ refunds = false, customer = false }: ChargeParts): string {
  return [
    chargeColumns,
    ...(refunds ? [`${refundList} AS refunds`] : []),
    ...(customer ? [`${customerObject} AS customer`] : []),
  ].join(', ');
}

type Json<Row> = { [Member in keyof Row]: Row[Member] extends Date | null ? string : Row[Member] };
export type ChargeRecord = Charge & { refunds?: Json<Refund>[] | null; customer?: Json<Customer> };

/** Relations come as JSON, which has neither times nor large integers. Takes over the record. */
export function toCharge(record: ChargeRecord): ReadCharge {
  const { refunds, customer } = record;
  return Object.assign(record, {
    ...(refunds !== undefined && { refunds: (refunds ?? []).map(toRefund) }),
    ...(customer && { customer: toCustomer(customer) }),
  }) as ReadCharge;
}

const toTime = (text: string | null) => (text === null ? null : new Date(text));

function toRefund(json: Json<Refund>): Refund {
  return {
    ...json,
    customerAmount: BigInt(json.customerAmount),
    payoutExportedAt: toTime(json.payoutExportedAt),
    completedAt: toTime(json.completedAt),
    createdAt: new Date(json.createdAt),
    updatedAt: new Date(json.updatedAt),
  };
}

function toCustomer(json: Json<Customer>): Customer {
  return { ...json, createdAt: new Date(json.createdAt), updatedAt: new Date(json.updatedAt) };
}

export async function readCharge(tx: Sql, id: string): Promise<Charge> {
  const [charge] = await tx.$queryRawUnsafe<Charge[]>(
    `SELECT ${chargeColumns} FROM charge WHERE id = $1`,
    id,
  );
  if (!charge) throw new Error(`Charge not found: ${id}`);
  return charge;
}
