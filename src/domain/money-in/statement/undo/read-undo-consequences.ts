import { Prisma, type Statement } from '../../../../../prisma/client/client.ts';
import type { Db, Tx } from '../../../../kit/db.ts';

/** The effects of undoing a statement. Transfers that another source has reported too have no effect. */
export type UndoConsequences = {
  /** The transfers that are not undone yet. */
  transferCount: number;
  /** The transfers that a duplicate from another source replaces, with all of their allocations. */
  takenOverCount: number;
  /** The completed charges that lose money. They stay completed. */
  completedChargeCount: number;
  /** The other charges that lose part payments. */
  openChargeCount: number;
  /** The subscriptions of the completed charges that lose money. */
  subscriptionCount: number;
  /** The refunds without payout details that are cancelled. */
  cancelledRefundCount: number;
  /** The paid refunds that lose the transfer of their payout. They stay completed. */
  payoutCount: number;
  /** The transfers, or parts of them, that a user has returned to the payer. */
  returnedCount: number;
  /** The transfers that a user or a rule has dismissed, because they are not customer payments. */
  dismissedCount: number;
  /** The credits of other sources that are applied again, because their reversal is undone. */
  restoredCount: number;
  /** The refunds because of which the statement cannot be undone. */
  blockingRefundIds: string[];
};

/**
 * Returns the consequences of undoing a statement. A statement cannot be undone if a refund that is being paid or
 * was paid needs its money, or if a refund was reopened because of one of its transfers.
 */
export async function readUndoConsequences(
  db: Tx | Db['prisma'],
  { id }: Pick<Statement, 'id'>,
): Promise<UndoConsequences> {
  const [row] = await db.$queryRaw<UndoConsequences[]>`
    WITH own AS (
      SELECT t.id, t.status, t.reversal_of_id, EXISTS (${toSuccessorSql('t')}) AS is_taken_over
      FROM transfer t WHERE t.statement_id = ${id} AND t.undone_at IS NULL
    ), net AS (
      SELECT a.transfer_id, a.charge_id, sum(a.amount) AS amount FROM own JOIN allocation a ON a.transfer_id = own.id
      WHERE NOT own.is_taken_over AND a.refund_id IS NULL GROUP BY 1, 2 HAVING sum(a.amount) > 0
    ), lost AS (
      SELECT charge_id, sum(amount) AS amount FROM net WHERE charge_id IS NOT NULL GROUP BY 1
    ), also_lost AS (
      -- Other statements may be in the middle of their undo.
      SELECT a.charge_id, sum(a.amount) AS amount FROM lost JOIN allocation a ON a.charge_id = lost.charge_id
      JOIN transfer t ON t.id = a.transfer_id JOIN statement s ON s.id = t.statement_id
      WHERE s.status = 'undoing' AND s.id <> ${id} AND t.undone_at IS NULL GROUP BY 1
    ), affected AS (
      SELECT c.id, c.status, c.completed_by, c.subscription_id,
        c.amount_received - lost.amount - coalesce(also_lost.amount, 0) AS remaining
      FROM lost JOIN charge c ON c.id = lost.charge_id LEFT JOIN also_lost ON also_lost.charge_id = c.id
    ), uncovered AS (
      SELECT refund.id, refund.status FROM (
        SELECT r.id, r.status, affected.remaining, sum(r.customer_amount)
          OVER (PARTITION BY r.charge_id ORDER BY r.status = 'initiated', r.id) AS sum
        FROM affected JOIN refund r ON r.charge_id = affected.id AND r.status <> 'cancelled'
        WHERE affected.status = 'completed' AND affected.completed_by = 'transfer'
      ) AS refund WHERE refund.sum > refund.remaining
    ), blocking AS (
      SELECT id FROM uncovered WHERE status <> 'initiated'
      UNION SELECT p.refund_id FROM own JOIN refund_payout p ON p.returned_transfer_id = own.id WHERE NOT own.is_taken_over
      UNION SELECT a.refund_id FROM own JOIN allocation a ON a.transfer_id = own.id AND a.refund_id IS NOT NULL
        WHERE NOT own.is_taken_over
    )
    SELECT count(*)::int AS "transferCount", count(*) FILTER (WHERE is_taken_over)::int AS "takenOverCount",
      (SELECT count(*)::int FROM affected WHERE status = 'completed') AS "completedChargeCount",
      (SELECT count(*)::int FROM affected WHERE status <> 'completed') AS "openChargeCount",
      (SELECT count(DISTINCT subscription_id)::int FROM affected
        WHERE status = 'completed' AND completed_by = 'transfer') AS "subscriptionCount",
      (SELECT count(*)::int FROM uncovered WHERE status = 'initiated') AS "cancelledRefundCount",
      (SELECT count(*)::int FROM refund_payout p JOIN own o ON o.id = p.transfer_id
        WHERE NOT o.is_taken_over) AS "payoutCount",
      (SELECT count(*)::int FROM net n JOIN own o ON o.id = n.transfer_id
        WHERE n.charge_id IS NULL AND o.status <> 'dismissed' AND NOT EXISTS (
          SELECT 1 FROM transfer r WHERE r.reversal_of_id = n.transfer_id)) AS "returnedCount",
      (SELECT count(*)::int FROM own o WHERE o.status = 'dismissed' AND NOT o.is_taken_over) AS "dismissedCount",
      (SELECT count(*)::int FROM own o JOIN transfer credit ON credit.id = o.reversal_of_id
        WHERE NOT o.is_taken_over AND (credit.statement_id IS DISTINCT FROM ${id}
          OR EXISTS (SELECT 1 FROM own c WHERE c.id = credit.id AND c.is_taken_over))) AS "restoredCount",
      (SELECT coalesce(array_agg(id ORDER BY id), '{}') FROM blocking) AS "blockingRefundIds"
    FROM own`;
  return row as UndoConsequences;
}

/**
 * Returns a query for the duplicates of other sources that can take over from a transfer. A batch booking cannot,
 * because its amount differs from those of the payments that it duplicates.
 */
function toSuccessorSql(transfer: 't'): Prisma.Sql {
  const own = Prisma.raw(transfer);
  return Prisma.sql`SELECT 1 FROM transfer d WHERE d.duplicate_of_id = ${own}.id AND d.status = 'duplicate'
    AND d.amount = ${own}.amount AND d.statement_id IS DISTINCT FROM ${own}.statement_id`;
}
