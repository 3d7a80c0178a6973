import { randomInt, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, onTestFinished, vi } from 'vitest';
import type { NewMerchant } from '../../src/domain/accounts/merchant/create-merchant.ts';
import type { Service } from '../../src/domain/platform/service.ts';
import { closeDb } from '../../src/kit/db.ts';
import { createHub } from '../../src/live/hub.ts';
import { listen } from '../../src/live/listen.ts';
import { count, isLongRun } from '../setup/counts.ts';
import { getFastTempDir } from '../setup/fast-temp-dir.ts';
import { fileTest } from '../setup/fixtures.ts';
import { expectInvariants } from '../setup/invariants.ts';
import { expireLeases, seedWebhook } from '../setup/notifications.ts';
import { pgBouncer, startPgBouncer } from '../setup/pgbouncer.ts';
import { queryValue } from '../setup/query-value.ts';
import { startReceiver, type TestReceiver } from '../setup/receiver.ts';
import { seedMerchant } from '../setup/seed.ts';
import { openServiceWithDataKeys } from '../setup/service.ts';
import {
  createStandby,
  killServer,
  promote,
  type ReplicatedServer,
  requireStandby,
  startReplicatedServer,
  stopSending,
  waitForStandby,
} from '../setup/standby.ts';
import { createTempDir } from '../setup/temp-dir.ts';
import { copyMigratedCluster } from '../setup/test-postgres.ts';
import { callRest } from './call-rest.ts';
import { type Site, underLoad } from './client-load.ts';
import { createServiceEnv } from './create-service-env.ts';
import { signalPostgres } from './kill-postgres.ts';
import { runService, runServiceForTest, type ServiceProcess } from './run-service.ts';

type FailoverRun = {
  primary: ReplicatedServer;
  standby: ReplicatedServer;
  service: Service;
  merchant: NewMerchant;
  receiver: TestReceiver;
  api: ServiceProcess;
  worker: ServiceProcess;
  url: string;
};

const failoverTest = fileTest.extend('run', { scope: 'file' }, async ({ onFileCleanup }) => {
  const run = {} as FailoverRun;
  const folder = await createTempDir(onFileCleanup, getFastTempDir());
  onFileCleanup(async () => {
    await Promise.all([run.api?.end('SIGKILL'), run.worker?.end('SIGKILL')]);
    await run.receiver?.stop();
    if (run.service) await closeDb(run.service);
    await run.standby?.process.end();
    await run.primary?.process.end();
  });
  const dataDirs = [join(folder, 'a'), join(folder, 'b')] as const;
  await copyMigratedCluster(dataDirs[0]);
  run.primary = await startReplicatedServer(dataDirs[0]);
  run.standby = await createStandby(run.primary, dataDirs[1]);
  const connectionString = listHosts(run.primary, run.standby);
  run.api = runService({ ...createServiceEnv(connectionString), ROLE: 'api' });
  run.url = (await run.api.ready()).url;
  run.worker = runService({ ...createServiceEnv(connectionString), ROLE: 'worker' });
  await run.worker.ready();
  run.service = await openServiceWithDataKeys(connectionString, { onError: () => {} });
  // Notices that a primary hangs, for the connections of the test too.
  const listener = await listen(connectionString, createHub(), () => {});
  onFileCleanup(listener.stop);
  run.merchant = await seedMerchant(run.service, {}, new Date());
  run.receiver = await startReceiver();
  await seedWebhook(run.service, run.merchant, { url: run.receiver.url });
  return run;
});

/** The URL of both servers, whose order does not matter. */
function listHosts(...servers: Pick<ReplicatedServer, 'connectionString'>[]): string {
  const [first, second] = servers.map(({ connectionString }) => new URL(connectionString));
  const { username, password, pathname } = first!;
  return `postgresql://${username}:${password}@${second!.host},${first!.host}${pathname}?target_session_attrs=read-write`;
}

const isReady = async ({ url }: Pick<FailoverRun, 'url'>) => (await fetch(`${url}/readyz`)).ok;

/** Kills the primary and promotes the standby. Returns the time until the service is ready again. */
async function failOver(
  run: FailoverRun,
  { onKilled = () => {}, url = run.url }: { onKilled?: () => void; url?: string } = {},
): Promise<number> {
  const startedAt = performance.now();
  await killServer(run.primary);
  onKilled();
  await promote(run.standby);
  await expect.poll(() => isReady({ url }), { interval: 10, timeout: 30_000 }).toBe(true);
  const duration = performance.now() - startedAt;
  [run.primary, run.standby] = [run.standby, run.primary];
  return duration;
}

function formatDurations(durations: number[]): string {
  const sorted = durations.toSorted((a, b) => a - b);
  const [median, max] = [sorted[Math.floor(sorted.length / 2)]!, sorted.at(-1)!];
  return `ready again after ${Math.round(median)} ms (median), ${Math.round(max)} ms (max)`;
}

describe('A failover', () => {
  const test = failoverTest;

  const site = (run: FailoverRun): Site => ({
    service: run.service,
    merchant: run.merchant,
    receiver: run.receiver,
    url: () => run.url,
    logged: () => run.api.logged(),
  });

  test('with quorum commit loses nothing that was acknowledged, and duplicates nothing', {
    timeout: 900_000,
  }, async ({ run }) => {
    await requireStandby(run.primary);
    const durations: number[] = [];
    const { cutOff, charges } = await underLoad(site(run), async () => {
      for (let failover = 0; failover < count(3, 20); failover++) {
        await delay(randomInt(500));
        durations.push(await failOver(run));
        run.standby = await createStandby(run.primary, run.standby.dataDir);
        await requireStandby(run.primary);
      }
      await expireLeases(run.service);
    });
    expect(cutOff).toBe(0);
    expect([run.api.child.exitCode, run.worker.child.exitCode]).toEqual([null, null]);
    if (isLongRun)
      console.info(`${durations.length} failovers, ${charges.size} charges: ${formatDurations(durations)}`);
  });

  test('from a primary that hangs ends in time, and that primary is never used again', {
    timeout: 180_000,
  }, async ({ run }) => {
    await requireStandby(run.primary);
    const { cutOff } = await underLoad(site(run), async (ledger) => {
      await signalPostgres(run.primary.pid, 'SIGSTOP');
      await promote(run.standby);
      await expect.poll(() => isReady(run), { timeout: 40_000 }).toBe(true);
      // The previous primary still accepts writes, but on the previous timeline.
      await signalPostgres(run.primary.pid, 'SIGCONT');
      const ended = ledger.ends.size;
      await expect.poll(() => ledger.ends.size).toBeGreaterThan(ended + 20);
      // The message of a failure names the connections that are left.
      const sql = `SELECT coalesce(json_agg(json_build_object('name', application_name, 'state', state, 'query', query,
            'ageSeconds', extract(epoch FROM clock_timestamp() - backend_start)::int)), '[]') FROM pg_stat_activity
          WHERE application_name LIKE 'causeway%' AND application_name <> 'causeway command' AND state <> 'active'`;
      await expect.poll(() => queryValue(run.primary.connectionString, sql), { timeout: 40_000 }).toEqual([]);
      await expireLeases(run.service);
    });
    expect(cutOff).toBe(0);
    await killServer(run.primary);
    [run.primary, run.standby] = [run.standby, run.primary];
    run.standby = await createStandby(run.primary, run.standby.dataDir);
  });

  const hint = pgBouncer === undefined ? ' (skipped: set PGBOUNCER to PgBouncer 1.21 or later)' : '';

  test.skipIf(pgBouncer === undefined)(
    `behind a PgBouncer on each server loses nothing that was acknowledged${hint}`,
    { timeout: 600_000 },
    async ({ run }) => {
      const servers = [run.primary, run.standby] as const;
      const poolers = [];
      for (const server of servers) {
        const pooler = await startPgBouncer(onTestFinished, server);
        poolers.push({ connectionString: pooler.toPooled(server.connectionString) });
      }
      const env = {
        ...createServiceEnv(listHosts(...servers)),
        DATABASE_URL: listHosts(...poolers),
      };
      const api = runServiceForTest(onTestFinished, { ...env, ROLE: 'api' });
      const { url } = await api.ready();
      await requireStandby(run.primary);
      const durations: number[] = [];
      const { cutOff, charges } = await underLoad(
        { ...site(run), url: () => url, logged: () => api.logged() },
        async () => {
          for (let failover = 0; failover < count(1, 10); failover++) {
            await delay(randomInt(500));
            durations.push(await failOver(run, { url }));
            run.standby = await createStandby(run.primary, run.standby.dataDir);
            await requireStandby(run.primary);
          }
          await expireLeases(run.service);
        },
      );
      expect(cutOff).toBe(0);
      expect(api.child.exitCode).toBeNull();
      if (isLongRun)
        console.info(
          `PgBouncer: ${durations.length} failovers, ${charges.size} charges: ${formatDurations(durations)}`,
        );
    },
  );

  /** Creates charges until the end; returns the acknowledged IDs. */
  async function createCharges(run: FailoverRun, isOver: () => boolean): Promise<string[]> {
    const ids: string[] = [];
    while (!isOver()) {
      const key = randomUUID();
      const email = `${key}@example.com`;
      const terms = { email, merchantAmount: 25, merchantCurrency: 'HKD', method: 'fps' };
      const headers = { 'idempotency-key': key };
      const { status, json } = await callRest(run.url, run.merchant.keys.live, '/charges', terms, headers);
      if (status === 201) ids.push(json.id);
    }
    return ids;
  }

  // Also proves that the tests notice a loss.
  test.runIf(isLongRun).for([0, 100, 1000])(
    'with asynchronous replication that stalls %i ms before loses the charges of that time only',
    { timeout: 900_000 },
    async (stallMs, { run }) => {
      const durations: number[] = [];
      const lost: number[] = [];
      let acknowledged = 0;
      for (let failover = 0; failover < 20; failover++) {
        await waitForStandby(run.primary);
        let isOver = false;
        const load = Promise.all(Array.from({ length: 4 }, () => createCharges(run, () => isOver)));
        await delay(500 + randomInt(500));
        if (stallMs > 0) {
          await stopSending(run.primary);
          await delay(stallMs);
        }
        const onKilled = () => {
          isOver = true;
        };
        durations.push(await failOver(run, { onKilled }));
        const ids = (await load).flat();
        // The first query of the test may use a connection that has just been lost.
        const where = { id: { in: ids } };
        const found = await vi.waitFor(() => run.service.prisma.charge.count({ where }));
        acknowledged += ids.length;
        lost.push(ids.length - found);
        await expectInvariants(run.service);
        run.standby = await createStandby(run.primary, run.standby.dataDir);
      }
      const total = lost.reduce((sum, one) => sum + one, 0);
      console.info(
        `asynchronous, stalled for ${stallMs} ms: ${total} of ${acknowledged} acknowledged charges lost in ` +
          `${lost.length} failovers (at most ${Math.max(...lost)} in one); ${formatDurations(durations)}`,
      );
      expect(acknowledged).toBeGreaterThan(20 * lost.length);
      if (stallMs >= 1000) expect(total).toBeGreaterThan(0);
    },
  );
});
