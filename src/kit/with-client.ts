import pg from 'pg';
import { applicationName, commandApplicationName } from './application-names.ts';

/** One connection, or a pool of them. */
export type Queryable = Pick<pg.ClientBase, 'query'>;

/** One connection for `run`, ended afterwards. For work that holds a transaction long, or speaks COPY. */
export async function withClient<T>(
  connectionString: string,
  run: (client: pg.Client) => Promise<T>,
  limits: Pick<pg.ClientConfig, 'connectionTimeoutMillis' | 'query_timeout'> = {},
): Promise<T> {
  const client = new pg.Client({ connectionString, application_name: commandApplicationName, ...limits });
  // What breaks the connection also fails the statement under way, which tells it.
  client.on('error', () => {});
  await client.connect();
  try {
    return await run(client);
  } finally {
    await client.end().catch(() => {});
  }
}

/** Runs `work` in a transaction of this connection. */
export async function withTransaction<T>(client: pg.Client, work: () => Promise<T>): Promise<T> {
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

/** Throws when a service, or a command, of ours works on this database at the moment. */
export async function assertNoOtherProcess(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ application_name: string }>(
    `SELECT application_name FROM pg_stat_activity
     WHERE datname = current_database() AND pid <> pg_backend_pid() AND application_name LIKE '${applicationName}%'`,
  );
  if (rows.length > 0) throw new Error('Causeway is running on this database. Stop all its processes first.');
}
