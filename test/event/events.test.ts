import fc from 'fast-check';
import { describe, expect, onTestFinished } from 'vitest';
import type { NewMerchant } from '../../src/domain/accounts/merchant/create-merchant.ts';
import { completeSandboxCharge } from '../../src/domain/money-in/transfer/complete-sandbox-charge.ts';
import {
  type EventType,
  eventTypes,
  type NotificationVersion,
  notificationVersions,
} from '../../src/event/catalog.ts';
import { orderEvents, relayEvents } from '../../src/event/relay-events.ts';
import { newEventId } from '../../src/kit/id.ts';
import { count } from '../setup/counts.ts';
import { serviceTest as test } from '../setup/fixtures.ts';
import { seedEvent, seedWebhook } from '../setup/notifications.ts';
import { minutesAfter, noon, seedCharge, seedMerchant } from '../setup/seed.ts';
import { connectOtherProcess, type ServiceOnDatabase } from '../setup/service.ts';
import { seedActiveSubscription, seedPlan } from '../setup/subscriptions.ts';

const now = minutesAfter(noon, 1);

async function listNotifications(service: ServiceOnDatabase, event: { id: string }) {
  const rows = await service.prisma.notification.findMany({
    where: { eventId: event.id },
    orderBy: { id: 'asc' },
  });
  return rows.map(({ kind, webhookId, url, status }) => ({ kind, webhookId, url, status }));
}

const subscriptionMessages: EventType[] = [
  'subscription_created',
  'subscription_invoice_due',
  'subscription_paid',
  'subscription_paused',
  'subscription_cancelled',
  'subscription_completed',
];

/** Records an event of each type, and returns the types that the webhook receives. */
async function listReceivedTypes(
  service: ServiceOnDatabase,
  webhook: { notificationVersion: NotificationVersion; eventTypes?: EventType[] },
  payload: object = {},
): Promise<string[]> {
  const shop = await seedMerchant(service);
  await seedWebhook(service, shop, webhook);
  for (const message of Object.keys(eventTypes) as EventType[]) {
    await seedEvent(service, shop, { type: message, payload: { ...payload, note: '"subscriptionId"' } });
  }
  await relayEvents(service, { now });
  const rows = await service.prisma.notification.findMany({
    where: { merchantId: shop.merchant.id },
    include: { event: true },
  });
  return rows.map(({ event }) => event.type).sort();
}

/** Expects numbers from 1 without gaps for each merchant and mode, in the order of each object's versions. */
async function expectNumbered(service: ServiceOnDatabase, shops: NewMerchant[]): Promise<void> {
  for (const { merchant } of shops) {
    for (const mode of ['live', 'sandbox'] as const) {
      const where = { merchantId: merchant.id, mode };
      const events = await service.prisma.event.findMany({ where, orderBy: { sequence: 'asc' } });
      expect(events.map(({ sequence }) => Number(sequence))).toEqual(events.map((_, i) => i + 1));
      const counter = await service.prisma.eventCounter.findUnique({ where: { merchantId_mode: where } });
      expect(Number(counter?.last ?? 0n)).toBe(events.length);
      for (const ofObject of Map.groupBy(events, ({ objectId }) => objectId).values()) {
        const versions = ofObject.map(({ objectVersion }) => objectVersion);
        expect(versions).toEqual(versions.toSorted((a, b) => a - b));
      }
    }
  }
}

const event = (id: string, objectId: string, objectVersion: number) => ({ id, objectId, objectVersion });

describe('the relay', () => {
  test('creates a notification for each webhook of the merchant and mode, and for the callback', async ({
    service,
    merchant,
  }) => {
    const first = await seedWebhook(service, merchant, { url: 'https://a.example/' });
    const second = await seedWebhook(service, merchant, { url: 'https://b.example/' });
    await seedWebhook(service, merchant, { mode: 'sandbox' });
    await seedWebhook(service, await seedMerchant(service));
    const event = await seedEvent(service, merchant, { callbackUrl: 'https://c.example/' });
    expect(await relayEvents(service, { now })).toBe(1);
    expect((await listNotifications(service, event)).toSorted((a, b) => (a.url < b.url ? -1 : 1))).toEqual([
      { kind: 'webhook', webhookId: first.id, url: 'https://a.example/', status: 'pending' },
      { kind: 'webhook', webhookId: second.id, url: 'https://b.example/', status: 'pending' },
      { kind: 'callback', webhookId: null, url: 'https://c.example/', status: 'pending' },
    ]);
    const due = await service.prisma.notification.findFirstOrThrow({ where: { eventId: event.id } });
    expect(due).toMatchObject({ nextAttemptAt: now, attemptCount: 0, leasedUntil: null, finishedAt: null });
  });

  test('creates no second notification when it runs again', async ({ service }) => {
    const shop = await seedMerchant(service);
    await seedWebhook(service, shop);
    const event = await seedEvent(service, shop);
    expect(await relayEvents(service, { now })).toBe(1);
    const before = await listNotifications(service, event);
    expect(before).toHaveLength(1);
    expect(await relayEvents(service, { now })).toBe(0);
    // As after a restore from a backup, the event is relayed again although its notifications exist.
    await service.prisma.event.update({ where: { id: event.id }, data: { relayedAt: null, sequence: null } });
    expect(await relayEvents(service, { now })).toBe(1);
    expect(await listNotifications(service, event)).toEqual(before);
  });

  test('creates skipped notifications for a disabled webhook, and none for a deleted one', async ({
    service,
  }) => {
    const shop = await seedMerchant(service);
    const off = await seedWebhook(service, shop);
    const deleted = await seedWebhook(service, shop);
    await service.prisma.webhook.update({ where: { id: off.id }, data: { disabledAt: noon } });
    await service.prisma.webhook.update({ where: { id: deleted.id }, data: { deletedAt: noon } });
    const event = await seedEvent(service, shop);
    await relayEvents(service, { now });
    const rows = await service.prisma.notification.findMany({ where: { eventId: event.id } });
    expect(rows).toMatchObject([
      { webhookId: off.id, status: 'skipped', nextAttemptAt: null, finishedAt: now },
    ]);
  });

  test('announces each notification to live subscribers', async ({ service }) => {
    const shop = await seedMerchant(service);
    await seedWebhook(service, shop);
    const event = await seedEvent(service, shop);
    const notices: string[] = [];
    await relayEvents({ ...service, announce: (notice) => notices.push(notice) }, { now });
    const { id } = await service.prisma.notification.findFirstOrThrow({ where: { eventId: event.id } });
    expect(notices).toEqual([`${id} ${shop.merchant.id} live`, `events ${shop.merchant.id} live`]);
  });

  test('leaves events of types from newer releases', async ({ service, merchant }) => {
    const event = await seedEvent(service, merchant, { type: 'charge_disputed' as EventType });
    expect(await relayEvents(service, { now })).toBe(0);
    expect(await service.prisma.event.findUnique({ where: { id: event.id } })).toMatchObject({
      relayedAt: null,
      sequence: null,
    });
    await service.prisma.event.delete({ where: { id: event.id } });
  });
});

describe('the messages of one payment', () => {
  test('become notifications in their documented order, for each webhook', async ({ service }) => {
    const shop = await seedMerchant(service);
    const plan = await seedPlan(service, shop, { input: { numPayments: 1 } });
    const webhooks = [await seedWebhook(service, shop), await seedWebhook(service, shop)];
    await seedActiveSubscription(service, shop, { plan });
    await relayEvents(service, { now });
    for (const { id } of webhooks) {
      const rows = await service.prisma.notification.findMany({
        where: { webhookId: id },
        orderBy: { id: 'asc' },
        include: { event: true },
      });
      expect(rows.map(({ event }) => event.type)).toEqual([
        'subscription_created',
        'charge_created',
        'CHARGE_COMPLETE',
        'charge_completed',
        'subscription_paid',
        'subscription_completed',
      ]);
      expect(rows.map(({ event }) => Number(event.sequence))).toEqual([1, 2, 3, 4, 5, 6]);
      const ofCharge = rows.filter(({ event }) => event.objectId.startsWith('ch_'));
      expect(ofCharge.map(({ event }) => event.objectVersion)).toEqual([1, 2, 3]);
    }
  });
});

describe('a webhook', () => {
  const messages: Record<NotificationVersion, EventType[]> = {
    '0.8': ['CHARGE_COMPLETE'],
    '0.9': ['CHARGE_COMPLETE', ...subscriptionMessages],
    '1.0': [
      'CHARGE_COMPLETE',
      'charge_expired',
      'charge_cancelled',
      'charge_part_paid',
      'charge_overpaid',
      'refund_initiated',
      'refund_processing',
      'refund_completed',
      'refund_cancelled',
      'session_expired',
      'session_cancelled',
      ...subscriptionMessages,
      'subscription_resumed',
      'subscription_updated',
      'transfer_exception',
    ],
  };

  test.for(notificationVersions.map((version) => [version, messages[version]] as const))(
    'of version %s receives for a charge without subscription: %s',
    async ([version, names], { service }) => {
      expect(await listReceivedTypes(service, { notificationVersion: version })).toEqual(names.toSorted());
    },
  );

  test.for([
    ['0.8', []],
    ['0.9', ['charge_created', 'charge_completed']],
    ['1.0', ['charge_created', 'charge_completed']],
  ] as const)(
    'of version %s also receives for a charge with a subscription: %s',
    async ([version, names], { service }) => {
      const more = await listReceivedTypes(
        service,
        { notificationVersion: version },
        { subscriptionId: 'sub_1' },
      );
      expect(more).toEqual([...messages[version], ...names].toSorted());
    },
  );

  test('receives only the event types it lists', async ({ service }) => {
    expect(
      await listReceivedTypes(service, {
        notificationVersion: '1.0',
        eventTypes: ['charge_expired', 'transfer_exception'],
      }),
    ).toEqual(['charge_expired', 'transfer_exception']);
  });
});

test('a callback is created only for the completion of a charge', async ({ service, merchant }) => {
  const charge = await seedCharge(service, merchant, {
    mode: 'sandbox',
    input: { notifyUrl: 'https://shop.example/paid?order=7' },
  });
  const { id, merchantId, mode } = charge;
  await completeSandboxCharge(service, { merchantId, mode, id, actor: 'user:test', now });
  await relayEvents(service, { now });
  const callbacks = await service.prisma.notification.findMany({
    where: { kind: 'callback', event: { objectId: charge.id } },
    include: { event: true },
  });
  expect(callbacks).toMatchObject([
    { url: 'https://shop.example/paid?order=7', status: 'pending', event: { type: 'CHARGE_COMPLETE' } },
  ]);
});

describe('event numbers', () => {
  test('have no gaps for each merchant and mode, also over several batches', async ({ service }) => {
    const shops = [await seedMerchant(service), await seedMerchant(service)];
    const rows = Array.from({ length: 1_300 }, (_, i) => ({
      id: newEventId(new Date(noon.getTime() + ((i * 7_919) % 1_300))),
      merchantId: shops[i % 2]!.merchant.id,
      mode: i % 3 === 0 ? ('sandbox' as const) : ('live' as const),
      type: 'charge_cancelled',
      objectId: `ch_many_${i % 6}_${Math.floor(i / 60)}`,
      objectVersion: i,
      payload: '{}',
      actor: 'key:test',
      createdAt: noon,
    }));
    await service.prisma.event.createMany({ data: rows });
    expect(await relayEvents(service, { now })).toBe(1_300);
    await expectNumbered(service, shops);
  });

  test('have no gaps, and the order of each object, with concurrent relays', async ({ service }) => {
    const rounds = count(15, 50);
    const shops = [await seedMerchant(service), await seedMerchant(service)];
    for (const shop of shops) await seedWebhook(service, shop, { notificationVersion: '1.0' });
    const others = [
      connectOtherProcess(onTestFinished, service),
      connectOtherProcess(onTestFinished, service),
    ];
    for (let round = 0; round < rounds; round++) {
      const changes = [0, 1, 2, 3].map(async (object) => {
        for (let version = 1; version <= 3; version++) {
          await seedEvent(service, shops[object % 2]!, {
            type: 'charge_part_paid',
            objectId: `ch_race_${round}_${object}`,
            objectVersion: version,
            // The clocks of the processes differ.
            now: new Date(noon.getTime() + Math.round(Math.random() * 50)),
          });
        }
      });
      const ended = Promise.all(changes).then(() => true);
      const relays = others.map(async (other) => {
        while (!(await Promise.race([ended, relayEvents(other, { now }).then(() => false)])));
        await relayEvents(other, { now });
      });
      await Promise.all(relays);
    }
    await expectNumbered(service, shops);
    const merchantIds = shops.map(({ merchant }) => merchant.id);
    expect(await service.prisma.notification.count({ where: { merchantId: { in: merchantIds } } })).toBe(
      rounds * 12,
    );
  });
});

describe('orderEvents', () => {
  test('orders events by their IDs', () => {
    const events = [event('ev_3', 'b', 1), event('ev_1', 'a', 1), event('ev_2', 'c', 1)];
    expect(orderEvents(events).map(({ id }) => id)).toEqual(['ev_1', 'ev_2', 'ev_3']);
  });

  test('puts a later event of an object after the earlier one, even with a lower ID', () => {
    const events = [
      event('ev_1', 'a', 3),
      event('ev_2', 'b', 1),
      event('ev_4', 'a', 2),
      event('ev_5', 'b', 2),
    ];
    expect(orderEvents(events).map(({ id }) => id)).toEqual(['ev_2', 'ev_4', 'ev_1', 'ev_5']);
  });

  test('keeps the order of each object, and loses no event, for any order of IDs', () => {
    const events = fc
      .uniqueArray(fc.tuple(fc.integer({ min: 0, max: 4 }), fc.integer({ min: 1, max: 9 })), {
        selector: ([object, version]) => `${object} ${version}`,
      })
      .chain((objects) =>
        fc
          .shuffledSubarray(
            objects.map((_, i) => `ev_${String(i).padStart(3, '0')}`),
            { minLength: objects.length },
          )
          .map((ids) => objects.map(([object, version], i) => event(ids[i]!, `o${object}`, version))),
      );
    fc.assert(
      fc.property(events, (generated) => {
        const ordered = orderEvents(generated);
        expect(ordered.map(({ id }) => id).sort()).toEqual(generated.map(({ id }) => id).sort());
        for (const ofObject of Map.groupBy(ordered, ({ objectId }) => objectId).values()) {
          const versions = ofObject.map(({ objectVersion }) => objectVersion);
          expect(versions).toEqual(versions.toSorted((a, b) => a - b));
        }
      }),
      { numRuns: 500 },
    );
  });
});
