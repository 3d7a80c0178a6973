import pg from 'pg';
import type { Service } from '../../src/domain/platform/service.ts';
import { toDirect } from '../setup/pooler.ts';

/**
 * Returns a function that ends connections to the database, all or a random number, like a restart of PostgreSQL. It
 * does not end the connections of the test, which are already open. It connects past a pooler, which would lose its
 * own connections too.
 */
export async function createConnectionCutter(
  { pool }: Service,
  connectionString: string,
): Promise<(countMax?: number) => Promise<void>> {
  const ownConnections = await pool.query(
    'SELECT pid FROM pg_stat_activity WHERE datname = current_database()',
  );
  const ownPids = ownConnections.rows.map(({ pid }) => pid);
  return async (cutMax) => {
    const client = new pg.Client({ connectionString: toDirect(connectionString) });
    await client.connect();
    await client.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND pid <> ALL ($1) AND pid <> pg_backend_pid() ORDER BY random() LIMIT $2`,
      [ownPids, cutMax],
    );
    await client.end();
  };
}
