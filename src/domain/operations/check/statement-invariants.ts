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
    name: 'statement_transfer_count',
    promise: 'A statement does not have more transfers than recorded entries',
    sql: `SELECT s.id FROM statement s JOIN transfer t ON t.statement_id = s.id
          GROUP BY s.id HAVING count(*) > s.recorded_count`,
  },
];
