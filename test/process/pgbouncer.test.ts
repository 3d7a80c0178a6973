import { describe, expect, onTestFinished } from 'vitest';
import type { NewMerchant } from '../../src/domain/accounts/merchant/create-merchant.ts';
import { getDestination } from '../setup/checkout.ts';
import { isLongRun } from '../setup/counts.ts';
import { fileTest } from '../setup/fixtures.ts';
import { subscribeOverWebSocket } from '../setup/graphql.ts';
import { expireLeases, seedWebhook } from '../setup/notifications.ts';
import { pgBouncer, type RunningPgBouncer, startPgBouncer } from '../setup/pgbouncer.ts';
import { startReceiver } from '../setup/receiver.ts';
import { seedCharge, seedMerchant } from '../setup/seed.ts';
import { type ServiceOnDatabase, setupService } from '../setup/service.ts';
import { getTestPostgres } from '../setup/test-postgres.ts';
import { callRest, createTransferInput } from './call-rest.ts';
import { underLoad } from './client-load.ts';
import { createServiceEnv } from './create-service-env.ts';
import { runServiceForTest, type ServiceProcess } from './run-service.ts';

const serverConnectionsMax = 20;

type PooledRun = { service: ServiceOnDatabase; merchant: NewMerchant; pooler: RunningPgBouncer };

const pooledTest = fileTest.extend(
  'run',
  { scope: 'file' },
  async ({ onFileCleanup }): Promise<PooledRun> => {
    const connectionString = (await getTestPostgres()).url;
    const options = { connectionString, poolSize: serverConnectionsMax };
    const pooler = await startPgBouncer(onFileCleanup, options);
    const service = await setupService(onFileCleanup);
    return { service, pooler, merchant: await seedMerchant(service, {}, new Date()) };
  },
);

const hint = pgBouncer === undefined ? ' (skipped: set PGBOUNCER to PgBouncer 1.21 or later)' : '';

describe.skipIf(pgBouncer === undefined)(`PgBouncer in transaction mode${hint}`, () => {
  const test = pooledTest;

  const start = ({ service, pooler }: PooledRun, env: Record<string, string> = {}): ServiceProcess => {
    const direct = {
      ...createServiceEnv(service.connectionString),
      DATABASE_DIRECT_URL: service.connectionString,
    };
    const DATABASE_URL = pooler.toPooled(service.connectionString);
    return runServiceForTest(onTestFinished, { ...direct, DATABASE_URL, LOG_LEVEL: 'warn', ...env });
  };

  /** The connections of PgBouncer to PostgreSQL, and their settings as the next transaction gets them. */
  async function readServerConnections({ service, pooler }: PooledRun) {
    const { default: pg } = await import('pg');
    const pool = new pg.Pool({
      connectionString: pooler.toPooled(service.connectionString),
      max: serverConnectionsMax,
    });
    try {
      const sql = `SELECT pg_backend_pid() AS pid, current_setting('synchronous_commit') AS commits FROM pg_sleep(0.2)`;
      const results = await Promise.all(Array.from({ length: serverConnectionsMax }, () => pool.query(sql)));
      const rows: { pid: number; commits: string }[] = results.flatMap((result) => result.rows);
      return { pids: new Set(rows.map(({ pid }) => pid)), settings: new Set(rows.map((row) => row.commits)) };
    } finally {
      await pool.end();
    }
  }

  test('is detected at start if LISTEN goes through it, with the variable to set', async ({ run }) => {
    const process = start(run, { DATABASE_DIRECT_URL: '' });
    expect(await process.ended).toBe(1);
    expect(process.output() + process.logged()).toContain(
      'DATABASE_DIRECT_URL: notifications sent through DATABASE_URL do not arrive',
    );
  });

  test('delivers changes to other processes, and keeps commits durable', async ({ run }) => {
    const { service, merchant } = run;
    const processes = [start(run), start(run)];
    const [first, second] = await Promise.all(processes.map((process) => process.ready()));
    const charge = await seedCharge(service, merchant, { now: new Date() });
    const follow = 'subscription ($id: ID!) { chargeUpdated(id: $id) { status } }';
    const { live } = merchant.keys;
    const stream = subscribeOverWebSocket(onTestFinished, second!.url, live, follow, { id: charge.id });
    const event = (status: string) => ({ data: { chargeUpdated: { status } } });
    expect(await stream.next()).toEqual(event('pending'));
    const transfers = [createTransferInput(getDestination(charge), 128.5, 'bank-pooled')];
    expect(await callRest(first!.url, live, '/transfers', { transfers })).toMatchObject({ status: 200 });
    expect(await stream.next()).toEqual(event('completed'));
    await stream.close();
    expect((await readServerConnections(run)).settings).toEqual(new Set(['on']));
    expect(await Promise.all(processes.map((process) => process.end('SIGTERM')))).toEqual([0, 0]);
  });

  test.runIf(isLongRun)(
    `serves 20 processes on ${serverConnectionsMax} connections, and loses nothing when they are killed`,
    { timeout: 600_000 },
    async ({ run }) => {
      const { service } = run;
      // A merchant without earlier events, which its webhook would have missed.
      const merchant = await seedMerchant(service, {}, new Date());
      const receiver = await startReceiver();
      onTestFinished(() => receiver.stop());
      await seedWebhook(service, merchant, { url: receiver.url });
      const startOne = (index: number, port = '0') =>
        start(run, { ROLE: index % 2 === 0 ? 'api' : 'worker', PORT: port });
      const processes: ServiceProcess[] = [];
      const urls: string[] = [];
      for (let index = 0; index < 20; index++) {
        processes[index] = startOne(index);
        const { url } = await processes[index]!.ready();
        if (url) urls.push(url);
      }
      const countConnections = async () => {
        const sql = `SELECT count(*)::int AS count FROM pg_stat_activity
          WHERE datname = current_database() AND application_name IN ('causeway', 'causeway announce', 'causeway jobs')`;
        const { rows } = await service.pool.query(sql);
        return rows[0].count - service.pool.totalCount;
      };
      let connectionsMax = 0;
      let requests = 0;
      const site = {
        service,
        merchant,
        receiver,
        url: () => urls[requests++ % urls.length]!,
        logged: () => processes.map((process) => process.logged()).join('\n'),
      };
      await underLoad(site, async () => {
        for (let kill = 2; kill < 12; kill++) {
          connectionsMax = Math.max(connectionsMax, await countConnections());
          await processes[kill]!.end('SIGKILL');
          processes[kill] = startOne(kill, kill % 2 === 0 ? new URL(urls[kill / 2]!).port : '0');
          await processes[kill]!.ready();
        }
        await expireLeases(service);
      });
      expect(connectionsMax).toBeGreaterThan(1);
      expect(connectionsMax).toBeLessThanOrEqual(serverConnectionsMax);
      expect((await readServerConnections(run)).settings).toEqual(new Set(['on']));
    },
  );
});
