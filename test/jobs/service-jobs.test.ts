import { beforeAll, expect, test } from 'vitest';
import type { NewMerchant } from '../../src/domain/accounts/merchant/create-merchant.ts';
import { cancelCharge } from '../../src/domain/payments/charge/cancel-charge.ts';
import { createExport } from '../../src/domain/payouts/export/create-export.ts';
import type { Service } from '../../src/domain/platform/service.ts';
import { serviceJobs } from '../../src/jobs/definitions.ts';
import { toOwnerCaller } from '../setup/callers.ts';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import { seedWebhook } from '../setup/notifications.ts';
import { type Receiver, startReceiver } from '../setup/receiver.ts';
import { minutesAfter, seedCharge, seedMerchant } from '../setup/seed.ts';
import { withAnnouncer } from '../setup/service.ts';
import { describeStores, openPostgres, type TestStore } from './stores.ts';
import { startServiceWorker, startWorker, stopWorkersAfterEach } from './test-worker.ts';

const onCleanup = cleanupAfterFile();

stopWorkersAfterEach();

describeStores(onCleanup, 'Two workers with the jobs of the service', (openStore) => {
  let store: TestStore;
  let service: Service;
  let merchant: NewMerchant;
  let receiver: Receiver;
  const errors: Error[] = [];
  const onError = (error: Error) => void errors.push(error);
  const told = (message: string): string[] =>
    receiver.requests
      .map(({ body }) => JSON.parse(body))
      .filter((body) => body.message === message)
      .map((body) => body.chargeId);

  beforeAll(async () => {
    store = await openStore();
    service = withAnnouncer(onCleanup, store.service, onError);
    merchant = await seedMerchant(service);
    receiver = await startReceiver();
    await seedWebhook(service, merchant, { url: receiver.url, notificationVersion: '1.0' });
    const workers = await Promise.all(
      ['one', 'two'].map((name) =>
        startServiceWorker({ config: store.configFor(name), service, onError, jobs }),
      ),
    );
    return async () => {
      await Promise.all(workers.map((worker) => worker.stop()));
      await receiver.stop();
    };
  });

  test('tell the merchant of each change once, at once after its commit', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 21; n++) {
      const { id } = await seedCharge(service, merchant, { now: new Date() });
      await cancelCharge(service, {
        ...owner(merchant),
        id,
        by: 'merchant',
        actor: 'key:test',
        now: new Date(),
      });
      ids.push(id);
      await receiver.waitFor(() => told('charge_cancelled').includes(id));
    }
    await idle(service);
    expect(told('charge_cancelled').sort()).toEqual(ids.sort());
    expect(errors).toEqual([]);
  });

  test('make a file soon after it was asked for', async () => {
    const caller = toOwnerCaller(merchant);
    const input = { kind: 'charges', where: {} } as const;
    const { id } = await createExport(service, { caller, input, now: new Date() });
    const done = () => service.prisma.export.findFirst({ where: { id, status: 'completed' } });
    await expect.poll(done).not.toBeNull();
    expect(errors).toEqual([]);
  });

  test('expire due charges, each once', async () => {
    const created = minutesAfter(new Date(), -60);
    const ids = await Promise.all(
      Array.from({ length: 30 }, async (_, n) => {
        const input = { notifyPayload: `order ${n}` };
        return (await seedCharge(service, merchant, { input, now: created })).id;
      }),
    );
    await receiver.waitFor(() => told('charge_expired').length >= ids.length, 20_000);
    await idle(service);
    expect(told('charge_expired').sort()).toEqual(ids.sort());
    expect(errors).toEqual([]);
  });
});

/** Those that stand by look by themselves once in five minutes: only being woken makes a test end in time. */
const jobs = serviceJobs.map((job) => (job.keepAlive ? { ...job, idleIntervalMs: 300_000 } : job));

function owner({ merchant }: NewMerchant): { merchantId: string; mode: 'live' } {
  return { merchantId: merchant.id, mode: 'live' };
}

test('The relay has what it makes delivered at once, also when all notices are lost', async () => {
  const store = await openPostgres(onCleanup);
  const { service } = store;
  const merchant = await seedMerchant(service);
  await using receiver = await startReceiver();
  await seedWebhook(service, merchant, { url: receiver.url, notificationVersion: '1.0' });
  const { hub, errors } = await startWorker(store, 'deaf', jobs);
  for (let n = 1; n <= 12; n++) {
    const { id } = await seedCharge(service, merchant, { now: new Date() });
    await cancelCharge(service, {
      ...owner(merchant),
      id,
      by: 'merchant',
      actor: 'key:test',
      now: new Date(),
    });
    hub.publish({ ...owner(merchant), objectId: id });
    await receiver.waitFor((requests) => requests.length >= n);
  }
  expect(errors).toEqual([]);
});

/** Waits until there is nothing left to relay or to deliver. */
async function idle(service: Service): Promise<void> {
  await expect
    .poll(async () => {
      const events = await service.prisma.event.count({ where: { relayedAt: null } });
      return events + (await service.prisma.notification.count({ where: { status: 'pending' } }));
    })
    .toBe(0);
}
