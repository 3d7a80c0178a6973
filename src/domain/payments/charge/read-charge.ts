import { type Charge, type Customer, Prisma, type Refund } from '../../../../prisma/client/client.ts';
import { toColumnName } from '../../../kit/insert-rows.ts';
import type { Sql } from '../../../kit/sql.ts';

export type ChargeRelations = { refunds?: boolean; customer?: boolean };

/** A charge in Prisma's types, with the relations that were read. Refunds are newest first. */
export type ChargeWithRelations = Charge & { refunds?: Refund[]; customer?: Customer };
export type ChargeWithRefunds = Charge & { refunds: Refund[] };

/** Returns the select list of all columns of a table, under Prisma's field names. */
const selectColumns = (table: string, fields: Record<string, string>) =>
  Object.values(fields)
    .map((field) => `${table}.${toColumnName(field)} AS "${field}"`)
    .join(', ');
const chargeColumns = selectColumns('charge', Prisma.ChargeScalarFieldEnum);
const refundsSql = `(SELECT json_agg(related ORDER BY related.id DESC) FROM (
  SELECT ${selectColumns('refund', Prisma.RefundScalarFieldEnum)} FROM refund WHERE refund.charge_id = charge.id) related)`;
const customerSql = `(SELECT row_to_json(related) FROM (
  SELECT ${selectColumns('customer', Prisma.CustomerScalarFieldEnum)} FROM customer WHERE customer.id = charge.customer_id) related)`;

/** Returns the select list for rows of `charge` from which `toCharge` creates charges. */
export function buildChargeSelectList({ refunds = false, customer = false }: ChargeRelations): string {
  return [
    chargeColumns,
    ...(refunds ? [`${refundsSql} AS refunds`] : []),
    ...(customer ? [`${customerSql} AS customer`] : []),
  ].join(', ');
}

type JsonRow<Row> = { [Member in keyof Row]: Row[Member] extends Date | null ? string : Row[Member] };
export type ChargeRecord = Charge & { refunds?: JsonRow<Refund>[] | null; customer?: JsonRow<Customer> };

/**
 * Converts the dates and large integers of the relations, which PostgreSQL returns as JSON. Mutates and
 * returns the record.
 */
export function toCharge(record: ChargeRecord): ChargeWithRelations {
  const { refunds, customer } = record;
  return Object.assign(record, {
    ...(refunds !== undefined && { refunds: (refunds ?? []).map(toRefund) }),
    ...(customer && { customer: toCustomer(customer) }),
  }) as ChargeWithRelations;
}

const toDate = (text: string | null) => (text === null ? null : new Date(text));

function toRefund(json: JsonRow<Refund>): Refund {
  return {
    ...json,
    customerAmount: BigInt(json.customerAmount),
    payoutExportedAt: toDate(json.payoutExportedAt),
    completedAt: toDate(json.completedAt),
    completionUndoneAt: toDate(json.completionUndoneAt),
    createdAt: new Date(json.createdAt),
    updatedAt: new Date(json.updatedAt),
  };
}

function toCustomer(json: JsonRow<Customer>): Customer {
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
