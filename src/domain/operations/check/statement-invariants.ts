import type { Invariant } from './invariant.ts';

export const statementInvariants: readonly Invariant[] = [
  {
    name: 'statement_entries_recorded',
    promise: 'A completed statement has recorded all of its entries, a broken statement none',
    sql: `SELECT id FROM statement
          WHERE (status = 'completed' AND recorded_count IS DISTINCT FROM entry_count)
            OR (status = 'failed' AND error_line IS NOT NULL AND recorded_count <> 0)
            OR recorded_count > coalesce(entry_count, recorded_count)`,
  },
  {
    name: 'statement_result_counts_add_up',
    promise: 'The result counts of a statement equal its recorded entries',
    sql: `SELECT s.id FROM statement s
          WHERE s.recorded_count <> (SELECT coalesce(sum(value::int), 0) FROM jsonb_each_text(s.result_counts))`,
  },
  {
    name: 'statement_undone_whole',
    promise:
      'All transfers of an undone statement are undone, and no others; none of them is part of other money',
    sql: `SELECT s.id FROM statement s JOIN transfer t ON t.statement_id = s.id
          WHERE (s.status = 'undone' AND t.undone_at IS NULL) OR (s.undone_count = 0 AND t.undone_at IS NOT NULL)
          UNION SELECT t.id FROM transfer t WHERE t.undone_at IS NOT NULL AND (
            t.statement_id IS NULL OR EXISTS (SELECT 1 FROM transfer r WHERE r.reversal_of_id = t.id)
            OR EXISTS (SELECT 1 FROM refund_payout p WHERE t.id IN (p.transfer_id, p.returned_transfer_id))
            OR EXISTS (SELECT 1 FROM transfer d WHERE d.duplicate_of_id = t.id AND d.undone_at IS NULL))
          UNION SELECT s.id FROM statement s WHERE s.undone_count <>
            (SELECT count(*) FROM transfer t WHERE t.statement_id = s.id AND t.undone_at IS NOT NULL)`,
  },
  {
    name: 'statement_transfer_count',
    promise: 'A statement does not have more transfers than recorded entries',
    sql: `SELECT s.id FROM statement s JOIN transfer t ON t.statement_id = s.id
          GROUP BY s.id HAVING count(*) > s.recorded_count`,
  },
];
