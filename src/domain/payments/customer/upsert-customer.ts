import { foldEmail } from '../../../kit/contact.ts';
import { newId } from '../../../kit/id.ts';
import { lockByName } from '../../../kit/lock-by-name.ts';
import type { MerchantScope } from '../../../kit/merchant-scope.ts';
import type { Sql } from '../../../kit/sql.ts';
import type { CustomerDetails } from './customer-input.ts';

type CustomerIdentity = MerchantScope & { email: string; phone: string; now: Date };
type CustomerNames = Pick<CustomerDetails, 'firstName' | 'lastName'>;

/**
 * Finds the merchant's customer by the lower-case email or, without an email, by phone. Creates the customer
 * if none is found or neither is given, and returns the ID. A customer known only by phone gets the email; a
 * different email means a different customer. If names are given, they replace those of the customer, unless
 * `keepsNames` is set and the customer has names. The row stays locked until the transaction ends, which serializes
 * concurrent requests for one customer.
 */
export async function upsertCustomer(
  tx: Sql,
  input: MerchantScope & { details: CustomerDetails; keepsNames?: boolean; now: Date },
): Promise<string> {
  const { merchantId, mode, keepsNames = false, now } = input;
  const email = input.details.email === undefined ? null : foldEmail(input.details.email);
  const phone = input.details.phone ?? null;
  // A request with only the phone and a request that adds an email lock different rows; this lock serializes
  // them.
  if (phone !== null) await lockByName(tx, `customer ${merchantId} ${mode} ${phone}`);
  if (email === null && phone !== null) {
    const existingId = await lockByPhone(tx, { merchantId, mode, phone });
    if (existingId !== undefined) return updateNames(tx, existingId, input.details);
  }
  const newCustomerId = newId('customer', now);
  const { firstName = null, lastName = null } = input.details;
  const names = [firstName, lastName, keepsNames];
  const values = [newCustomerId, merchantId, mode, email, phone, now.toISOString(), ...names];
  const [row] = await tx.$queryRawUnsafe<{ id: string }[]>(
    email === null ? upsertByPhoneSql : upsertByEmailSql,
    ...values,
  );
  const { id } = row!;
  if (id !== newCustomerId || email === null || phone === null) return id;
  const customerId = await assignEmail(tx, id, { merchantId, mode, email, phone, now });
  return customerId === id ? id : updateNames(tx, customerId, input.details);
}

const insertSql = `INSERT INTO customer (id, merchant_id, mode, email, phone, created_at, updated_at, first_name, last_name)
  VALUES ($1, $2, $3::mode, $4, $5, $6::timestamptz, $6::timestamptz, $7, $8)`;
const keepsNamesSql = `(($7::text IS NULL AND $8::text IS NULL)
  OR ($9::boolean AND (customer.first_name IS NOT NULL OR customer.last_name IS NOT NULL)))`;
const updateNamesSql = `first_name = CASE WHEN ${keepsNamesSql} THEN customer.first_name ELSE $7 END,
  last_name = CASE WHEN ${keepsNamesSql} THEN customer.last_name ELSE $8 END`;
const upsertByEmailSql = `${insertSql} ON CONFLICT (merchant_id, mode, email)
  DO UPDATE SET phone = coalesce(customer.phone, excluded.phone), ${updateNamesSql} RETURNING id`;
const upsertByPhoneSql = `${insertSql} ON CONFLICT (merchant_id, mode, phone) WHERE email IS NULL
  DO UPDATE SET phone = excluded.phone, ${updateNamesSql} RETURNING id`;

/**
 * Finds the customer of a charge started on a page or at a counter, by email only; without an email, creates one. The
 * phone that the visitor entered is unverified: it is stored on the charge but never identifies a customer. Otherwise a
 * payer who enters another person's number would share that person's customer record. Names that a visitor enters are
 * stored on the charge too, and replace no names of the customer.
 */
export function upsertPageCustomer(
  tx: Sql,
  {
    details: { phone: _unverified, ...details },
    ...input
  }: MerchantScope & { details: CustomerDetails; now: Date },
): Promise<string> {
  return upsertCustomer(tx, { ...input, details, keepsNames: true });
}

/**
 * If a customer is known only by the phone, assigns the email to that customer and deletes the new row. Until
 * the deletion, the new row blocks concurrent requests with the email. Returns the ID of the customer with
 * the email.
 */
async function assignEmail(
  tx: Sql,
  newCustomerId: string,
  { email, now, ...key }: CustomerIdentity,
): Promise<string> {
  const [existing] = await tx.$queryRawUnsafe<{ id: string }[]>(
    'SELECT id FROM customer WHERE merchant_id = $1 AND mode = $2::mode AND phone = $3 AND email IS NULL FOR UPDATE',
    ...[key.merchantId, key.mode, key.phone],
  );
  if (!existing) return newCustomerId;
  await tx.$executeRawUnsafe('DELETE FROM customer WHERE id = $1', newCustomerId);
  const assignEmailSql = 'UPDATE customer SET email = $2, updated_at = $3::timestamptz WHERE id = $1';
  await tx.$executeRawUnsafe(assignEmailSql, existing.id, email, now.toISOString());
  return existing.id;
}

/** Locks the oldest customer with the phone, with or without an email, and returns the ID. */
async function lockByPhone(tx: Sql, key: MerchantScope & { phone: string }): Promise<string | undefined> {
  const [row] = await tx.$queryRawUnsafe<{ id: string }[]>(
    `SELECT id FROM customer WHERE merchant_id = $1 AND mode = $2::mode AND phone = $3
      ORDER BY id LIMIT 1 FOR UPDATE`,
    ...[key.merchantId, key.mode, key.phone],
  );
  return row?.id;
}

/** Replaces both names if at least one is given. Returns the ID. */
async function updateNames(tx: Sql, id: string, { firstName, lastName }: CustomerNames): Promise<string> {
  if (firstName !== undefined || lastName !== undefined)
    await tx.$executeRawUnsafe(
      'UPDATE customer SET first_name = $2, last_name = $3 WHERE id = $1',
      ...[id, firstName ?? null, lastName ?? null],
    );
  return id;
}
