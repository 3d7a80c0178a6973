import { withClient } from '../../src/kit/with-client.ts';

/** While another process has the turn of this name: for an Idempotency-Key its merchant, mode and itself. */
export function holdTurn<T>(connectionString: string, name: string, work: () => Promise<T>): Promise<T> {
  return withClient(connectionString, async (client) => {
    await client.query('SELECT pg_advisory_lock(hashtextextended($1, 0))', [name]);
    return work();
  });
}
