import type { PoolClient } from 'pg';
import type { Db } from './db.ts';

/** Reads that see one moment, on a connection of their own: nothing can be written. */
export async function readSnapshot<T>(
  { pool }: Pick<Db, 'pool'>,
  read: (client: PoolClient) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    const result = await read(client);
    await client.query('COMMIT');
    client.release();
    return result;
  } catch (error) {
    // The transaction ends with the connection.
    client.release(true);
    throw error;
  }
}
