import type { Invariant } from './invariant.ts';

export const statementInvariants: readonly Invariant[] = [
  {
    name: 'statement_recorded_whole',
    promise: 'A completed statement has recorded all of its entries, a broken statement none',
    sql: `SELECT id FROM statement
          WHERE (status = 'done' AND recorded IS DISTINCT FROM entries)
            OR (status = 'failed' AND error_line IS NOT NULL AND recorded <> 0)
            OR recorded > coalesce(entries, recorded)`,
  },
  {
    name: 'statement_results_add_up',
    promise: 'The result counts of a statement equal its recorded entries',
    sql: `SELECT s.id FROM statement s
          WHERE s.recorded <> (SELECT coalesce(sum(value::int), 0) FROM jsonb_each_text(s.result))`,
  },
  {
    name: 'statement_tells_once',
    promise: 'A statement does not have more transfers than recorded entries',
    sql: `SELECT s.id FROM statement s JOIN transfer t ON t.statement_id = s.id
          GROUP BY s.id HAVING count(*) > s.recorded`,
  },
];
