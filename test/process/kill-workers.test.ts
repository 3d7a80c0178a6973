import { randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { beforeAll, expect, test } from 'vitest';
import type { NewMerchant } from '../../src/domain/accounts/merchant/create-merchant.ts';
import type { Service } from '../../src/domain/platform/service.ts';
import type { JobStoreConfig } from '../../src/jobs/job-store.ts';
import { isUnavailable } from '../../src/kit/unavailable.ts';
import { describeStores } from '../jobs/stores.ts';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import { count, isLongRun } from '../setup/counts.ts';
import { expectInvariants } from '../setup/invariants.ts';
import { expireLeases, seedWebhook } from '../setup/notifications.ts';
import { type ReceivedRequest, type Receiver, startReceiver } from '../setup/receiver.ts';
import { seedCharge, seedMerchant } from '../setup/seed.ts';
import { withAnnouncer } from '../setup/service.ts';
import { payCharge } from '../setup/transfers.ts';
import { waitUntilZero } from '../setup/wait.ts';
import { onDatabase } from './on-database.ts';
import { runService, type ServiceProcess } from './run-service.ts';

const onCleanup = cleanupAfterFile();

const charges = count(30, 10_000);
const kills = count(1, 20);
const payers = 6;
const workers = 2;

describeStores(onCleanup, `While workers are killed ${kills} times`, (openStore) => {
  let service: Service;
  let merchant: NewMerchant;
  let receiver: Receiver;
  let config: JobStoreConfig;
  const running: ServiceProcess[] = [];

  beforeAll(async () => {
    const store = await openStore();
    config = store.configFor('unused');
    service = withAnnouncer(onCleanup, store.service);
    merchant = await seedMerchant(service, {}, new Date());
    // Slow enough to be killed in the midst of.
    receiver = await startReceiver((_, response) => void setTimeout(() => response.end(), randomInt(40)));
    await seedWebhook(service, merchant, { url: receiver.url, notificationVersion: '1.0' });
    onCleanup(async () => {
      await Promise.all(running.map((worker) => worker.end('SIGKILL')));
      await receiver.stop();
    });
  });

  function startWorker(place: number): void {
    const { connectionString, mongodbUrl } = config;
    const env = { ...onDatabase(connectionString), ...(mongodbUrl && { MONGODB_URL: mongodbUrl }) };
    running[place] = runService({ ...env, ROLE: 'worker' });
  }

  /** In two parts, so that every charge has events to be put in order. */
  async function payAll(turn: { paid: number; killing: boolean }): Promise<void> {
    while (turn.paid < charges || turn.killing) {
      const input = { notifyPayload: `order ${turn.paid++}` };
      const charge = await untilAvailable(() => seedCharge(service, merchant, { input, now: new Date() }));
      for (const minor of [10_000n, 2_850n]) {
        await untilAvailable(() => payCharge(service, merchant, charge, { minor }));
      }
    }
  }

  async function killSome(): Promise<void> {
    for (let kill = 0; kill < kills; kill++) {
      const place = kill % workers;
      await running[place]!.ready();
      const before = receiver.requests.length;
      await waitUntilZero(() => before + 6 - receiver.requests.length, 'deliveries before the next kill');
      await delay(randomInt(300));
      await running[place]!.end('SIGKILL');
      startWorker(place);
    }
  }

  /** Time passes for the dead: in the short run for the living as well, whose claims then run out too. */
  async function outliveClaims(): Promise<void> {
    if (isLongRun) await Promise.all(running.map((worker) => worker.end('SIGKILL')));
    await expireLeases(service);
    if (isLongRun) for (let place = 0; place < workers; place++) startWorker(place);
  }

  test(
    `every event of ${charges} charges and more arrives; repeats are the same, and versions order the events of a charge`,
    async () => {
      for (let place = 0; place < workers; place++) startWorker(place);
      const turn = { paid: 0, killing: true };
      const killing = killSome().finally(() => {
        turn.killing = false;
      });
      await Promise.all([killing, ...Array.from({ length: payers }, () => payAll(turn))]);
      await outliveClaims();
      const events = await service.prisma.event.findMany({
        where: { type: { in: ['charge_part_paid', 'CHARGE_COMPLETE'] } },
        orderBy: { objectVersion: 'asc' },
      });
      expect(turn.paid).toBeGreaterThanOrEqual(charges);
      expect(events).toHaveLength(2 * turn.paid);
      const missing = new Set(events.map(({ id }) => id));
      let seen = 0;
      const countMissing = () => {
        for (; seen < receiver.requests.length; seen++)
          missing.delete(receiver.requests[seen]!.headers['webhook-id'] as string);
        return missing.size;
      };
      await waitUntilZero(countMissing, 'events not delivered');

      for (const [id, copies] of byWebhookId(receiver.requests)) {
        const [first] = copies;
        expect(JSON.parse(first!.body).eventId).toBe(id);
        expect(copies.every(({ raw }) => raw.equals(first!.raw))).toBe(true);
      }
      const told = ordered(receiver.requests);
      expect(told.size).toBe(turn.paid);
      for (const messages of told.values()) expect(messages).toEqual(['charge_part_paid', 'CHARGE_COMPLETE']);
      const countPending = () => service.prisma.notification.count({ where: { status: 'pending' } });
      await waitUntilZero(countPending, 'deliveries not recorded');
      await expectInvariants(service);
    },
    // No measure of time: what does not go on is told of before.
    count(300_000, 4 * 3_600_000),
  );
});

/** Asks again, as a client does, while a busy machine has no connection or time for it. */
async function untilAvailable<T>(ask: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (!isUnavailable(error)) throw error;
    }
  }
}

function byWebhookId(requests: readonly ReceivedRequest[]): Map<string, ReceivedRequest[]> {
  return Map.groupBy(requests, ({ headers }) => headers['webhook-id'] as string);
}

/** What a receiver makes of all that came, in whatever order: of each charge its messages by version, each once. */
function ordered(requests: readonly ReceivedRequest[]): Map<string, string[]> {
  const bodies = [...byWebhookId(requests).values()].map(([request]) => JSON.parse(request!.body));
  const ofCharges = Map.groupBy(bodies, ({ chargeId }) => chargeId as string);
  return new Map(
    [...ofCharges].map(([chargeId, told]) => [
      chargeId,
      told.toSorted((a, b) => a.objectVersion - b.objectVersion).map(({ message }) => message as string),
    ]),
  );
}
