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
  const reader = createBackupReader(openBackup(options.file));
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
  const availableMigrations = await readMigrations();
  for (const { name, checksum } of header.migrations) {
    const migration = availableMigrations.find((one) => one.name === name);
    if (migration === undefined || getMigrationChecksum(migration.sql) !== checksum)
      throw new Error(
        `This backup was created by a newer version of Causeway: its migration ${name} is unknown to this version`,
      );
  }
  return availableMigrations.filter(({ name }) => header.migrations.some((one) => one.name === name));
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
  const newerMigration = applied.find(({ name }) => !header.migrations.some((one) => one.name === name));
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
  for (;;) {
    const part = parseJson(await reader.line()) as BackupTable | BackupEnd | undefined;
    if (part === undefined) throw damagedBackup();
    if ('end' in part) {
      if (!isDeepStrictEqual(part.end, rows)) throw damagedBackup();
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

/** The text of a backup file. Throws an Error that tells a damaged file from another kind of file. */
async function* openBackup(file: string): AsyncGenerator<Buffer> {
  try {
    yield* pipeline(createReadStream(file), createGunzip(), () => {});
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'Z_BUF_ERROR') throw damagedBackup();
    if (code?.startsWith('Z_')) throw notABackup(file);
    throw error;
  }
}

function notABackup(file: string): Error {
  return new Error(`${file} is not a Causeway backup, or it is damaged`);
}

/** The first line. Throws where it is not that of a backup. */
function parseHeader(line: string, file: string): BackupHeader {
  const header = parseJson(line) as Partial<BackupHeader> | undefined;
  if (header?.format !== 'causeway-backup') throw notABackup(file);
  if (header.version !== 1) throw new Error('This backup was created by a newer version of Causeway');
  return header as BackupHeader;
}

/** Undefined where it is not JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Longest line that is no row: the header names every migration. */
const lineBytesMax = 1024 * 1024;
/** The end of a table's rows, with the line break before it. */
const endMark = Buffer.from('\n\\.\n');
const lineBreak = 0x0a;

type BackupReader = {
  /** The next line. Throws when there is none. */
  line(): Promise<string>;
  /** The rows up to their end, in whatever pieces they arrive. */
  rows(): AsyncGenerator<Buffer>;
};

/** Reads the text of a backup piece by piece; at no time more of it is held than a few pieces. */
function createBackupReader(pieces: AsyncIterable<Buffer>): BackupReader {
  const source = pieces[Symbol.asyncIterator]();
  let rest: Buffer = Buffer.alloc(0);

  async function readMore(): Promise<void> {
    const next = await source.next();
    if (next.done) throw damagedBackup();
    rest = Buffer.concat([rest, next.value]);
  }

  async function line(): Promise<string> {
    for (;;) {
      const end = rest.indexOf(lineBreak);
      if (end !== -1) {
        const text = rest.toString('utf8', 0, end);
        rest = rest.subarray(end + 1);
        return text;
      }
      if (rest.length > lineBytesMax) throw damagedBackup();
      await readMore();
    }
  }

  async function* rows(): AsyncGenerator<Buffer> {
    // The first byte of `rest` is always one that was handed out already: at the start, the line break before.
    rest = Buffer.concat([endMark.subarray(0, 1), rest]);
    for (;;) {
      const end = rest.indexOf(endMark);
      if (end !== -1) {
        if (end > 0) yield rest.subarray(1, end + 1);
        rest = rest.subarray(end + endMark.length);
        return;
      }
      // What could be the beginning of the mark waits for what follows.
      const cut = rest.length - endMark.length;
      if (cut > 0) {
        yield rest.subarray(1, cut + 1);
        rest = rest.subarray(cut);
      }
      await readMore();
    }
  }

  return { line, rows };
}

function damagedBackup(): Error {
  return new Error('The backup is damaged or truncated');
}
