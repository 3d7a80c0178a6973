import type { Queryable } from '../../../kit/with-client.ts';
import type { BackupTable } from './backup-file.ts';

/**
 * Excludes Agenda's jobs: schedules are recreated at startup, and all other jobs only trigger work that workers also
 * find in the database. Excludes charge counts and the search index, because triggers recompute them during the
 * restore.
 */
const isBackedUp = `c.relname <> '_prisma_migrations' AND c.relname NOT LIKE 'agenda\\_%'
  AND c.relname NOT IN ('charge_count', 'charge_count_delta', 'search_entry')`;

/** Returns the tables of a backup with their columns, ordered so that referenced tables come first. */
export async function findTables(client: Queryable): Promise<BackupTable[]> {
  const tables = await client.query<BackupTable>(
    `SELECT c.relname AS table, array_agg(a.attname::text ORDER BY a.attnum) AS columns
     FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
     WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
       AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = '' AND ${isBackedUp}
     GROUP BY c.relname ORDER BY c.relname`,
  );
  const references = await client.query<{ from: string; to: string }>(
    `SELECT DISTINCT f.relname AS from, t.relname AS to
     FROM pg_constraint k JOIN pg_class f ON f.oid = k.conrelid JOIN pg_class t ON t.oid = k.confrelid
     WHERE k.contype = 'f' AND f.oid <> t.oid AND f.relnamespace = current_schema()::regnamespace`,
  );
  return sortByReferences(tables.rows, references.rows);
}

function sortByReferences(tables: BackupTable[], references: { from: string; to: string }[]): BackupTable[] {
  const ordered: BackupTable[] = [];
  let remaining = tables;
  while (remaining.length > 0) {
    const isRemaining = (name: string) => remaining.some(({ table }) => table === name);
    const next = remaining.filter(
      ({ table }) => !references.some(({ from, to }) => from === table && isRemaining(to)),
    );
    if (next.length === 0) {
      throw new Error(
        `These tables have circular references: ${remaining.map(({ table }) => table).join(', ')}`,
      );
    }
    ordered.push(...next);
    remaining = remaining.filter((table) => !next.includes(table));
  }
  return ordered;
}
