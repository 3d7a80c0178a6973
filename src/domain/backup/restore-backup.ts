import { isDeepStrictEqual } from 'node:util';
import type pg from 'pg';
import { copyIn } from '../../kit/copy.ts';
import {
  type Migration,
  migrate,
  migrationChecksum,
  readAppliedMigrations,
  readMigrations,
} from '../../kit/migrate.ts';
import { requireNobodyElse, withClient } from '../../kit/with-client.ts';
import {
  type BackupEnd,
  type BackupHeader,
  type BackupTable,
  copySettings,
  quoteColumns,
  quoteName,
} from './backup-file.ts';
import { type BackupReader, backupReader, damaged } from './backup-reader.ts';
import { findTables } from './find-tables.ts';
import { openBackup, parseHeader, parseJson } from './open-backup.ts';

export type RestoreOptions = {
  file: string;
  /** Throws an Error that says what to do when the APP_SECRET with this fingerprint is not at hand. */
  requireSecret: (fingerprint: string) => Promise<void>;
  onProgress: (line: string) => void;
};

/**
 * Fills an empty database with a backup: makes the schema that the backup was written from, copies the rows in one
 * transaction, and migrates to the newest schema. Answers how many rows of each table. Throws, and leaves the database
 * without rows, when it is not empty or in use, when the file is damaged or newer than this program, or needs another
 * secret.
 */
export async function restoreBackup(
  connectionString: string,
  options: RestoreOptions,
): Promise<Record<string, number>> {
  const reader = backupReader(openBackup(options.file));
  const header = parseHeader(await reader.line(), options.file);
  if (header.appSecret !== null) await options.requireSecret(header.appSecret);
  const migrations = await findMigrations(header);
  await withClient(connectionString, (client) => requireEmpty(client, header));
  await migrate(connectionString, migrations);
  const rows = await withClient(connectionString, (client) => copyRows(client, reader, options));
  await migrate(connectionString);
  return rows;
}

/** The migrations that lead to the backup's schema. */
async function findMigrations(header: BackupHeader): Promise<Migration[]> {
  const known = await readMigrations();
  for (const { name, checksum } of header.migrations) {
    const migration = known.find((one) => one.name === name);
    if (migration === undefined || migrationChecksum(migration.sql) !== checksum)
      throw new Error(
        `This backup was made by a newer version of Causeway: its migration ${name} is unknown here`,
      );
  }
  return known.filter(({ name }) => header.migrations.some((one) => one.name === name));
}

async function requireEmpty(client: pg.Client, header: BackupHeader): Promise<void> {
  await requireNobodyElse(client);
  for (const { table } of await findTables(client)) {
    const { rows } = await client.query(`SELECT 1 FROM ${quoteName(table)} LIMIT 1`);
    if (rows.length > 0)
      throw new Error(
        `The database is not empty (there are rows in ${table}): a backup is restored into an empty one`,
      );
  }
  const applied = await readAppliedMigrations(client);
  const other = applied.find(({ name }) => !header.migrations.some((one) => one.name === name));
  if (other)
    throw new Error(
      `The database has a newer schema than the backup (${other.name}): restore into a database without tables`,
    );
}

async function copyRows(
  client: pg.Client,
  reader: BackupReader,
  { onProgress }: RestoreOptions,
): Promise<Record<string, number>> {
  const rows: Record<string, number> = {};
  await client.query('BEGIN');
  await client.query(copySettings);
  for (;;) {
    const part = parseJson(await reader.line()) as BackupTable | BackupEnd | undefined;
    if (part === undefined) throw damaged();
    if ('end' in part) {
      if (!isDeepStrictEqual(part.end, rows)) throw damaged();
      break;
    }
    const count = await copyIn(client, `COPY ${quoteColumns(part)} FROM STDIN`, reader.rows());
    rows[part.table] = count;
    if (count > 0) onProgress(`${part.table}: ${count} rows`);
  }
  await advanceSequences(client);
  await client.query('COMMIT');
  return rows;
}

/** Numbers that the database gives go on after those that are there. */
async function advanceSequences(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ sequence: string; table: string; column: string }>(
    `SELECT s.oid::regclass::text AS sequence, t.relname AS table, a.attname AS column
     FROM pg_depend d JOIN pg_class s ON s.oid = d.objid AND s.relkind = 'S'
     JOIN pg_class t ON t.oid = d.refobjid JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = d.refobjsubid
     WHERE d.deptype IN ('a', 'i') AND t.relnamespace = current_schema()::regnamespace`,
  );
  for (const { sequence, table, column } of rows) {
    await client.query(
      `SELECT setval($1::regclass, (SELECT coalesce(max(${quoteName(column)}), 0) + 1 FROM ${quoteName(table)}), false)`,
      [sequence],
    );
  }
}
