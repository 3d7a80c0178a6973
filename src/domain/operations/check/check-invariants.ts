import type { Db } from '../../../kit/db.ts';
import { readSnapshot } from '../../../kit/read-snapshot.ts';
import type { Queryable } from '../../../kit/with-client.ts';
import type { Service } from '../../platform/service.ts';
import { invariants } from './invariants.ts';

export type Violation = { name: string; promise: string; count: number; examples: string[] };

const examplesMax = 10;

/** Checks all invariants in one read-only snapshot. */
export async function checkInvariants(db: Pick<Db, 'pool'>): Promise<Violation[]> {
  return readSnapshot(db, findViolations);
}

/** Checks all invariants in the current transaction of the client. */
export async function findViolations(client: Queryable): Promise<Violation[]> {
  const violations: Violation[] = [];
  for (const { name, promise, sql } of invariants) {
    const { rows } = await client.query<string[]>({ text: sql, rowMode: 'array' });
    if (rows.length === 0) continue;
    const examples = rows.slice(0, examplesMax).map(([id]) => String(id));
    violations.push({ name, promise, count: rows.length, examples });
  }
  return violations;
}

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

/** Checks that every standby of DATABASE_READ_URL catches up with the primary within the allowed lag. */
export async function checkReplicas({ replicas }: Pick<Service, 'replicas'>): Promise<Violation[]> {
  if (!replicas) return [];
  await replicas.findCurrentUrl();
  const examples = replicas
    .getStates()
    .flatMap(({ host, problem }) => (problem === undefined ? [] : [`${host} ${problem}`]));
  if (examples.length === 0) return [];
  return [
    {
      name: 'read_replicas',
      promise: 'Every standby of DATABASE_READ_URL follows the primary',
      count: examples.length,
      examples,
    },
  ];
}
