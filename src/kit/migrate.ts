import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { advisoryLocks } from './advisory-locks.ts';
import { loadSchemaEngine } from './schema-engine.ts';
import type { Queryable } from './with-client.ts';

const migrationsDir = fileURLToPath(new URL('../../prisma/migrations', import.meta.url));

export type Migration = { name: string; sql: string };

/** One that has been run to its end; the checksum is that of its SQL. */
export type AppliedMigration = { name: string; checksum: string };

/**
 * Brings the database to the newest schema and returns the names of the migrations it applied. Prisma's own table
 * `_prisma_migrations` is kept, so `prisma migrate deploy` works on the same database too. Given only the first of the
 * migrations, it brings the database to an older schema.
 */
export async function migrate(connectionString: string, selectedMigrations?: Migration[]): Promise<string[]> {
  const migrations = selectedMigrations ?? (await readMigrations());
  const client = new pg.Client({ connectionString });
  // What breaks the connection also fails the statement under way, which tells it.
  client.on('error', () => {});
  await client.connect();
  try {
    if (await isUpToDate(client, migrations)) return [];
    await client.query('SELECT pg_advisory_lock($1)', [advisoryLocks.migrate]);
    if (await isUpToDate(client, migrations)) return [];
    await rollBackInterrupted(client);
    return await applyMigrations(connectionString, migrations);
  } finally {
    await client.end();
  }
}

/** The names of all that this process knows; they do not change while it runs. */
export function getMigrationNames(): Promise<string[]> {
  cachedNames ??= readNames();
  return cachedNames;
}

let cachedNames: Promise<string[]> | undefined;

async function readNames(): Promise<string[]> {
  const entries = await readdir(migrationsDir, { withFileTypes: true });
  return entries
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();
}

export async function readMigrations(): Promise<Migration[]> {
  const names = await readNames();
  return Promise.all(
    names.map(async (name) => ({
      name,
      sql: await readFile(`${migrationsDir}/${name}/migration.sql`, 'utf8'),
    })),
  );
}

/** What the database has been brought to, in order; nothing for an empty database. */
export async function readAppliedMigrations(client: Queryable): Promise<AppliedMigration[]> {
  if (!(await hasMigrationsTable(client))) return [];
  const applied = await client.query<AppliedMigration>(
    `SELECT migration_name AS name, checksum FROM _prisma_migrations
     WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL ORDER BY migration_name`,
  );
  return applied.rows;
}

/** Whether the engine has ever been at work here. */
async function hasMigrationsTable(client: Queryable): Promise<boolean> {
  const { rows } = await client.query(`SELECT to_regclass('_prisma_migrations') AS name`);
  return rows[0]?.name !== null;
}

/** True without loading the engine, which would cost a warm start 0.2 s. */
async function isUpToDate(client: pg.Client, migrations: Migration[]): Promise<boolean> {
  const applied = await readAppliedMigrations(client);
  const checksums = new Map(applied.map(({ name, checksum }) => [name, checksum]));
  return migrations.every(({ name, sql }) => checksums.get(name) === getMigrationChecksum(sql));
}

/**
 * A process killed while migrating leaves its migration marked as started. Each runs as one transaction, so nothing
 * of it is there, and it may run again.
 */
async function rollBackInterrupted(client: pg.Client): Promise<void> {
  if (!(await hasMigrationsTable(client))) return;
  await client.query(
    'UPDATE _prisma_migrations SET rolled_back_at = now() WHERE finished_at IS NULL AND rolled_back_at IS NULL',
  );
}

async function applyMigrations(connectionString: string, migrations: Migration[]): Promise<string[]> {
  const engine = await loadSchemaEngine(connectionString);
  try {
    const { appliedMigrationNames } = await engine.applyMigrations({
      migrationsList: toMigrationsList(migrations),
      filters: { externalTables: [], externalEnums: [] },
    });
    return appliedMigrationNames;
  } catch (error) {
    throw explain(error as Error);
  } finally {
    await engine.close();
  }
}

/** The engine adds where in its own code it was. */
function explain(error: Error): Error {
  const reason = error.message.split('\n')[0]?.replace(/^ERROR: /, '');
  const hint = /permission denied/.test(error.message)
    ? '. The user of DATABASE_URL needs permission to create tables.'
    : '';
  return new Error(`The schema cannot be migrated: ${reason}${hint}`, { cause: error });
}

function toMigrationsList(migrations: Migration[]): unknown {
  return {
    baseDir: migrationsDir,
    lockfile: { path: 'migration_lock.toml', content: 'provider = "postgresql"\n' },
    shadowDbInitScript: '',
    migrationDirectories: migrations.map(({ name, sql }) => ({
      path: name,
      migrationFile: { path: 'migration.sql', content: { tag: 'ok', value: sql } },
    })),
  };
}

/** As Prisma works it out. */
export function getMigrationChecksum(sql: string): string {
  return createHash('sha256').update(sql).digest('hex');
}
