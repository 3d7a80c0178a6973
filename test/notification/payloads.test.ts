import { beforeAll, describe, expect, test } from 'vitest';
import type { NewMerchant } from '../../src/domain/accounts/merchant/create-merchant.ts';
import { cancelSession } from '../../src/domain/payments/session/cancel-session.ts';
import { expireSessions } from '../../src/domain/payments/session/expire-sessions.ts';
import { relayEvents } from '../../src/event/relay-events.ts';
import { systemClock } from '../../src/kit/clock.ts';
import { callApi } from '../setup/api.ts';
import { setupApp, type TestApp } from '../setup/app.ts';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import { deliverNotifications } from '../setup/deliver-notifications.ts';
import { createFakeClock } from '../setup/fake-clock.ts';
import { seedWebhook } from '../setup/notifications.ts';
import { type Receiver, startReceiver } from '../setup/receiver.ts';
import { minutesAfter, noon, seedMerchant } from '../setup/seed.ts';

const onCleanup = cleanupAfterFile();

/** A webhook of version 1.0 is told the documented object, as the API gives it to who asks. */

let app: TestApp;
let merchant: NewMerchant;
let receiver: Receiver;
const clock = createFakeClock(noon);
const weekAfter = minutesAfter(noon, 7 * 24 * 60 + 1);

beforeAll(async () => {
  app = await setupApp(onCleanup, { clock });
  merchant = await seedMerchant(app.context.service);
  receiver = await startReceiver();
  onCleanup(() => receiver.stop());
  await seedWebhook(app.context.service, merchant, {
    url: `${receiver.url}/hooks`,
    notificationVersion: '1.0',
  });
});

const call = async (method: 'GET' | 'POST', url: string, body?: object) =>
  (await callApi(app.app, { method, url, keys: merchant.keys.live, body })).json;

/** The messages that the webhook received about an object, with the payload without the members that every event adds. */
async function receivedAbout(id: string): Promise<{ message: string; payload: object }[]> {
  const { service } = app.context;
  await relayEvents(service, { now: new Date() });
  await deliverNotifications(service, { clock: systemClock });
  const bodies = receiver.requests.map(({ body }) => JSON.parse(body));
  return bodies
    .filter(({ payload }) => [payload.sessionId, payload.transferId].includes(id))
    .map(({ message, eventId, timestamp, payload: sent }) => {
      const { mode, eventType, eventId: id, timestamp: time, ...payload } = sent;
      expect([mode, eventType, id, time]).toEqual(['live', message, eventId, timestamp]);
      return { message, payload };
    });
}

describe('a session', () => {
  const beside = (id: string) => ({ sessionId: id, merchantId: merchant.merchant.id });

  test('is told as GET /sessions/{id} gives it, so that a shop finds its order', async () => {
    const { id } = await call('POST', '/sessions', {
      amount: 128.5,
      currency: 'HKD',
      orders: [{ id: 'o-1', name: 'Oolong', quantity: 1 }],
      methods: ['paynow', 'fps'],
      notifyUrl: 'https://shop.example/notify',
      notifyPayload: 'order-4711',
      redirectUrl: 'https://shop.example/thanks',
      customer: { email: 'ada@example.com', phone: { code: '+852', phone: '51234567' }, firstName: 'Ada' },
    });
    await cancelSession(app.context.service, { id, actor: 'customer', now: clock.now() });
    const shown = await call('GET', `/sessions/${id}`);
    expect(shown).toMatchObject({ status: 'cancelled', notifyPayload: 'order-4711' });
    expect(await receivedAbout(id)).toEqual([
      { message: 'session_cancelled', payload: { ...beside(id), ...shown } },
    ]);
  });

  test('that expires too, whoever’s others expire with it', async () => {
    const other = await seedMerchant(app.context.service, { demoAccounts: false });
    const bare = await callApi(app.app, {
      method: 'POST',
      url: '/sessions',
      keys: other.keys.sandbox,
      body: { amount: 5, currency: 'HKD' },
    });
    const { id } = await call('POST', '/sessions', { amount: 5, currency: 'HKD', methods: ['fps'] });
    clock.set(weekAfter);
    expect(await expireSessions(app.context.service, { now: weekAfter })).toBe(2);
    const shown = await call('GET', `/sessions/${id}`);
    expect(shown).toMatchObject({ status: 'expired', methods: ['fps'] });
    expect(await receivedAbout(id)).toEqual([
      { message: 'session_expired', payload: { ...beside(id), ...shown } },
    ]);
    const event = await app.context.service.prisma.event.findFirstOrThrow({
      where: { objectId: bare.json.id, type: 'session_expired' },
    });
    expect(JSON.parse(event.payload).methods).toEqual(bare.json.methods);
    clock.set(noon);
  });
});

test('a transfer that waits is told as it was recorded, with the payer’s name', async () => {
  const { id: receivingAccountId } = await app.context.service.prisma.receivingAccount.findFirstOrThrow({
    where: { merchantId: merchant.merchant.id, mode: 'live', method: 'fps' },
  });
  const item = {
    ...{ id: 'bank-1', receivingAccountId, amount: 128.5, currency: 'HKD', reference: 'for the tea' },
    ...{ payerName: 'Ada Lovelace', paidAt: noon.toISOString() },
  };
  const { transfers } = await call('POST', '/transfers', { transfers: [item] });
  const [{ transferId, status, reason }] = transfers;
  expect([status, reason]).toEqual(['exception', 'missing_reference']);
  expect(await receivedAbout(transferId)).toEqual([
    {
      message: 'transfer_exception',
      payload: { ...item, transferId, merchantId: merchant.merchant.id, status, reason },
    },
  ]);
});
