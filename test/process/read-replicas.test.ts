import { join } from 'node:path';
import { describe, expect, onTestFinished } from 'vitest';
import type { NewMerchant } from '../../src/domain/accounts/merchant/create-merchant.ts';
import { closeDb } from '../../src/kit/db.ts';
import { withClient } from '../../src/kit/with-client.ts';
import { callCli, runCli } from '../cli/run-cli.ts';
import { basicAuth } from '../setup/api.ts';
import { getFastTempDir } from '../setup/fast-temp-dir.ts';
import { fileTest } from '../setup/fixtures.ts';
import type { Json } from '../setup/graphql.ts';
import { queryValue } from '../setup/query-value.ts';
import { seedCharge, seedMerchant } from '../setup/seed.ts';
import { openServiceWithDataKeys, type ServiceOnDatabase } from '../setup/service.ts';
import {
  createStandby,
  killServer,
  promote,
  type ReplicatedServer,
  startReplicatedServer,
  waitForStandby,
} from '../setup/standby.ts';
import { createTempDir } from '../setup/temp-dir.ts';
import { copyMigratedCluster } from '../setup/test-postgres.ts';
import { payCharge } from '../setup/transfers.ts';
import { callRest } from './call-rest.ts';
import { createServiceEnv } from './create-service-env.ts';
import { signalPostgres } from './kill-postgres.ts';
import { runService, type ServiceProcess } from './run-service.ts';

type ReplicaRun = {
  primary: ReplicatedServer;
  standby: ReplicatedServer;
  service: ServiceOnDatabase;
  env: Record<string, string>;
  process: ServiceProcess;
  url: string;
};

/** The shortest allowed lag. */
const lagSeconds = 5;

const test = fileTest
  .extend('run', { scope: 'file' }, async ({ onFileCleanup }) => {
    const run = {} as ReplicaRun;
    const folder = await createTempDir(onFileCleanup, getFastTempDir());
    onFileCleanup(async () => {
      await run.process?.end('SIGKILL');
      if (run.service) await closeDb(run.service);
      await run.standby?.process.end();
      await run.primary?.process.end();
    });
    await copyMigratedCluster(join(folder, 'a'));
    run.primary = await startReplicatedServer(join(folder, 'a'));
    run.standby = await createStandby(run.primary, join(folder, 'b'));
    run.env = {
      ...createServiceEnv(run.primary.connectionString),
      DATABASE_READ_URL: run.standby.connectionString,
      DATABASE_READ_LAG_SECONDS: String(lagSeconds),
      LOG_LEVEL: 'error',
    };
    run.process = runService(run.env);
    run.url = (await run.process.ready()).url;
    run.service = await openServiceWithDataKeys(run.primary.connectionString);
    return run;
  })
  .extend('merchant', async ({ run }) => {
    await isUsed(run);
    return seedMerchant(run.service, {}, new Date());
  });

async function ask({ url }: ReplicaRun, { keys }: NewMerchant, query: string): Promise<Json> {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { authorization: basicAuth(keys.live), 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
  });
  const { data, errors } = (await response.json()) as Json;
  if (errors) throw new Error(JSON.stringify(errors));
  return data;
}

const totalsQuery = `{
  dataAsOf
  collectedAmounts(completedFrom: "2026-01-01T00:00:00Z") { amount chargeCount }
  transfers(filter: { search: "seed" }) { totalCount nodes { id } }
  charges { totalCount }
}`;

const readTotals = (run: ReplicaRun, merchant: NewMerchant) => ask(run, merchant, totalsQuery);

/** Returns a time after the commit of the payment. */
async function seedPaidCharge({ service }: ReplicaRun, merchant: NewMerchant) {
  const now = new Date();
  const charge = await seedCharge(service, merchant, { now });
  await payCharge(service, merchant, charge, { now, payerName: 'seed' });
  return new Date();
}

async function readMetric({ url }: ReplicaRun, name: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(new RegExp(`^causeway_read_replica_${name}\\{.*\\} (.*)$`, 'm').exec(text)?.[1]);
}

const isUsed = (run: ReplicaRun) => expect.poll(() => readMetric(run, 'used'), { timeout: 20_000 }).toBe(1);

const setReplay = ({ standby }: ReplicaRun, action: 'pause' | 'resume') =>
  queryValue(standby.connectionString, `SELECT pg_wal_replay_${action}()`);

async function createExport(run: ReplicaRun, merchant: NewMerchant): Promise<Json> {
  const { createExport: created } = await ask(
    run,
    merchant,
    'mutation { createExport(input: { kind: charges }) { ... on CreateExportSuccess { export { id } } } }',
  );
  const { id } = created.export;
  const query = `{ export(id: "${id}") { status dataAsOf createdAt writtenRowCount downloadUrl } }`;
  await expect.poll(async () => (await ask(run, merchant, query)).export.status).toBe('completed');
  return (await ask(run, merchant, query)).export;
}

describe('A standby of DATABASE_READ_URL', () => {
  test('is read for totals and exports, with the time of their data', async ({ run, merchant }) => {
    const paidAt = await seedPaidCharge(run, merchant);
    await expect
      .poll(() => readTotals(run, merchant))
      .toMatchObject({
        dataAsOf: expect.any(String),
        collectedAmounts: [{ amount: '128.50', chargeCount: 1 }],
        transfers: { totalCount: 1 },
      });
    const { dataAsOf } = await readTotals(run, merchant);
    expect(Date.now() - Date.parse(dataAsOf)).toBeLessThan(lagSeconds * 1000);
    await expect
      .poll(async () => Date.parse((await readTotals(run, merchant)).dataAsOf))
      .toBeGreaterThan(paidAt.getTime());
    // An export reads the primary while the standby does not have its request yet.
    let file = await createExport(run, merchant);
    while (file.dataAsOf === null) file = await createExport(run, merchant);
    expect(Date.parse(file.dataAsOf)).toBeGreaterThanOrEqual(Date.parse(file.createdAt));
    const headers = { authorization: basicAuth(merchant.keys.live) };
    const response = await fetch(file.downloadUrl, { headers });
    expect(response.headers.get('causeway-data-as-of')).toBe(file.dataAsOf);
    expect(await response.text()).toContain('128.50');
    expect(await readMetric(run, 'lag_seconds')).toBeLessThan(lagSeconds);
  });

  test('is not read once its replay is too far behind, and never for lists', {
    timeout: 60_000,
  }, async ({ run, merchant }) => {
    await seedPaidCharge(run, merchant);
    await expect
      .poll(async () => (await readTotals(run, merchant)).collectedAmounts)
      .toMatchObject([{ chargeCount: 1 }]);
    await setReplay(run, 'pause');
    onTestFinished(() => setReplay(run, 'resume') as Promise<never>);
    const paidAt = await seedPaidCharge(run, merchant);
    const stale = await readTotals(run, merchant);
    // The lists of the same request show the change, which the standby does not have yet.
    expect(stale).toMatchObject({ collectedAmounts: [{ chargeCount: 1 }], charges: { totalCount: 2 } });
    expect(stale.transfers).toMatchObject({ totalCount: 1, nodes: [{}, {}] });
    expect(Date.parse(stale.dataAsOf)).toBeLessThan(paidAt.getTime());
    // An export has everything that was there when it was requested.
    expect(await createExport(run, merchant)).toMatchObject({ dataAsOf: null, writtenRowCount: 2 });
    const headers = { 'idempotency-key': 'during-a-pause' };
    const terms = { email: 'ada@example.com', merchantAmount: 25, merchantCurrency: 'HKD', method: 'fps' };
    const create = () => callRest(run.url, merchant.keys.live, '/charges', terms, headers);
    const created = await create();
    expect(created.status).toBe(201);
    expect(await create()).toEqual(created);
    expect((await callRest(run.url, merchant.keys.live, '/charges')).json.pagination.total).toBe(3);

    await expect
      .poll(() => readTotals(run, merchant), { timeout: 20_000, interval: 200 })
      .toMatchObject({ dataAsOf: null, collectedAmounts: [{ chargeCount: 2 }] });
    expect(await readMetric(run, 'used')).toBe(0);
    expect(await readMetric(run, 'lag_seconds')).toBeGreaterThan(lagSeconds);
    await expect
      .poll(() => run.process.logged(), { timeout: 5_000 })
      .toContain('is not read: it is too far behind the primary');
    await setReplay(run, 'resume');
    await isUsed(run);
    expect(await readTotals(run, merchant)).toMatchObject({
      dataAsOf: expect.any(String),
      collectedAmounts: [{ chargeCount: 2 }],
    });
  });

  test('is backed up instead of the primary, with everything committed before', async ({ run, merchant }) => {
    await seedPaidCharge(run, merchant);
    const folder = await createTempDir(onTestFinished);
    const env = { ...run.env, DATA_DIR: folder };
    const backup = await callCli(env, 'backup', join(folder, 'backup'));
    expect(backup.source).toBe(`the standby ${new URL(run.standby.connectionString).host}`);
    const rows = await queryValue(run.primary.connectionString, 'SELECT count(*)::int FROM transfer');
    expect(backup.rows.transfer).toBe(rows);
    await setReplay(run, 'pause');
    await seedPaidCharge(run, merchant);
    const current = await callCli(env, 'backup', join(folder, 'during-a-pause'));
    await setReplay(run, 'resume');
    expect(current).toMatchObject({ source: 'the primary', rows: { transfer: Number(rows) + 1 } });
  });

  test.for(['SIGKILL', 'SIGSTOP'] as const)(
    'that gets %s is replaced by the primary in every request',
    {
      timeout: 90_000,
    },
    async (signal, { run, merchant }) => {
      await seedPaidCharge(run, merchant);
      await expect
        .poll(async () => (await readTotals(run, merchant)).collectedAmounts)
        .toMatchObject([{ chargeCount: 1 }]);
      const durations: number[] = [];
      let isOver = false;
      const load = Array.from({ length: 4 }, async () => {
        while (!isOver) {
          const start = performance.now();
          expect((await readTotals(run, merchant)).collectedAmounts).toMatchObject([{ chargeCount: 1 }]);
          durations.push(performance.now() - start);
        }
      });
      if (signal === 'SIGKILL') await killServer(run.standby);
      else await signalPostgres(run.standby.pid, signal);
      await expect.poll(() => readMetric(run, 'used'), { timeout: 20_000 }).toBe(0);
      isOver = true;
      await Promise.all(load);
      expect(Math.max(...durations)).toBeLessThan(8_000);
      expect((await readTotals(run, merchant)).dataAsOf).toBeNull();
      expect(run.process.logged()).toContain('is not read: it does not respond');
      const check = await runCli({ ...run.env, DATA_DIR: '.data' }, ['check']);
      expect(check).toMatchObject({ code: 1, stdout: expect.stringContaining('does not respond') });
      if (signal === 'SIGKILL') run.standby = await createStandby(run.primary, run.standby.dataDir);
      else await signalPostgres(run.standby.pid, 'SIGCONT');
      await isUsed(run);
      await expect
        .poll(async () => (await callCli({ ...run.env, DATA_DIR: '.data' }, 'check')).replicas)
        .toMatchObject([{ problem: undefined }].map(() => ({ lagMs: expect.any(Number) })));
    },
  );

  test('is checked and measured without the primary, if both are listed', async ({ run, merchant }) => {
    await seedPaidCharge(run, merchant);
    const { host: primaryHost } = new URL(run.primary.connectionString);
    const { host: standbyHost } = new URL(run.standby.connectionString);
    const url = run.standby.connectionString.replace(standbyHost, `${primaryHost},${standbyHost}`);
    const env = { ...run.env, DATABASE_READ_URL: url, DATA_DIR: '.data' };
    const check = await callCli(env, 'check');
    expect(check.replicas).toMatchObject([{ host: standbyHost, lagMs: expect.any(Number) }]);
    const listed = runService(env);
    onTestFinished(async () => {
      await listed.end('SIGKILL');
    });
    const { url: listedUrl } = await listed.ready();
    const readHosts = async () => {
      const text = await (await fetch(`${listedUrl}/metrics`)).text();
      return text.match(/^causeway_read_replica_used\{.*$/gm);
    };
    await expect
      .poll(readHosts, { timeout: 20_000 })
      .toEqual([`causeway_read_replica_used{host="${standbyHost}"} 1`]);
  });

  test('that has been promoted or belongs to another server is not read', async ({ run, merchant }) => {
    await waitForStandby(run.primary);
    await promote(run.standby);
    // It now has a payment that the primary does not have.
    await withClient(run.standby.connectionString, (client) =>
      client.query('UPDATE merchant SET name = $1 WHERE id = $2', ['Another', merchant.merchant.id]),
    );
    await expect.poll(() => readMetric(run, 'used'), { timeout: 20_000 }).toBe(0);
    expect((await readTotals(run, merchant)).dataAsOf).toBeNull();
    expect(run.process.logged()).toContain('is not read: it is not a standby');
    await killServer(run.standby);
    run.standby = await createStandby(run.primary, run.standby.dataDir);
    await isUsed(run);
  });
});
