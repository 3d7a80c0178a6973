import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { idPrefixes } from '../src/kit/id.ts';
import { cleanupAfterFile } from './setup/cleanup.ts';
import { isLongRun } from './setup/counts.ts';
import type { GraphqlApp } from './setup/graphql.ts';
import { findPlanProblems, largeTablesTimeoutMs, setupLargeTables } from './setup/large-tables.ts';
import type { RecordedStatement } from './setup/record-statements.ts';

const onCleanup = cleanupAfterFile();

/**
 * How PostgreSQL carries out, where tables are large, whatever the service sent it while the other tests ran:
 *   STATEMENTS=/tmp/statements npm test && LONG=1 SENT=/tmp/statements npm test -- test/sent-statements.test.ts
 */

const folder = process.env.SENT;

/** What these send looks at everything there is, or at all of a time that was asked for: that is what they are for. */
const readsMuch = [
  ...[
    'src/domain/operations/check/check-invariants.ts',
    'src/domain/platform/secrets/',
    'src/domain/operations/backup/',
  ],
  ...[
    'src/domain/payments/charge-list/sum-collected-by-day.ts',
    'src/domain/money-in/reconciliation/',
    'src/event/find-changed-objects.ts',
  ],
  // All of some days that may be what a line tells once more.
  'src/domain/money-in/transfer/find-duplicates.ts',
  // Attempts from an id on, which tells a time: here all ids are of one.
  'src/domain/operations/check/measure-backlog.ts',
];

let app: GraphqlApp;
let ids: Map<string, string | undefined>;

describe.runIf(folder && isLongRun)('what was sent', () => {
  beforeAll(async () => {
    const large = await setupLargeTables(onCleanup);
    ({ app } = large);
    ids = new Map(Object.entries(idPrefixes).map(([noun, prefix]) => [prefix, large.ids[noun]]));
  }, largeTablesTimeoutMs);

  test('reads no table from end to end and sorts no more than a page', {
    timeout: largeTablesTimeoutMs,
  }, async () => {
    const faults = [];
    let count = 0;
    for (const { text, values, sender } of readStatements(folder!)) {
      if (readsMuch.some((part) => sender?.startsWith(part))) continue;
      const found = await planned(text, values.map(ofLargeTables));
      if (!found) continue;
      count++;
      if (found.length > 0) faults.push(`${found.join(', ')}: ${sender}: ${text}`);
    }
    expect(count).toBeGreaterThan(1_000);
    expect(faults).toEqual([]);
  });
});

/**
 * Undefined where PostgreSQL refuses it here, of a table, a column or values that only some tests have (SQLSTATE 22… and
 * 42…); those tests hold what it does there.
 */
async function planned(text: string, values: unknown[]): Promise<string[] | undefined> {
  try {
    return await findPlanProblems(app.context.service.pool, { text, values });
  } catch (error) {
    const { code } = error as { code?: string };
    if (code?.startsWith('22') || code?.startsWith('42')) return undefined;
    throw error;
  }
}

function readStatements(from: string): Iterable<RecordedStatement> {
  const lines = readdirSync(from).flatMap((file) =>
    readFileSync(join(from, file), 'utf8').trim().split('\n'),
  );
  const kept = lines.map((line): RecordedStatement => JSON.parse(line));
  return new Map(kept.map((one) => [one.text, one])).values();
}

/** An id of what is in the large tables, where the value is an id. */
function ofLargeTables(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ofLargeTables);
  const [, prefix] = typeof value === 'string' ? (/^([a-z]+)_[0-9a-z]{20,}$/.exec(value) ?? []) : [];
  return (prefix && ids.get(prefix)) || value;
}
