import { beforeAll, describe, expect, test } from 'vitest';
import type { NewMerchant } from '../../src/domain/accounts/merchant/create-merchant.ts';
import { completeSandboxCharge } from '../../src/domain/money-in/transfer/complete-sandbox-charge.ts';
import { type EventType, eventTypes } from '../../src/event/catalogue.ts';
import { relayEvents } from '../../src/event/relay-events.ts';
import { newEventId } from '../../src/kit/id.ts';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import { count } from '../setup/counts.ts';
import { seedEvent, seedWebhook } from '../setup/notifications.ts';
import { minutesAfter, noon, seedCharge, seedMerchant } from '../setup/seed.ts';
import { connectOtherProcess, type ServiceOnDatabase, setupService } from '../setup/service.ts';
import { seedActiveSubscription, seedPlan } from '../setup/subscriptions.ts';

const onCleanup = cleanupAfterFile();

let service: ServiceOnDatabase;
let merchant: NewMerchant;
const now = minutesAfter(noon, 1);

beforeAll(async () => {
  service = await setupService(onCleanup);
  merchant = await seedMerchant(service);
});

/** How the notifications of an event stand: to whom, and in which state. */
async function notificationsOf(event: { id: string }) {
  const rows = await service.prisma.notification.findMany({
    where: { eventId: event.id },
    orderBy: { id: 'asc' },
  });
  return rows.map(({ kind, webhookId, url, status }) => ({ kind, webhookId, url, status }));
}

describe('the relay', () => {
  test('makes a notification for each webhook of the merchant and mode, and for the callback', async () => {
    const first = await seedWebhook(service, merchant, { url: 'https://a.example/' });
    const second = await seedWebhook(service, merchant, { url: 'https://b.example/' });
    await seedWebhook(service, merchant, { mode: 'sandbox' });
    await seedWebhook(service, await seedMerchant(service));
    const event = await seedEvent(service, merchant, { callbackUrl: 'https://c.example/' });
    expect(await relayEvents(service, { now })).toBe(1);
    expect((await notificationsOf(event)).toSorted((a, b) => (a.url < b.url ? -1 : 1))).toEqual([
      { kind: 'webhook', webhookId: first.id, url: 'https://a.example/', status: 'pending' },
      { kind: 'webhook', webhookId: second.id, url: 'https://b.example/', status: 'pending' },
      { kind: 'callback', webhookId: null, url: 'https://c.example/', status: 'pending' },
    ]);
    const due = await service.prisma.notification.findFirstOrThrow({ where: { eventId: event.id } });
    expect(due).toMatchObject({ nextAttemptAt: now, attemptCount: 0, leasedUntil: null, finishedAt: null });
  });

  test('run again takes nothing, and makes no second notification', async () => {
    const shop = await seedMerchant(service);
    await seedWebhook(service, shop);
    const event = await seedEvent(service, shop);
    expect(await relayEvents(service, { now })).toBe(1);
    const before = await notificationsOf(event);
    expect(before).toHaveLength(1);
    expect(await relayEvents(service, { now })).toBe(0);
    // As after a restore from a backup: the event is taken again, its notifications are there.
    await service.prisma.event.update({ where: { id: event.id }, data: { relayedAt: null, sequence: null } });
    expect(await relayEvents(service, { now })).toBe(1);
    expect(await notificationsOf(event)).toEqual(before);
  });

  test('records what a switched-off webhook misses as skipped; a deleted one gets none', async () => {
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

  test('tells live subscribers of each notification once it is there', async () => {
    const shop = await seedMerchant(service);
    await seedWebhook(service, shop);
    const event = await seedEvent(service, shop);
    const told: string[] = [];
    await relayEvents({ ...service, announce: (notice) => told.push(notice) }, { now });
    const { id } = await service.prisma.notification.findFirstOrThrow({ where: { eventId: event.id } });
    expect(told).toEqual([`${id} ${shop.merchant.id} live`]);
  });

  test('leaves a message that only a newer release knows to that release', async () => {
    const event = await seedEvent(service, merchant, { type: 'charge_disputed' as EventType });
    expect(await relayEvents(service, { now })).toBe(0);
    expect(await service.prisma.event.findUnique({ where: { id: event.id } })).toMatchObject({
      relayedAt: null,
      sequence: null,
    });
    await service.prisma.event.delete({ where: { id: event.id } });
  });
});

describe('The messages of one payment', () => {
  test('become notifications in their documented order, for each webhook', async () => {
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

const subscriptionMessages: EventType[] = [
  'subscription_created',
  'subscription_invoice_due',
  'subscription_paid',
  'subscription_paused',
  'subscription_cancelled',
  'subscription_completed',
];

describe('a webhook is told', () => {
  const wanted: Record<string, EventType[]> = {
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
      'transfer_exception',
    ],
  };

  test.each(Object.entries(wanted))(
    'by version %s, of a charge without subscription: %s',
    async (version, names) => {
      expect(await toldOf({ notificationVersion: version })).toEqual(names.toSorted());
    },
  );

  test.each([
    ['0.8', []],
    ['0.9', ['charge_created', 'charge_completed']],
    ['1.0', ['charge_created', 'charge_completed']],
  ] as const)('by version %s, of a charge with a subscription, also: %s', async (version, names) => {
    const more = await toldOf({ notificationVersion: version }, { subscriptionId: 'sub_1' });
    expect(more).toEqual([...wanted[version]!, ...names].toSorted());
  });

  test('of the messages it lists alone', async () => {
    expect(
      await toldOf({ notificationVersion: '1.0', eventTypes: ['charge_expired', 'transfer_exception'] }),
    ).toEqual(['charge_expired', 'transfer_exception']);
  });
});

/** Records each message there is once, and answers which of them go to the webhook. */
async function toldOf(
  webhook: { notificationVersion: string; eventTypes?: string[] },
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

test('a callback goes out for the completion of a charge alone', async () => {
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

test('a notification that a process of the version before writes knows the message of its event', async () => {
  const event = await seedEvent(service, merchant, { type: 'refund_completed' });
  await relayEvents(service, { now });
  const { rows } = await service.pool.query<{ event_type: string }>(
    `INSERT INTO notification (id, merchant_id, mode, event_id, kind, url, queue_key, created_at)
     VALUES ('nt_before', $1, 'live', $2, 'callback', 'https://c.example/', 'c.example', $3) RETURNING event_type`,
    [merchant.merchant.id, event.id, now],
  );
  expect(rows).toEqual([{ event_type: 'refund_completed' }]);
});

describe('the numbers of the event log', () => {
  test('are one row without gaps for each merchant and mode, more events than a batch takes included', async () => {
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
    await expectNumbered(shops);
  });

  test('have no gap, and no object runs backwards, with relays at work side by side', async () => {
    const rounds = count(15, 50);
    const shops = [await seedMerchant(service), await seedMerchant(service)];
    for (const shop of shops) await seedWebhook(service, shop, { notificationVersion: '1.0' });
    const others = [connectOtherProcess(onCleanup, service), connectOtherProcess(onCleanup, service)];
    for (let round = 0; round < rounds; round++) {
      const changes = [0, 1, 2, 3].map(async (object) => {
        for (let version = 1; version <= 3; version++) {
          await seedEvent(service, shops[object % 2]!, {
            type: 'charge_part_paid',
            objectId: `ch_race_${round}_${object}`,
            objectVersion: version,
            // The clocks of the processes that made the changes differ.
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
    await expectNumbered(shops);
    const merchantIds = shops.map(({ merchant }) => merchant.id);
    expect(await service.prisma.notification.count({ where: { merchantId: { in: merchantIds } } })).toBe(
      rounds * 12,
    );
  });
});

/** From 1 without gaps for each merchant and mode, each object's events in the order of its versions. */
async function expectNumbered(shops: NewMerchant[]): Promise<void> {
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
