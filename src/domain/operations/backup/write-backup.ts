import { createWriteStream, existsSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type pg from 'pg';
import { copyOut } from '../../../kit/copy.ts';
import { readAppliedMigrations } from '../../../kit/migrate.ts';
import { type BackupHeader, copySettings, endOfRows, quoteColumns } from './backup-file.ts';
import { findTables } from './find-tables.ts';

type BackupOptions = {
  file: string;
  now: Date;
  onProgress: (line: string) => void;
};

/**
 * Writes a snapshot of all tables to a new file without blocking other transactions. Returns the number of rows
 * by table. An interrupted backup leaves `FILE.partial`, never `FILE`. Throws if the file exists or the
 * database has no Causeway tables.
 */
export async function writeBackup(
  client: pg.Client,
  options: BackupOptions,
): Promise<Record<string, number>> {
  const { file } = options;
  const partialFile = `${file}.partial`;
  const rows: Record<string, number> = {};
  if (existsSync(file)) throw new Error(`${file} already exists: choose a new file for the backup`);
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  await client.query(copySettings);
  const migrations = await readAppliedMigrations(client);
  if (migrations.length === 0)
    throw new Error('The database has no Causeway tables: there is nothing to back up');
  // Only the owner can read the file, because it contains customer data.
  const target = createWriteStream(partialFile, { mode: 0o600, flush: true });
  await pipeline(generateBackup(client, { ...options, migrations }, rows), createGzip(), target);
  await client.query('COMMIT');
  await rename(partialFile, file);
  return rows;
}

async function* generateBackup(
  client: pg.Client,
  { now, onProgress, migrations }: BackupOptions & { migrations: BackupHeader['migrations'] },
  rows: Record<string, number>,
): AsyncGenerator<string | Buffer> {
  const header: BackupHeader = {
    format: 'causeway-backup',
    version: 1,
    createdAt: now.toISOString(),
    migrations,
    appSecret: await readAppSecretFingerprint(client),
  };
  yield `${JSON.stringify(header)}\n`;
  for (const table of await findTables(client)) {
    yield `${JSON.stringify(table)}\n`;
    let count = 0;
    yield* copyOut(client, `COPY ${quoteColumns(table)} TO STDOUT`, (total) => {
      count = total;
    });
    yield endOfRows;
    rows[table.table] = count;
    if (count > 0) onProgress(`${table.table}: ${count} rows`);
  }
  yield `${JSON.stringify({ end: rows })}\n`;
}

/**
 * Returns the fingerprint of the secret that wraps the data keys. Returns null if the schema has no data
 * keys, or if no process has created one yet.
 */
async function readAppSecretFingerprint(client: pg.Client): Promise<string | null> {
  const tables = await client.query(`SELECT to_regclass('data_key') AS name`);
  if (tables.rows[0]?.name === null) return null;
  const { rows } = await client.query<{ wrappedBy: string }>(
    'SELECT wrapped_by AS "wrappedBy" FROM data_key LIMIT 1',
  );
  return rows[0]?.wrappedBy ?? null;
}
