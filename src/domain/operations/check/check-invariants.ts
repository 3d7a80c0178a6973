import type { Db } from '../../../kit/db.ts';
import { readSnapshot } from '../../../kit/read-snapshot.ts';
import type { Queryable } from '../../../kit/with-client.ts';
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
