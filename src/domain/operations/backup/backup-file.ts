import type { AppliedMigration } from '../../../kit/migrate.ts';

/**
 * A backup is one gzip file of text, so that it can be looked into and, if need be, read without this program:
 *
 *     {"format":"causeway-backup","version":1,…}      the header
 *     {"table":"merchant","columns":["id",…]}         for each table, in an order in which they can be filled again,
 *     …                                               its rows in the text format of PostgreSQL's COPY
 *     \.
 *     {"end":{"merchant":2,…}}                        how many rows each table has
 */
export type BackupHeader = {
  format: 'causeway-backup';
  version: 1;
  createdAt: string;
  /** The schema of the rows: a newer program restores them into this one, and migrates then. */
  migrations: AppliedMigration[];
  /** Fingerprint of the APP_SECRET that wraps the data keys among the rows; null where there are none. */
  appSecret: string | null;
};

export type BackupTable = { table: string; columns: string[] };

export type BackupEnd = { end: Record<string, number> };

/** What ends the rows of a table. No row can be this: COPY writes a backslash in data as two. */
export const endOfRows = '\\.\n';

/** Both sides speak one dialect, whatever the databases are set to. */
export const copySettings = `
  SET LOCAL client_encoding = 'UTF8'; SET LOCAL datestyle = 'ISO, YMD'; SET LOCAL timezone = 'UTC';
  SET LOCAL intervalstyle = 'postgres'; SET LOCAL bytea_output = 'hex';
  SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0`;

export function quoteColumns({ table, columns }: BackupTable): string {
  const names = columns.map(quoteName).join(', ');
  return `${quoteName(table)} (${names})`;
}

export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
