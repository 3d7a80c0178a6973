import { type Charge, Prisma } from '../../../../prisma/client/client.ts';
import type { eventRow } from '../../../event/event-row.ts';
import { columnList, rowsJson } from '../../../kit/insert-rows.ts';
import type { Sql } from '../../../kit/sql.ts';
import type { auditRow } from '../../platform/audit/record-audit.ts';

/** The rows of new charges, with those of what is recorded of them. */
type NewChargeRows = {
  charges: readonly Charge[];
  events: readonly ReturnType<typeof eventRow>[];
  auditEntries: readonly ReturnType<typeof auditRow>[];
};

/**
 * The one statement that writes new charges, with their events and audit entries. It leaves out a charge whose nonce is
 * pending, or was used on its account after `usedSince`; and a mergeable charge where an equal one is pending,
 * whose id it returns as `equalId`. Returns the ids that were inserted or have an equal charge.
 */
export function insertFreeCharges(
  tx: Sql,
  { charges, events, auditEntries }: NewChargeRows,
  { usedSince, now }: { usedSince: Date; now: Date },
): Promise<{ id: string; equalId: string | null }[]> {
  return tx.$queryRawUnsafe(
    insertSql,
    ...[rowsJson(charges), rowsJson(events), rowsJson(auditEntries)],
    ...[usedSince.toISOString(), now.toISOString()],
  );
}

const columns = (members: Record<string, string>) => columnList(Object.values(members));
const chargeNames = columns(Prisma.ChargeScalarFieldEnum);
const eventNames = columns(Prisma.EventScalarFieldEnum);
const auditNames = columns(Prisma.AuditEntryScalarFieldEnum);

/** LIMIT has PostgreSQL look each charge up by an index, however many it expects: it never joins the whole table. */
const insertSql = `
  WITH given AS MATERIALIZED (SELECT * FROM json_populate_recordset(NULL::charge, $1::json)),
  equal AS (
    SELECT given.id, pending.id AS equal_id FROM given, LATERAL (
      SELECT id FROM charge
      WHERE given.is_mergeable AND charge.is_mergeable AND charge.status = 'pending'
        AND charge.customer_id = given.customer_id AND charge.merchant_amount = given.merchant_amount
        AND charge.merchant_currency = given.merchant_currency AND charge.method = given.method
        AND charge.notify_payload IS NOT DISTINCT FROM given.notify_payload
        AND charge.notify_url IS NOT DISTINCT FROM given.notify_url AND charge.orders = given.orders
        AND charge.expires_at - $5::timestamptz >= (charge.expires_at - charge.created_at) / 2
      ORDER BY id DESC LIMIT 1) pending),
  inserted AS (
    INSERT INTO charge (${chargeNames})
      SELECT ${chargeNames} FROM given
      WHERE id NOT IN (SELECT id FROM equal) AND (
        SELECT 1 FROM charge used
        WHERE used.receiving_account_id = given.receiving_account_id AND used.nonce = given.nonce
          AND used.created_at > $4::timestamptz LIMIT 1) IS NULL
      ON CONFLICT DO NOTHING RETURNING id),
  recorded AS (
    INSERT INTO event (${eventNames})
      SELECT ${eventNames} FROM json_populate_recordset(NULL::event, $2::json)
      WHERE object_id IN (SELECT id FROM inserted)),
  audited AS (
    INSERT INTO audit_entry (${auditNames})
      SELECT ${auditNames} FROM json_populate_recordset(NULL::audit_entry, $3::json)
      WHERE object_id IN (SELECT id FROM inserted))
  SELECT id, NULL AS "equalId" FROM inserted UNION ALL SELECT id, equal_id FROM equal`;
