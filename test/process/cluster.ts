import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { NewMerchant } from '../../src/domain/accounts/merchant/create-merchant.ts';
import { fileTest } from '../setup/fixtures.ts';
import { expectInvariants } from '../setup/invariants.ts';
import { seedWebhook } from '../setup/notifications.ts';
import { startReceiver, type TestReceiver } from '../setup/receiver.ts';
import { seedMerchant } from '../setup/seed.ts';
import { type ServiceOnDatabase, setupService } from '../setup/service.ts';
import { callRest, createTransferInput } from './call-rest.ts';
import { createServiceEnv } from './create-service-env.ts';
import { type ReverseProxy, startProxy } from './proxy.ts';
import { projectRoot, runService, type ServiceProcess, startCommand } from './run-service.ts';

/** Two API and two worker processes on one database, behind a proxy. */
export type Cluster = {
  service: ServiceOnDatabase;
  merchant: NewMerchant;
  receiver: TestReceiver;
  proxy: ReverseProxy;
  running: { api: ServiceProcess[]; worker: ServiceProcess[] };
  urls: string[];
};

export const clusterTest = fileTest.extend('cluster', { scope: 'file' }, async ({ onFileCleanup }) => {
  const cluster = {} as Cluster;
  cluster.running = { api: [] as ServiceProcess[], worker: [] as ServiceProcess[] };
  cluster.urls = [];
  cluster.service = await setupService(onFileCleanup);
  onFileCleanup(async () => {
    await Promise.all(
      [...cluster.running.api, ...cluster.running.worker].map((process) => process.end('SIGKILL')),
    );
    await cluster.proxy?.stop();
    await cluster.receiver?.stop();
  });
  cluster.merchant = await seedMerchant(cluster.service, {}, new Date());
  cluster.receiver = await startReceiver();
  await seedWebhook(cluster.service, cluster.merchant, {
    url: cluster.receiver.url,
    notificationVersion: '1.0',
  });
  cluster.proxy = await startProxy(() => cluster.urls, { checksHealth: true });
  await Promise.all(
    [0, 1].flatMap((place) => [startProcess(cluster, 'api', place), startProcess(cluster, 'worker', place)]),
  );
  return cluster;
});

/** Starts a process in a place of the cluster, from the sources in `folder`. */
export async function startProcess(
  cluster: Cluster,
  role: 'api' | 'worker',
  place: number,
  folder = projectRoot,
): Promise<void> {
  const port = cluster.urls[place] ? new URL(cluster.urls[place]).port : '0';
  const processEnv = { ROLE: role, LOG_LEVEL: 'warn', ...(role === 'api' && { PORT: port }) };
  const env = { ...createServiceEnv(cluster.service.connectionString), ...processEnv };
  const process = runService(env, startCommand, folder);
  cluster.running[role][place] = process;
  const { url } = await process.ready();
  if (role === 'api') cluster.urls[place] = url;
}

export const clients = 3;

export const callCluster = (
  cluster: Cluster,
  path: string,
  body: object,
  headers: Record<string, string> = {},
) => callRest(cluster.proxy.url, cluster.merchant.keys.live, path, body, headers);

/** Creates and pays a charge through the proxy with retries; returns its id. */
async function createAndPay(cluster: Cluster): Promise<string> {
  const callWithRetries = async (path: string, body: object, headers = {}) => {
    for (;;) {
      const response = await callCluster(cluster, path, body, headers).catch(() => ({
        status: 502,
        json: null,
      }));
      // The status is 409 while the first request is running.
      if (![409, 502].includes(response.status)) return response;
    }
  };
  const key = randomUUID();
  const terms = { email: `${key}@example.com`, merchantAmount: 25, merchantCurrency: 'HKD', method: 'fps' };
  const charge = await callWithRetries('/charges', terms, { 'idempotency-key': key });
  expect(charge).toMatchObject({ status: 201 });
  const { id, destination } = charge.json;
  const transfer = createTransferInput(destination, terms.merchantAmount, `bank-${id}`);
  const paid = await callWithRetries('/transfers', { transfers: [transfer] });
  expect(paid).toMatchObject({ status: 200, json: { transfers: [{ chargeId: id }] } });
  return id;
}

/** Runs `work` while clients create and pay charges; then expects each charge and its notification once. */
export async function duringClientLoad(cluster: Cluster, work: () => Promise<void>): Promise<void> {
  const chargeIds: string[] = [];
  let isOver = false;
  const load = Promise.all(
    Array.from({ length: clients }, async () => {
      while (!isOver) chargeIds.push(await createAndPay(cluster));
    }),
  );
  const continueLoad = async () => {
    const before = chargeIds.length;
    await Promise.race([load, expect.poll(() => chargeIds.length).toBeGreaterThan(before + 2 * clients)]);
  };
  try {
    await continueLoad();
    await work();
    await continueLoad();
  } finally {
    isOver = true;
    await load;
  }
  const charges = await cluster.service.prisma.charge.findMany({ where: { id: { in: chargeIds } } });
  expect(charges.filter(({ status }) => status === 'completed')).toHaveLength(chargeIds.length);
  const missing = new Set(chargeIds);
  await cluster.receiver.waitFor((requests) => {
    for (const { body } of requests) missing.delete(JSON.parse(body).chargeId);
    return missing.size === 0;
  }, 30_000);
  await expectInvariants(cluster.service);
}
