import { expect, onTestFinished, test } from 'vitest';
import {
  announcerApplicationName,
  applicationName,
  jobsApplicationName,
} from '../../src/kit/application-names.ts';
import { startServiceWorker } from '../jobs/test-worker.ts';
import { throwError } from '../setup/errors.ts';
import { exerciseEveryFeature } from '../setup/exercise-every-feature.ts';
import { createFakeClock } from '../setup/fake-clock.ts';
import { setupGraphqlApp } from '../setup/graphql.ts';
import { recordStatements } from '../setup/sent-statements.ts';

/**
 * The state of a session would outlive its transaction. A connection pooler in transaction mode would pass the state on
 * to other processes, such as `synchronous_commit = off`, or lose it, such as `LISTEN`.
 */
const sessionState: Record<string, RegExp> = {
  'a setting': /(?:^|;)\s*(?:SET(?!\s+(?:LOCAL|TRANSACTION|CONSTRAINTS)\b)|RESET)\s/i,
  'set_config that outlives the transaction': /set_config\s*\((?![^;]*?,\s*true\s*\))/i,
  LISTEN: /(?:^|;)\s*(?:UN)?LISTEN\b/i,
  'a session lock': /pg_(?:try_)?advisory_(?:un)?lock(?!_xact)|pg_advisory_unlock/i,
  'a temporary table': /CREATE\s+(?:LOCAL\s+|GLOBAL\s+)?TEMP/i,
  'a prepared statement in SQL': /(?:^|;)\s*(?:PREPARE|DEALLOCATE|DISCARD)\b/i,
  'a cursor that outlives the transaction': /WITH\s+HOLD/i,
  'loaded code': /(?:^|;)\s*LOAD\b/i,
};

const findState = (text: string) =>
  Object.entries(sessionState).flatMap(([name, pattern]) => (pattern.test(text) ? [`${name}: ${text}`] : []));

test('each kind of session state is found, and state of a transaction is accepted', () => {
  const lasting = [
    'SET synchronous_commit = off',
    'BEGIN; SET SESSION statement_timeout = 5',
    'RESET ALL',
    "SELECT set_config('synchronous_commit', 'off', false)",
    'LISTEN causeway',
    'SELECT pg_advisory_lock($1)',
    'SELECT pg_try_advisory_lock(1)',
    'CREATE TEMPORARY TABLE x (y int)',
    'DEALLOCATE ALL',
    'DECLARE c CURSOR WITH HOLD FOR SELECT 1',
    "LOAD 'auto_explain'",
  ];
  for (const text of lasting) expect(findState(text), text).toHaveLength(1);
  const inTransaction = [
    'BEGIN; SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY',
    'SET LOCAL lock_timeout = 5',
    "SELECT set_config('synchronous_commit', 'off', true), pg_notify($1, $2)",
    'SELECT pg_advisory_xact_lock(1)',
    'UPDATE charge SET status = $1',
    'INSERT INTO x VALUES (1) ON CONFLICT (y) DO UPDATE SET z = 1',
  ];
  for (const text of inTransaction) expect(findState(text), text).toEqual([]);
});

test('no statement that may go through a connection pooler leaves session state behind', async () => {
  const clock = createFakeClock(new Date());
  const app = await setupGraphqlApp(onTestFinished, { clock });
  const { service } = app.context;
  const { sent } = await recordStatements(async () => {
    await using _worker = await startServiceWorker({
      config: { connectionString: app.connectionString, processName: 'test' },
      service,
      onError: throwError,
    });
    await exerciseEveryFeature(app, clock);
  });
  const pooled = sent.filter(({ applicationName: name }) =>
    [applicationName, announcerApplicationName, jobsApplicationName].includes(name),
  );
  expect(new Set(pooled.map(({ applicationName: name }) => name)).size).toBe(3);
  expect(new Set(pooled.map(({ text }) => text)).size).toBeGreaterThan(200);
  expect([...new Set(pooled.flatMap(({ text }) => findState(text)))]).toEqual([]);
});
