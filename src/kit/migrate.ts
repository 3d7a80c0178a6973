import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type pg from 'pg';
import { advisoryLocks } from './advisory-locks.ts';
import { DatabaseClient } from './database-client.ts';
import { loadSchemaEngine } from './schema-engine.ts';
import type { Queryable } from './with-client.ts';

const migrationsDir = fileURLToPath(new URL('../../prisma/migrations', import.meta.url));

export type Migration = { name: string; sql: string };

/** A completed migration, with the checksum of its SQL. */
export type AppliedMigration = { name: string; checksum: string };

/**
 * Migrates the database to the newest schema and returns the names of the applied migrations. Maintains Prisma's table
 * `_prisma_migrations`, so `prisma migrate deploy` also works on the database. `selectedMigrations` may be only the
 * first migrations; the default is all. Throws before any change if an unreleased version created the database.
 */
export async function migrate(connectionString: string, selectedMigrations?: Migration[]): Promise<string[]> {
  const migrations = selectedMigrations ?? (await readMigrations());
  const client = new DatabaseClient({ connectionString });
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

/** Returns whether all migrations are applied. Does not use the schema engine, which takes 0.2 s to load. */
async function isUpToDate(client: pg.Client, migrations: Migration[]): Promise<boolean> {
  const applied = await readAppliedMigrations(client);
  assertMigrationsUnchanged(applied, migrations);
  const appliedNames = new Set(applied.map(({ name }) => name));
  return migrations.every(({ name }) => appliedNames.has(name));
}

/**
 * Throws if an applied migration differs from the one of this version: until the first release, changes edit the first
 * migration instead of adding another one. Accepts migrations after the last one of this version, because a newer
 * version has applied them.
 */
function assertMigrationsUnchanged(applied: AppliedMigration[], migrations: Migration[]): void {
  const checksums = new Map(migrations.map(({ name, sql }) => [name, getMigrationChecksum(sql)]));
  const last = migrations.at(-1)?.name ?? '';
  const unreleased = applied.find(({ name, checksum }) => name <= last && checksums.get(name) !== checksum);
  if (unreleased)
    throw new Error(
      `An unreleased older version of Causeway created this database (its migration ${unreleased.name} is not part of this version), so it cannot be upgraded. ` +
        'Create a new database, or restore a backup with the version that created it. Nothing has been changed.',
    );
}

/**
 * Marks interrupted migrations as rolled back, so that they run again. A process that is killed during a migration
 * leaves the migration marked as started, but nothing of it is committed, because each migration is one transaction.
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
    throw toMigrationError(error as Error);
  } finally {
    await engine.close();
  }
}

/** Uses only the first line of the message, because the engine appends locations in its own code. */
function toMigrationError(error: Error): Error {
  const reason = error.message.split('\n')[0]?.replace(/^ERROR: /, '');
  const advice = /permission denied/.test(error.message)
    ? '. The user of DATABASE_URL needs permission to create tables.'
    : '';
  return new Error(`The schema cannot be migrated: ${reason}${advice}`, { cause: error });
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
