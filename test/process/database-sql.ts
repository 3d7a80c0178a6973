import type pg from 'pg';
import { readAppliedMigrations, readMigrations } from '../../src/kit/migrate.ts';

/** As Prisma's engine makes it. */
const migrationsTable = `CREATE TABLE "_prisma_migrations" (
  "id" VARCHAR(36) NOT NULL PRIMARY KEY, "checksum" VARCHAR(64) NOT NULL, "finished_at" TIMESTAMPTZ,
  "migration_name" VARCHAR(255) NOT NULL, "logs" TEXT, "rolled_back_at" TIMESTAMPTZ,
  "started_at" TIMESTAMPTZ NOT NULL DEFAULT now(), "applied_steps_count" INTEGER NOT NULL DEFAULT 0
);`;

/**
 * A whole database as SQL: its schema, as the migrations that it went through made it, and all rows, with what stands for
 * itself without this program. Read back by a superuser, past triggers and foreign keys.
 */
export async function databaseSql(client: pg.Client): Promise<string> {
  const applied = new Set((await readAppliedMigrations(client)).map(({ name }) => name));
  const migrations = (await readMigrations()).filter(({ name }) => applied.has(name));
  const parts = migrations.map(({ name, sql }) => `-- ${name}\n${sql}`);
  parts.push(migrationsTable, 'SET session_replication_role = replica;');
  for (const { table, columns } of await tablesOf(client)) {
    const { rows } = await client.query(`SELECT jsonb_agg(to_jsonb(t)) AS rows FROM "${table}" t`);
    if (rows[0].rows === null) continue;
    const list = columns.map((name) => `"${name}"`).join(', ');
    const text = client.escapeLiteral(JSON.stringify(rows[0].rows));
    parts.push(
      `INSERT INTO "${table}" (${list}) SELECT ${list} FROM jsonb_populate_recordset(NULL::"${table}", ${text});`,
    );
  }
  parts.push(...(await sequencesOf(client)), 'SET session_replication_role = origin;');
  return `${parts.join('\n\n')}\n`;
}

async function tablesOf(client: pg.Client): Promise<{ table: string; columns: string[] }[]> {
  const { rows } = await client.query(
    `SELECT c.relname AS table, array_agg(a.attname::text ORDER BY a.attnum) AS columns
     FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
     WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r' AND c.relname NOT LIKE 'agenda\\_%'
       AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
     GROUP BY c.relname ORDER BY c.relname`,
  );
  return rows;
}

async function sequencesOf(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string; last: string | null }>(
    `SELECT sequencename AS name, last_value::text AS last FROM pg_sequences WHERE schemaname = current_schema()`,
  );
  return rows.flatMap(({ name, last }) => (last === null ? [] : [`SELECT setval('"${name}"', ${last});`]));
}
