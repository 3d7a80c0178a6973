import { beforeAll, expect, onTestFinished, test } from 'vitest';
import type { Service } from '../../src/domain/platform/service.ts';
import { systemClock } from '../../src/kit/clock.ts';
import { startDeliverer } from '../../src/notification/start-deliverer.ts';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import { seedDueNotifications, seedWebhook } from '../setup/notifications.ts';
import { neverRespond, startReceiver } from '../setup/receiver.ts';
import { seedMerchant } from '../setup/seed.ts';
import { setupService } from '../setup/service.ts';

const onCleanup = cleanupAfterFile();

/** Endpoints that have not failed but are slow, more of them than a worker has slots. */

let service: Service;

beforeAll(async () => {
  service = await setupService(onCleanup);
});

function worker(concurrency: number) {
  const started = startDeliverer(service, { clock: systemClock, concurrency, onError: console.error });
  onTestFinished(started.stop);
  return started;
}

test('slow endpoints of one merchant, however many, leave a quarter of the slots to other merchants', async () => {
  await using slow = await startReceiver(neverRespond());
  await using healthy = await startReceiver();
  const [one, other] = [await seedMerchant(service), await seedMerchant(service)];
  for (let i = 0; i < 12; i++) await seedWebhook(service, one, { url: `${slow.url}/${i}` });
  await seedDueNotifications(service, one, 2);
  const { deliver } = worker(8);
  void deliver();
  await slow.waitFor((requests) => requests.length === 6);
  await seedWebhook(service, other, { url: healthy.url });
  await seedDueNotifications(service, other, 5);
  void deliver();
  await healthy.waitFor((requests) => requests.length === 5);
  expect(slow.requests).toHaveLength(6);
  await slow.stop();
});

test('degraded endpoints get half of the slots and leave the rest to the merchant’s own that work', async () => {
  const firstWave = 5;
  await using slow = await startReceiver((request, response) => {
    if (request.index < firstWave) setTimeout(() => response.end(), 1_100);
  });
  await using healthy = await startReceiver();
  const merchant = await seedMerchant(service);
  for (let i = 0; i < 6; i++) {
    await seedWebhook(service, merchant, { url: `${slow.url}/${i}`, concurrency: 1 });
  }
  await seedDueNotifications(service, merchant, 3);
  await seedWebhook(service, merchant, { url: healthy.url });
  await seedDueNotifications(service, merchant, 5);
  void worker(6).deliver();
  await healthy.waitFor((requests) => requests.length === 5);
  // Half of the six, and the one that was not known yet.
  expect(slow.requests.length).toBeLessThanOrEqual(firstWave + 3 + 1);
  await slow.stop();
});
