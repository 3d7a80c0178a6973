import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { advisoryLocks } from './advisory-locks.ts';
import { loadSchemaEngine } from './schema-engine.ts';
import type { Queryable } from './with-client.ts';

const migrationsDir = fileURLToPath(new URL('../../prisma/migrations', import.meta.url));

export type Migration = { name: string; sql: string };

/** A completed migration, with the checksum of its SQL. */
export type AppliedMigration = { name: string; checksum: string };

/**
 * Migrates the database to the newest schema and returns the names of the applied migrations. It maintains
 * Prisma's table `_prisma_migrations`, so `prisma migrate deploy` also works on the database. With only the
 * first migrations, it migrates to an older schema.
 */
export async function migrate(connectionString: string, selectedMigrations?: Migration[]): Promise<string[]> {
  const migrations = selectedMigrations ?? (await readMigrations());
  const client = new pg.Client({ connectionString });
  // A broken connection also rejects the running statement, which reports the error.
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

/** Returns the names of all migrations of this release. The result is cached. */
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

/** Returns the applied migrations in order; empty for an empty database. */
export async function readAppliedMigrations(client: Queryable): Promise<AppliedMigration[]> {
  if (!(await hasMigrationsTable(client))) return [];
  const applied = await client.query<AppliedMigration>(
    `SELECT migration_name AS name, checksum FROM _prisma_migrations
     WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL ORDER BY migration_name`,
  );
  return applied.rows;
}

async function hasMigrationsTable(client: Queryable): Promise<boolean> {
  const { rows } = await client.query(`SELECT to_regclass('_prisma_migrations') AS name`);
  return rows[0]?.name !== null;
}

/** Avoids loading the schema engine, which would add 0.2 s to a start without migrations. */
async function isUpToDate(client: pg.Client, migrations: Migration[]): Promise<boolean> {
  const applied = await readAppliedMigrations(client);
  const checksums = new Map(applied.map(({ name, checksum }) => [name, checksum]));
  return migrations.every(({ name, sql }) => checksums.get(name) === getMigrationChecksum(sql));
}

/**
 * A process killed while migrating leaves its migration marked as started. Each migration is one transaction,
 * so none of it was committed and it can run again.
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

/** Keeps only the first line of the message: the engine appends locations in its own code. */
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

/** Returns the checksum that Prisma stores for a migration. */
export function getMigrationChecksum(sql: string): string {
  return createHash('sha256').update(sql).digest('hex');
}
