import { readFileSync } from 'node:fs';
import { describe, expect } from 'vitest';
import type { NewMerchant } from '../../src/domain/accounts/merchant/create-merchant.ts';
import { sendTestNotification } from '../../src/domain/accounts/notification/send-test-notification.ts';
import { renewSubscriptions } from '../../src/domain/billing/collection/renew-subscriptions.ts';
import { cancelSubscription } from '../../src/domain/billing/subscription/cancel-subscription.ts';
import { cancelSession } from '../../src/domain/payments/session/cancel-session.ts';
import { expireSessions } from '../../src/domain/payments/session/expire-sessions.ts';
import type { Service } from '../../src/domain/platform/service.ts';
import { relayEvents } from '../../src/event/relay-events.ts';
import { systemClock } from '../../src/kit/clock.ts';
import { toNotificationBody } from '../../src/notification/notification-body.ts';
import { callApi } from '../setup/api.ts';
import type { TestApp } from '../setup/app.ts';
import { appTest } from '../setup/app-fixtures.ts';
import { checkNotification } from '../setup/check-notification.ts';
import { deliverNotifications } from '../setup/deliver-notifications.ts';
import { seedWebhook } from '../setup/notifications.ts';
import { startReceiver, type TestReceiver } from '../setup/receiver.ts';
import { day, minutesAfter, noon, seedMerchant } from '../setup/seed.ts';
import { completeCharge, readCharges, seedPlan, seedSubscription } from '../setup/subscriptions.ts';

const event = {
  id: 'ev_1',
  merchantId: 'mer_1',
  type: 'CHARGE_COMPLETE',
  objectId: 'ch_1',
  objectVersion: 2,
  payload: '{"chargeId":"ch_1","merchantAmount":128.5,"notifyPayload":"Zür\\u0041\\"ich"}',
  createdAt: new Date(noon.getTime() + 45),
} as const;

const test = appTest.extend('receiver', async ({ service, merchant }, { onCleanup }) => {
  const receiver = await startReceiver();
  onCleanup(() => receiver.stop());
  await seedWebhook(service, merchant, { url: `${receiver.url}/hooks`, notificationVersion: '1.0' });
  return receiver;
});

const weekAfter = minutesAfter(noon, 7 * 24 * 60 + 1);

const call = async (
  app: TestApp,
  merchant: NewMerchant,
  method: 'GET' | 'POST',
  url: string,
  body?: object,
) => (await callApi(app.app, { method, url, keys: merchant.keys.live, body })).json;

/** Lists the messages received about an object, without the payload members that every event has. */
async function listReceived(
  app: TestApp,
  receiver: TestReceiver,
  id: string,
): Promise<{ message: string; payload: object }[]> {
  const { service } = app.context;
  await relayEvents(service, { now: new Date() });
  await deliverNotifications(service, { clock: systemClock });
  const bodies = receiver.requests.map(({ body }) => JSON.parse(body));
  for (const { body } of receiver.requests) await checkNotification(body);
  return bodies
    .filter(({ payload }) => [payload.sessionId, payload.id].includes(id))
    .map(({ message, eventId, timestamp, payload: sent }) => {
      const { mode, eventType, eventId: id, timestamp: time, ...payload } = sent;
      expect([mode, eventType, id, time]).toEqual(['live', message, eventId, timestamp]);
      return { message, payload };
    });
}

type Received = { step: string; body: unknown };

/** Replaces IDs by numbers such as `<sub 1>`, and removes what differs between runs. */
function createMask(): (text: string) => string {
  const numbers = new Map<string, string>();
  const counts = new Map<string, number>();
  return (text) =>
    text
      .replaceAll(/http:\/\/[^"]*\/pay\/invoice\/(in_\w+)[^"]*/g, 'https://…/pay/invoice/$1…')
      .replaceAll(/"qrCode":"[^"]+"/g, '"qrCode":"…"')
      .replaceAll(/"nonce":"[A-Z]{4}[2-9]{5}[A-Z]"/g, '"nonce":"…"')
      .replaceAll(/\b(mer|sub|pl|ch|in|ev|cus)_[0-9a-z]{20,}/g, (id, kind: string) => {
        if (!numbers.has(id)) {
          counts.set(kind, (counts.get(kind) ?? 0) + 1);
          numbers.set(id, `<${kind} ${counts.get(kind)}>`);
        }
        return numbers.get(id)!;
      });
}

/** Runs a step at a time and records the notifications that it causes. */
function createRecorder(
  service: Service,
  receiver: TestReceiver,
  received: Received[],
  mask: (text: string) => string,
) {
  return async <Result>(step: string, now: Date, work: () => Promise<Result>): Promise<Result> => {
    const before = receiver.requests.length;
    const result = await work();
    await relayEvents(service, { now });
    await deliverNotifications(service, { clock: { now: () => now } });
    for (const { body, headers } of receiver.requests.slice(before)) {
      expect(headers['webhook-id']).toBe(JSON.parse(body).eventId);
      await checkNotification(body);
      received.push({ step, body: JSON.parse(mask(body)) });
    }
    return result;
  };
}

describe('notification body', () => {
  test('has the documented members, and the payload as the stored text', () => {
    expect(toNotificationBody(event, { version: '0.9' })).toBe(
      '{"merchantId":"mer_1","timestamp":1794916800.045,"eventId":"ev_1","notificationVersion":"0.9",' +
        '"objectVersion":2,"chargeId":"ch_1","message":"CHARGE_COMPLETE","payload":' +
        '{"chargeId":"ch_1","merchantAmount":128.5,"notifyPayload":"Zür\\u0041\\"ich"}}',
    );
  });

  test('of a callback has the signature last', () => {
    const body = toNotificationBody(event, { version: '0.9', signature: 'c2lnbmVk' });
    expect(Object.keys(JSON.parse(body)).at(-1)).toBe('signature');
    expect(JSON.parse(body).signature).toBe('c2lnbmVk');
  });

  test('has a timestamp with a fraction, even at a full second', () => {
    const body = toNotificationBody({ ...event, createdAt: noon }, { version: '0.9' });
    expect(body).toContain('"timestamp":1794916800.000,');
    expect(JSON.parse(body).timestamp).toBe(noon.getTime() / 1_000);
  });

  test('has no chargeId at the top level for messages of other objects', () => {
    const body = toNotificationBody(
      { ...event, type: 'session_expired', objectId: 'ses_1' },
      { version: '1.0' },
    );
    expect(JSON.parse(body)).not.toHaveProperty('chargeId');
  });
});

describe('a session', () => {
  const eventMembers = (merchant: NewMerchant, id: string) => ({
    sessionId: id,
    merchantId: merchant.merchant.id,
  });

  test('has the members of GET /sessions/{id} in its notifications, so that a shop finds its order', async ({
    app,
    clock,
    receiver,
    merchant,
  }) => {
    const { id } = await call(app, merchant, 'POST', '/sessions', {
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
    const shown = await call(app, merchant, 'GET', `/sessions/${id}`);
    expect(shown).toMatchObject({ status: 'cancelled', notifyPayload: 'order-4711' });
    expect(await listReceived(app, receiver, id)).toEqual([
      { message: 'session_cancelled', payload: { ...eventMembers(merchant, id), ...shown } },
    ]);
  });

  test('has them too when it expires together with sessions of others', async ({
    app,
    clock,
    receiver,
    merchant,
  }) => {
    const other = await seedMerchant(app.context.service, { hasDemoAccounts: false });
    const bare = await callApi(app.app, {
      method: 'POST',
      url: '/sessions',
      keys: other.keys.sandbox,
      body: { amount: 5, currency: 'HKD' },
    });
    const { id } = await call(app, merchant, 'POST', '/sessions', {
      amount: 5,
      currency: 'HKD',
      methods: ['fps'],
    });
    clock.set(weekAfter);
    expect(await expireSessions(app.context.service, { now: weekAfter })).toBe(2);
    const shown = await call(app, merchant, 'GET', `/sessions/${id}`);
    expect(shown).toMatchObject({ status: 'expired', methods: ['fps'] });
    expect(await listReceived(app, receiver, id)).toEqual([
      { message: 'session_expired', payload: { ...eventMembers(merchant, id), ...shown } },
    ]);
    const event = await app.context.service.prisma.event.findFirstOrThrow({
      where: { objectId: bare.json.id, type: 'session_expired' },
    });
    expect(JSON.parse(event.payload).methods).toEqual(bare.json.methods);
    clock.set(noon);
  });
});

test('an unmatched transfer is sent as it was recorded, with the payer’s name', async ({
  app,
  receiver,
  merchant,
}) => {
  const { id: receivingAccountId } = await app.context.service.prisma.receivingAccount.findFirstOrThrow({
    where: { merchantId: merchant.merchant.id, mode: 'live', method: 'fps' },
  });
  const item = {
    ...{ receivingAccountId, amount: 128.5, currency: 'HKD', reference: 'for the tea' },
    ...{ payerName: 'Ada Lovelace', paidAt: noon.toISOString() },
  };
  const { transfers } = await call(app, merchant, 'POST', '/transfers', {
    transfers: [{ id: 'bank-1', ...item }],
  });
  const [{ transferId: id, status, reason }] = transfers;
  expect([status, reason]).toEqual(['exception', 'missing_reference']);
  expect(await listReceived(app, receiver, id)).toEqual([
    {
      message: 'transfer_exception',
      payload: { id, bankReference: 'bank-1', ...item, merchantId: merchant.merchant.id, status, reason },
    },
  ]);
});

test('a test notification has every member that the OpenAPI document requires', async ({
  app,
  receiver,
  merchant,
}) => {
  const { service } = app.context;
  await sendTestNotification(service, {
    ...{ merchantId: merchant.merchant.id, mode: 'live', actor: 'user:test', now: new Date() },
  });
  await deliverNotifications(service, { clock: systemClock });
  const { body } = receiver.requests[0]!;
  expect(JSON.parse(body).message).toBe('CHARGE_COMPLETE');
  await checkNotification(body);
});

describe('subscription', () => {
  test('sends the golden notifications from enrolment to cancellation, and to the last payment of a plan', async ({
    service,
    merchant,
  }) => {
    const { id: merchantId } = merchant.merchant;
    await using receiver = await startReceiver();
    // One at a time, so that they arrive in order.
    await seedWebhook(service, merchant, { url: `${receiver.url}/hooks`, concurrency: 1 });
    const received: Received[] = [];
    const record = createRecorder(service, receiver, received, createMask());
    const plan = await seedPlan(service, merchant, { now: day('2026-01-31') });
    const pay = async (id: string, now: Date) =>
      completeCharge(
        service,
        (await readCharges(service, id)).findLast(({ status }) => status === 'pending')!,
        now,
      );
    const renew = (now: Date) => renewSubscriptions(service, { now });

    const start = day('2026-01-31');
    const { subscription } = await record('enrols', start, () =>
      seedSubscription(service, merchant, { plan, now: start }),
    );
    const { id } = subscription;
    await record('pays', day('2026-02-01'), () => pay(id, day('2026-02-01')));
    await record('invoice due', day('2026-02-27'), () => renew(day('2026-02-27')));
    await record('pays the invoice', day('2026-02-28'), () => pay(id, day('2026-02-28')));
    await record('second invoice due', day('2026-03-30'), () => renew(day('2026-03-30')));
    await record('grace over', day('2026-04-02'), () => renew(day('2026-04-02')));
    await record('pays late', day('2026-04-02'), () => pay(id, day('2026-04-02')));
    await record('cancels', day('2026-04-03'), () =>
      cancelSubscription(service, {
        merchantId,
        mode: 'live',
        id,
        actor: 'customer',
        now: day('2026-04-03'),
      }),
    );
    const once = await seedPlan(service, merchant, { input: { numPayments: 1 }, now: start });
    const last = await record('enrols for one payment', start, () =>
      seedSubscription(service, merchant, { plan: once, email: 'bo@example.com', now: start }),
    );
    await record('pays all', day('2026-02-01'), () => pay(last.subscription.id, day('2026-02-01')));

    expect(received.map(({ step, body }) => `${step}: ${(body as { message: string }).message}`)).toEqual([
      'enrols: subscription_created',
      'enrols: charge_created',
      'pays: CHARGE_COMPLETE',
      'pays: charge_completed',
      'pays: subscription_paid',
      'invoice due: charge_created',
      'invoice due: subscription_invoice_due',
      'pays the invoice: CHARGE_COMPLETE',
      'pays the invoice: charge_completed',
      'pays the invoice: subscription_paid',
      'second invoice due: charge_created',
      'second invoice due: subscription_invoice_due',
      'grace over: subscription_paused',
      'pays late: CHARGE_COMPLETE',
      'pays late: charge_completed',
      'pays late: subscription_paid',
      'cancels: subscription_cancelled',
      'enrols for one payment: subscription_created',
      'enrols for one payment: charge_created',
      'pays all: CHARGE_COMPLETE',
      'pays all: charge_completed',
      'pays all: subscription_paid',
      'pays all: subscription_completed',
    ]);
    const golden = new URL('golden/subscription-webhooks.json', import.meta.url);
    expect(received).toEqual(JSON.parse(readFileSync(golden, 'utf8')));
  });
});
