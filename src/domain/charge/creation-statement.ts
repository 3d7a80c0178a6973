import { columnsOf } from '../../kit/insert-rows.ts';

/** Of each of the two kinds, with a kept answer and without; rows of one kind have the same members. */
const statements = new Map<boolean, string>();

/**
 * Writes a charge ($1) with its event ($2), the customer with the e-mail $3 and, where one is kept, the answer ($5, under
 * the lock of its scope $6), unless something is in the way; rows come as JSON, by the names of their columns. A nonce
 * rests that was given after $4. Tells whether it was made, who the customer is, and whether the nonce rests.
 */
export function creationStatement(row: object, event: object, kept: object | undefined): string {
  const known = statements.get(kept !== undefined);
  if (known !== undefined) return known;
  const text = `
    WITH given AS (SELECT * FROM json_populate_record(NULL::charge, $1::json)),
    turn AS (SELECT ${kept ? 'pg_try_advisory_xact_lock(hashtextextended($6, 0))' : 'true'} AS is_ours),
    known AS (
      SELECT customer.id, customer.xmin AS version FROM given, customer
      WHERE customer.merchant_id = given.merchant_id AND customer.mode = given.mode AND customer.email = $3),
    rests AS (
      SELECT 1 FROM given, charge
      WHERE charge.receiving_account_id = given.receiving_account_id AND charge.nonce = given.nonce
        AND charge.created_at > $4 LIMIT 1),
    -- Nothing is in the way: at the least no charge that findSame (create-charge.ts) would find.
    clear AS (
      SELECT 1 FROM given, turn WHERE is_ours
        AND NOT EXISTS (SELECT 1 FROM known WHERE known.id <> given.customer_id)
        AND NOT EXISTS (
          SELECT 1 FROM known, charge same
          WHERE same.customer_id = known.id AND same.status = 'pending' AND same.is_mergeable
            AND same.method = given.method AND same.merchant_amount = given.merchant_amount
            AND same.merchant_currency = given.merchant_currency
            AND same.notify_payload IS NOT DISTINCT FROM given.notify_payload
            AND same.notify_url IS NOT DISTINCT FROM given.notify_url)
        AND NOT EXISTS (SELECT 1 FROM rests)),
    -- The same row anew: another creation that began before this one finds that it changed.
    touched AS (
      UPDATE customer SET phone = phone FROM known, clear
      WHERE customer.id = known.id AND customer.xmin = known.version RETURNING customer.id),
    added AS (
      INSERT INTO customer (id, merchant_id, mode, email, created_at, updated_at)
        SELECT customer_id, merchant_id, mode, $3, created_at, updated_at FROM given, clear
        WHERE NOT EXISTS (SELECT 1 FROM known) RETURNING id),
    owner AS (SELECT id FROM touched UNION ALL SELECT id FROM added),
    kept AS (${kept ? keptStatement(kept) : 'SELECT 1 FROM owner'}),
    made AS (INSERT INTO charge (${columnsOf(row)}) SELECT ${columnsOf(row, 'given')} FROM given, kept RETURNING id),
    told AS (${insertion('event', event, '$2', 'made')})
    SELECT EXISTS (SELECT 1 FROM made) AS "isMade", (SELECT id FROM known) AS "customerId",
      EXISTS (SELECT 1 FROM rests) AS "isNonceUsed"`;
  statements.set(kept !== undefined, text);
  return text;
}

/** In place of an answer that has expired under the same key, but of no other. */
function keptStatement(kept: object): string {
  const members = Object.keys(kept).filter((member) => !['merchantId', 'mode', 'key'].includes(member));
  const columns = columnsOf(Object.fromEntries(members.map((member) => [member, null]))).split(', ');
  return `${insertion('idempotency_key', kept, '$5', 'owner')}
    ON CONFLICT (merchant_id, mode, key) DO UPDATE SET ${columns.map((name) => `${name} = excluded.${name}`).join(', ')}
      WHERE idempotency_key.expires_at <= excluded.created_at RETURNING 1`;
}

/** Inserts the row in `json` when `source` has one. */
function insertion(table: string, row: object, json: string, source: string): string {
  return `INSERT INTO ${table} (${columnsOf(row)})
    SELECT ${columnsOf(row, 'given')} FROM ${source}, json_populate_record(NULL::${table}, ${json}::json) AS given`;
}
