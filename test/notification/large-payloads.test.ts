import { expect, onTestFinished } from 'vitest';
import { relayEvents } from '../../src/event/relay-events.ts';
import { systemClock } from '../../src/kit/clock.ts';
import { startDeliverer } from '../../src/notification/start-deliverer.ts';
import { serviceTest as test } from '../setup/fixtures.ts';
import { seedEvent, seedWebhook } from '../setup/notifications.ts';
import { neverRespond, startReceiver } from '../setup/receiver.ts';
import { seedMerchant } from '../setup/seed.ts';

const megabytePayload = { filler: 'x'.repeat(1_024 * 1_024) };

test('large payloads to endpoints that never respond occupy 64 MiB at most, and delay no other merchant', async ({
  service,
  merchant,
}) => {
  await using silent = await startReceiver(neverRespond());
  await using healthy = await startReceiver();
  for (let i = 0; i < 20; i++) await seedWebhook(service, merchant, { url: `${silent.url}/${i}` });
  for (let i = 0; i < 10; i++) await seedEvent(service, merchant, { payload: megabytePayload });
  await relayEvents(service, { now: new Date() });
  const other = await seedMerchant(service);
  await seedWebhook(service, other, { url: healthy.url });
  await seedEvent(service, other, { payload: megabytePayload });
  await relayEvents(service, { now: new Date() });
  const deliverer = startDeliverer(service, { clock: systemClock, onError: console.error });
  onTestFinished(() => deliverer.stop());
  void deliverer.deliver();
  await healthy.waitFor((requests) => requests.length === 1);
  await silent.waitFor((requests) => requests.length >= 63);

  await seedEvent(service, other);
  await relayEvents(service, { now: new Date() });
  void deliverer.deliver();
  await healthy.waitFor((requests) => requests.length === 2);
  const where = { merchantId: merchant.merchant.id, leasedUntil: { not: null } };
  expect(await service.prisma.notification.count({ where })).toBeLessThanOrEqual(64);
  await silent.stop();
});
