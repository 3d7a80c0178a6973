import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream';
import { isDeepStrictEqual } from 'node:util';
import { createGunzip } from 'node:zlib';
import type pg from 'pg';
import { copyIn } from '../../../kit/copy.ts';
import {
  getMigrationChecksum,
  type Migration,
  migrate,
  readAppliedMigrations,
  readMigrations,
} from '../../../kit/migrate.ts';
import { assertNoOtherProcess, withClient } from '../../../kit/with-client.ts';
import {
  type BackupEnd,
  type BackupHeader,
  type BackupTable,
  copySettings,
  quoteColumns,
  quoteName,
} from './backup-file.ts';
import { findTables } from './find-tables.ts';
import { type BackupReader, createBackupReader, damagedBackupError } from './read-backup.ts';

export type RestoreOptions = {
  file: string;
  /** Throws an `Error` with instructions if the APP_SECRET with this fingerprint is not available. */
  requireSecret: (fingerprint: string) => Promise<void>;
  onProgress: (line: string) => void;
  /** All migrations of this version, by default those in `prisma/migrations`. */
  migrations?: Migration[];
};

/**
 * Restores a backup into an empty database: creates the backup's schema, copies the rows in one transaction, and
 * migrates to the newest schema. Returns the number of rows by table. Throws if the database is in use or not empty, if
 * the file is damaged or newer than this program, or if the secret is missing. If the copying fails, the database has
 * no rows.
 */
export async function restoreBackup(
  connectionString: string,
  options: RestoreOptions,
): Promise<Record<string, number>> {
  const reader = createBackupReader(openBackup(options.file));
  const header = parseHeader(await reader.readLine(), options.file);
  if (header.appSecret !== null) await options.requireSecret(header.appSecret);
  const migrations = options.migrations ?? (await readMigrations());
  const olderMigrations = findMigrations(header, migrations);
  await withClient(connectionString, (client) => requireEmpty(client, header));
  await migrate(connectionString, olderMigrations);
  const rows = await withClient(connectionString, (client) => copyRows(client, reader, options));
  await migrate(connectionString, migrations);
  return rows;
}

/** Returns the migrations that create the backup's schema. */
function findMigrations(header: BackupHeader, availableMigrations: Migration[]): Migration[] {
  for (const { name, checksum } of header.migrations) {
    const migration = availableMigrations.find((other) => other.name === name);
    if (migration === undefined || getMigrationChecksum(migration.sql) !== checksum)
      throw new Error(
        `This backup was created by a newer or unreleased version of Causeway: its migration ${name} is not part of this version. Restore it with the version that created it`,
      );
  }
  return availableMigrations.filter(({ name }) => header.migrations.some((other) => other.name === name));
}

async function requireEmpty(client: pg.Client, header: BackupHeader): Promise<void> {
  await assertNoOtherProcess(client);
  for (const { table } of await findTables(client)) {
    const { rows } = await client.query(`SELECT 1 FROM ${quoteName(table)} LIMIT 1`);
    if (rows.length > 0)
      throw new Error(
        `The database is not empty (the table ${table} has rows): restore the backup into an empty database`,
      );
  }
  const applied = await readAppliedMigrations(client);
  const newerMigration = applied.find(({ name }) => !header.migrations.some((other) => other.name === name));
  if (newerMigration)
    throw new Error(
      `The database has a newer schema than the backup (${newerMigration.name}): restore into a database without tables`,
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
  // A backup may contain merchants that were paused or had moved.
  await client.query(`SET LOCAL causeway.changes_moving_merchants = 'on'`);
  for (;;) {
    const part = parseJson(await reader.readLine()) as BackupTable | BackupEnd | undefined;
    if (part === undefined) throw damagedBackupError();
    if ('end' in part) {
      if (!isDeepStrictEqual(part.end, rows)) throw damagedBackupError();
      break;
    }
    const count = await copyIn(client, `COPY ${quoteColumns(part)} FROM STDIN`, reader.readRows());
    rows[part.table] = count;
    if (count > 0) onProgress(`${part.table}: ${count} rows`);
  }
  await advanceSequences(client);
  await client.query('COMMIT');
  return rows;
}

/** Continues each sequence after the highest restored number. */
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

/**
 * Decompresses a backup file. Throws different errors for a damaged backup and for a file that is not a
 * backup.
 */
async function* openBackup(file: string): AsyncGenerator<Buffer> {
  try {
    yield* pipeline(createReadStream(file), createGunzip(), () => {});
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'Z_BUF_ERROR') throw damagedBackupError();
    if (code?.startsWith('Z_')) throw notABackupError(file);
    throw error;
  }
}

function notABackupError(file: string): Error {
  return new Error(`${file} is not a Causeway backup, or it is damaged`);
}

function parseHeader(line: string, file: string): BackupHeader {
  const header = parseJson(line) as Partial<BackupHeader> | undefined;
  if (header?.format !== 'causeway-backup') throw notABackupError(file);
  if (header.version !== 1) throw new Error('This backup was created by a newer version of Causeway');
  return header as BackupHeader;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
