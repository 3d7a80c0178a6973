import { beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { NewMerchant } from '../../src/domain/accounts/merchant/create-merchant.ts';
import { relayEvents } from '../../src/event/relay-events.ts';
import { systemClock } from '../../src/kit/clock.ts';
import { startDeliverer } from '../../src/notification/start-deliverer.ts';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import { deliverNotifications } from '../setup/deliver-notifications.ts';
import { createFakeClock } from '../setup/fake-clock.ts';
import { seedEvent, seedWebhook } from '../setup/notifications.ts';
import { neverRespond, type ReceivedRequest, startReceiver } from '../setup/receiver.ts';
import { seedMerchant } from '../setup/seed.ts';
import { connectOtherProcess, type ServiceOnDatabase, setupService } from '../setup/service.ts';

const onCleanup = cleanupAfterFile();

let service: ServiceOnDatabase;
let merchant: NewMerchant;

beforeAll(async () => {
  service = await setupService(onCleanup);
});

beforeEach(async () => {
  merchant = await seedMerchant(service);
});

/** Events of objects of this test's own, relayed together in the order given, such as `a1 a2 b1`. */
async function happen(events: string): Promise<void> {
  for (const event of events.split(' ')) {
    const objectVersion = Number(event.slice(1));
    await seedEvent(service, merchant, { objectId: idOf(event), objectVersion, now: new Date() });
  }
  await relayEvents(service, { now: new Date() });
}
const idOf = (event: string) => `ch_${event[0]}_${merchant.merchant.id}`;

/** The events that requests are about, as above. */
const names = (requests: readonly ReceivedRequest[]) =>
  requests.map(({ body }) => {
    const { chargeId, objectVersion } = JSON.parse(body);
    return `${chargeId[3]}${objectVersion}`;
  });

function worker(on: ServiceOnDatabase) {
  const deliverer = startDeliverer(on, { clock: systemClock, onError: console.error });
  onTestFinished(deliverer.stop);
  return deliverer;
}

describe('first attempts about one object', () => {
  test('begin one after the other for an endpoint, over all workers, and delay no other object', async () => {
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
    await using receiver = await startReceiver(async (request, response) => {
      if (names([request])[0] === 'a1') await answered;
      response.end();
    });
    await seedWebhook(service, merchant, { url: receiver.url });
    await happen('a1 a2 b1 a3 b2');
    const workers = [worker(service), worker(connectOtherProcess(onCleanup, service))];
    const done = workers.map(({ deliver }) => deliver());
    await receiver.waitFor((requests) => names(requests).includes('b2'));
    expect(names(receiver.requests).toSorted()).toEqual(['a1', 'b1', 'b2']);
    answer();
    await receiver.waitFor(({ length }) => length === 5);
    expect(names(receiver.requests).filter((name) => name.startsWith('a'))).toEqual(['a1', 'a2', 'a3']);
    await Promise.all(done);
  });

  test('arrive in the order of their versions, with many workers at once', async () => {
    await using receiver = await startReceiver((_, response) => void setTimeout(() => response.end(), 2));
    await seedWebhook(service, merchant, { url: receiver.url });
    const versions = Array.from({ length: 6 }, (_, i) => i + 1);
    const objects = ['a', 'b', 'c', 'd', 'e'];
    await happen(versions.flatMap((version) => objects.map((object) => `${object}${version}`)).join(' '));
    const workers = [
      service,
      connectOtherProcess(onCleanup, service),
      connectOtherProcess(onCleanup, service),
    ].map(worker);
    const poll = setInterval(() => {
      for (const { deliver } of workers) void deliver();
    }, 10);
    onTestFinished(() => clearInterval(poll));
    await receiver.waitFor(({ length }) => length === 30);
    for (const object of objects) {
      const ofObject = names(receiver.requests).filter((name) => name.startsWith(object));
      expect(ofObject).toEqual(versions.map((version) => `${object}${version}`));
    }
  });

  test('wait for no other endpoint', async () => {
    await using dead = await startReceiver(neverRespond());
    await using healthy = await startReceiver();
    await seedWebhook(service, merchant, { url: dead.url });
    await seedWebhook(service, merchant, { url: healthy.url });
    await happen('a1 a2 a3');
    const done = worker(service).deliver();
    await healthy.waitFor(({ length }) => length === 3);
    expect(names(dead.requests)).toEqual(['a1']);
    await dead.stop();
    await done;
  });
});

describe('a retry', () => {
  const clock = createFakeClock(new Date());

  test('that waits for its time delays neither later events of its object nor other objects', async () => {
    await using receiver = await startReceiver((request, response) => {
      response.writeHead(names([request])[0] === 'a1' ? 503 : 200).end();
    });
    await seedWebhook(service, merchant, { url: receiver.url });
    await happen('a1 a2 b1');
    clock.set(new Date());
    await deliverNotifications(service, { clock });
    expect(names(receiver.requests).toSorted()).toEqual(['a1', 'a2', 'b1']);
    const where = { merchantId: merchant.merchant.id, status: 'pending' as const };
    expect(await service.prisma.notification.findMany({ where, include: { event: true } })).toMatchObject([
      { attemptCount: 1, event: { objectId: idOf('a1'), objectVersion: 1 } },
    ]);
  });

  test('that is running delays neither later events of its object nor other objects', async () => {
    await using receiver = await startReceiver((request, response) => {
      if (request.index === 0) response.writeHead(503).end();
      else if (names([request])[0] !== 'a1') response.end();
    });
    await seedWebhook(service, merchant, { url: receiver.url });
    await happen('a1');
    clock.set(new Date());
    await deliverNotifications(service, { clock });
    clock.advance(10_000);
    const { deliver, stop } = startDeliverer(service, { clock, onError: console.error });
    onTestFinished(stop);
    const done = deliver();
    await receiver.waitFor(({ length }) => length === 2);
    await happen('a2 b1');
    void deliver();
    await receiver.waitFor(({ length }) => length === 4);
    expect(names(receiver.requests).slice(2).toSorted()).toEqual(['a2', 'b1']);
    await receiver.stop();
    await done;
  });
});
