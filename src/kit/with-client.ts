import type pg from 'pg';
import { applicationName, commandApplicationName } from './application-names.ts';
import { DatabaseClient } from './database-client.ts';

export type Queryable = Pick<pg.ClientBase, 'query'>;

/** Runs `run` with a new connection, for long transactions and COPY, and closes the connection afterwards. */
export async function withClient<T>(
  connectionString: string,
  run: (client: pg.Client) => Promise<T>,
  limits: Pick<pg.ClientConfig, 'connectionTimeoutMillis' | 'query_timeout'> = {},
): Promise<T> {
  const client = new DatabaseClient({
    connectionString,
    application_name: commandApplicationName,
    ...limits,
  });
  await client.connect();
  try {
    return await run(client);
  } finally {
    await client.end().catch(() => {});
  }
}

export async function withTransaction<T>(client: Queryable, work: () => Promise<T>): Promise<T> {
  await client.query('BEGIN');
  try {
    const result = await work();
    await client.query('COMMIT');
    return result;
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {});
    throw error;
  }
}

/** Throws if another Causeway process is connected to this database. */
export async function assertNoOtherProcess(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ application_name: string }>(
    `SELECT application_name FROM pg_stat_activity
     WHERE datname = current_database() AND pid <> pg_backend_pid() AND application_name LIKE '${applicationName}%'`,
  );
  if (rows.length > 0) throw new Error('Causeway is running on this database. Stop all its processes first.');
}
