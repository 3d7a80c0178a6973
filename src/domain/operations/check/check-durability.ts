import type { Db } from '../../../kit/db.ts';
import type { Violation } from './check-invariants.ts';

/** Takes so long that the pool runs each query on another connection. */
const readSettingSql = `
  SELECT pg_backend_pid() AS pid, current_setting('synchronous_commit') AS "synchronousCommit" FROM pg_sleep(0.2)`;

/**
 * Checks that COMMIT waits for the disk on every connection of the pool. A server with `synchronous_commit = off`, or a
 * connection pooler that passes on the setting of another program, would lose acknowledged payments in a crash.
 */
export async function checkDurability({ pool }: Pick<Db, 'pool'>): Promise<Violation[]> {
  const results = await Promise.all(
    Array.from({ length: pool.options.max }, () =>
      pool.query<{ pid: number; synchronousCommit: string }>(readSettingSql),
    ),
  );
  const connections = results.flatMap(({ rows }) => rows);
  const unsafe = connections.filter(({ synchronousCommit }) => synchronousCommit === 'off');
  if (unsafe.length === 0) return [];
  const examples = [...new Set(unsafe.map(({ pid }) => `synchronous_commit = off in process ${pid}`))];
  return [
    { name: 'durable_commits', promise: 'A commit waits for the disk', count: examples.length, examples },
  ];
}
