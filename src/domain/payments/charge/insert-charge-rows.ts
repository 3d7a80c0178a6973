import { type Charge, Prisma } from '../../../../prisma/client/client.ts';
import type { toEventRow } from '../../../event/event-row.ts';
import { toColumnList, toRowsJson } from '../../../kit/insert-rows.ts';
import type { Sql } from '../../../kit/sql.ts';
import type { toAuditRow } from '../../platform/audit/record-audit.ts';

type NewChargeRows = {
  charges: readonly Charge[];
  events: readonly ReturnType<typeof toEventRow>[];
  auditEntries: readonly ReturnType<typeof toAuditRow>[];
};

/**
 * Inserts charges with their events and audit entries in one statement. Skips a charge if its payment
 * reference belongs to a pending charge of its account, or was used on the account after `usedSince`. Skips a
 * reusable charge if an equal charge of the customer is pending with at least half of its window left, and
 * returns the ID of that charge as `equalChargeId`. Returns the IDs of the charges that were inserted or have
 * an equal charge.
 */
export function insertChargeRows(
  tx: Sql,
  { charges, events, auditEntries }: NewChargeRows,
  { usedSince, now }: { usedSince: Date; now: Date },
): Promise<{ id: string; equalChargeId: string | null }[]> {
  return tx.$queryRawUnsafe(
    insertSql,
    ...[toRowsJson(charges), toRowsJson(events), toRowsJson(auditEntries)],
    ...[usedSince.toISOString(), now.toISOString()],
  );
}

const listColumns = (fields: Record<string, string>) => toColumnList(Object.values(fields));
const chargeColumns = listColumns(Prisma.ChargeScalarFieldEnum);
const eventColumns = listColumns(Prisma.EventScalarFieldEnum);
const auditColumns = listColumns(Prisma.AuditEntryScalarFieldEnum);

/** The LIMITs make PostgreSQL look up each charge in an index instead of joining the whole table. */
const insertSql = `
  WITH input AS MATERIALIZED (SELECT * FROM json_populate_recordset(NULL::charge, $1::json)),
  equal AS (
    SELECT input.id, pending.id AS equal_charge_id FROM input, LATERAL (
      SELECT id FROM charge
      WHERE input.is_reusable AND charge.is_reusable AND charge.status = 'pending'
        AND charge.customer_id = input.customer_id AND charge.merchant_amount = input.merchant_amount
        AND charge.merchant_currency = input.merchant_currency AND charge.method = input.method
        AND charge.notify_payload IS NOT DISTINCT FROM input.notify_payload
        AND charge.metadata IS NOT DISTINCT FROM input.metadata
        AND charge.notify_url IS NOT DISTINCT FROM input.notify_url AND charge.orders = input.orders
        AND charge.expires_at - $5::timestamptz >= (charge.expires_at - charge.created_at) / 2
      ORDER BY id DESC LIMIT 1) pending),
  inserted AS (
    INSERT INTO charge (${chargeColumns})
      SELECT ${chargeColumns} FROM input
      WHERE id NOT IN (SELECT id FROM equal) AND (
        SELECT 1 FROM charge used
        WHERE used.receiving_account_id = input.receiving_account_id AND used.payment_reference = input.payment_reference
          AND used.created_at > $4::timestamptz LIMIT 1) IS NULL
      ON CONFLICT DO NOTHING RETURNING id),
  new_events AS (
    INSERT INTO event (${eventColumns})
      SELECT ${eventColumns} FROM json_populate_recordset(NULL::event, $2::json)
      WHERE object_id IN (SELECT id FROM inserted)),
  new_audit_entries AS (
    INSERT INTO audit_entry (${auditColumns})
      SELECT ${auditColumns} FROM json_populate_recordset(NULL::audit_entry, $3::json)
      WHERE object_id IN (SELECT id FROM inserted))
  SELECT id, NULL AS "equalChargeId" FROM inserted UNION ALL SELECT id, equal_charge_id FROM equal`;
