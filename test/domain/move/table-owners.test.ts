import { expect } from 'vitest';
import { tableOwners } from '../../../src/domain/operations/backup/table-owners.ts';
import { serviceTest as test } from '../../setup/fixtures.ts';

const columnsSql = `
  SELECT c.relname AS "table", array_agg(a.attname::text) AS columns,
    EXISTS (SELECT FROM pg_trigger t WHERE t.tgrelid = c.oid AND t.tgname = c.relname || '_not_moving' AND t.tgenabled <> 'D')
      AS "isGuarded"
  FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
  WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
    AND c.relname <> '_prisma_migrations' AND c.relname NOT LIKE 'agenda\\_%'
  GROUP BY c.oid, c.relname`;

/** The audit trail records the move itself; an attempt is always written with its notification, which is guarded. */
const unguarded = ['audit_entry', 'notification_attempt'];

test('tableOwners names an owner for every table, whose column exists, and every owned table has the trigger that rejects changes', async ({
  service,
}) => {
  const { rows } = await service.pool.query<{ table: string; columns: string[]; isGuarded: boolean }>(
    columnsSql,
  );
  expect(rows.map(({ table }) => table).toSorted()).toEqual(Object.keys(tableOwners).toSorted());
  for (const { table, columns, isGuarded } of rows) {
    const owner = tableOwners[table]!;
    if (owner === 'installation') {
      expect([table, columns.includes('merchant_id'), isGuarded]).toEqual([table, false, false]);
      continue;
    }
    if (owner === 'derived') continue;
    expect([table, isGuarded]).toEqual([table, !unguarded.includes(table)]);
    if ('merchantColumn' in owner) {
      expect([table, ...columns]).toContain(owner.merchantColumn);
      expect(columns).toEqual(expect.arrayContaining([...(owner.omittedColumns ?? [])]));
    } else {
      expect([table, columns.includes('merchant_id')]).toEqual([table, false]);
      expect(columns).toContain(owner.parentColumn);
      expect(rows.find((row) => row.table === owner.parentTable)?.columns).toContain('merchant_id');
    }
  }
});
