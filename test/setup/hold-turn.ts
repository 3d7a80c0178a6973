import { getLockKey } from '../../src/kit/lock-by-name.ts';
import { withClient } from '../../src/kit/with-client.ts';

/** Does the work while another process holds the lock of this name: for an Idempotency-Key its merchant, mode and itself. */
export function holdTurn<T>(connectionString: string, name: string, work: () => Promise<T>): Promise<T> {
  return withClient(connectionString, async (client) => {
    await client.query('SELECT pg_advisory_lock($1)', [getLockKey(name)]);
    return work();
  });
}
