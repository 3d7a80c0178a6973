import type { AppliedMigration } from '../../../kit/migrate.ts';

/**
 * A backup is one gzip file of text, so that it can be inspected and, if necessary, read without this program:
 *
 *     {"format":"causeway-backup","version":1,…}      the header
 *     {"table":"merchant","columns":["id",…]}         for each table, referenced tables first,
 *     …                                               its rows in the text format of PostgreSQL's COPY
 *     \.
 *     {"end":{"merchant":2,…}}                        the number of rows of each table
 */
export type BackupHeader = {
  format: 'causeway-backup';
  version: 1;
  createdAt: string;
  /**
   * The migrations that created the schema of the rows. A newer version creates this schema, restores the
   * rows, and then applies its other migrations.
   */
  migrations: AppliedMigration[];
  /** The fingerprint of the APP_SECRET that wraps the stored data keys; null if there are no data keys. */
  appSecret: string | null;
};

export type BackupTable = { table: string; columns: string[] };

export type BackupEnd = { end: Record<string, number> };

/** The line after the rows of a table. No row equals it, because COPY doubles backslashes in data. */
export const endOfRows = '\\.\n';

/** Settings with which backup and restore use the same COPY format. */
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
