import { describe, expect } from 'vitest';
import type { NewMerchant } from '../../src/domain/accounts/merchant/create-merchant.ts';
import { mailAlerts } from '../../src/domain/accounts/notice/mail-alerts.ts';
import { replayNotifications } from '../../src/domain/accounts/notification/replay-notifications.ts';
import { updateWebhook } from '../../src/domain/accounts/webhook/update-webhook.ts';
import type { Service } from '../../src/domain/platform/service.ts';
import { dayMs, hourMs } from '../../src/kit/duration.ts';
import { getNextState, parseRetryAfter, retryWaitsMs } from '../../src/notification/notification-state.ts';
import { deliverNotifications, relayAndDeliver } from '../setup/deliver-notifications.ts';
import { createFakeClock, type FakeClock } from '../setup/fake-clock.ts';
import { serviceTest } from '../setup/fixtures.ts';
import { readContent } from '../setup/messages.ts';
import { seedEvent, seedWebhook } from '../setup/notifications.ts';
import { respondWith, startReceiver, switchable } from '../setup/receiver.ts';
import { noon } from '../setup/seed.ts';

const test = serviceTest.extend('clock', () => createFakeClock(noon));

const responded = (status: number) => ({ status, error: null, retryAfterMs: null });

const noResponse = { status: null, error: 'the connection was refused', retryAfterMs: null };

/** Follows the schedule of one delivery that always fails. */
function failUntilGivenUp(random: number) {
  const waits: number[] = [];
  let now = noon;
  for (let attemptCount = 1; ; attemptCount++) {
    const next = getNextState(noResponse, { kind: 'webhook', attemptCount, now, random });
    if (next.status !== 'pending') return { attemptCount, next, waits, now };
    waits.push(next.nextAttemptAt.getTime() - now.getTime());
    now = next.nextAttemptAt;
  }
}

const toOwner = (merchant: NewMerchant) => ({ merchantId: merchant.merchant.id, mode: 'live' as const });

const deliver = (service: Service, clock: FakeClock) => relayAndDeliver(service, clock);

const recordAndDeliver = async (
  service: Service,
  clock: FakeClock,
  merchant: NewMerchant,
  callbackUrl?: string,
) => {
  await seedEvent(service, merchant, { now: clock.now(), callbackUrl });
  await deliver(service, clock);
};

const listAlerts = async (service: Service, merchant: NewMerchant) =>
  (await service.prisma.alert.findMany({ where: toOwner(merchant), orderBy: { id: 'asc' } })).map(
    ({ kind, detail }) => [kind, detail],
  );

const readWebhook = (service: Service, id: string) =>
  service.prisma.webhook.findUniqueOrThrow({ where: { id } });

const listStatuses = async (service: Service, merchant: NewMerchant) =>
  (await service.prisma.notification.findMany({ where: toOwner(merchant), orderBy: { id: 'asc' } })).map(
    ({ status }) => status,
  );

/** Sets the clock to each attempt until nothing is pending. */
const runSchedule = async (service: Service, clock: FakeClock, merchant: NewMerchant) => {
  for (;;) {
    const next = await service.prisma.notification.findFirst({
      where: { ...toOwner(merchant), status: 'pending' },
      orderBy: { nextAttemptAt: 'asc' },
    });
    if (!next?.nextAttemptAt) return;
    clock.set(next.nextAttemptAt);
    await deliverNotifications(service, { clock });
  }
};

describe('retry schedule', () => {
  describe('a delivery that always fails', () => {
    test('is retried after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h, and has then failed', () => {
      const s = 1_000;
      const h = 3_600 * s;
      const { attemptCount, next, waits, now } = failUntilGivenUp(0.5);
      expect(waits).toEqual([5 * s, 300 * s, 1_800 * s, 2 * h, 5 * h, 10 * h, 14 * h, 20 * h, 24 * h]);
      expect(attemptCount).toBe(10);
      expect(next).toEqual({ status: 'failed', disablesWebhook: false });
      expect((now.getTime() - noon.getTime()) / h).toBeCloseTo(75.6, 1);
    });

    test('is retried at most a fifth earlier or later than scheduled', () => {
      expect(failUntilGivenUp(0).waits).toEqual(retryWaitsMs.map((wait) => wait * 0.8));
      expect(failUntilGivenUp(1).waits).toEqual(retryWaitsMs.map((wait) => wait * 1.2));
    });

    test('that was resent manually after its last attempt has failed after one more', () => {
      const options = { kind: 'webhook', attemptCount: 11, now: noon, random: 0.5 } as const;
      expect(getNextState(noResponse, options).status).toBe('failed');
    });
  });

  describe('an attempt', () => {
    const first = { kind: 'webhook', attemptCount: 1, now: noon, random: 0.5 } as const;

    test.each([200, 201, 202, 204, 299])('with response %i has delivered', (status) => {
      expect(getNextState(responded(status), first)).toEqual({ status: 'delivered', disablesWebhook: false });
    });

    test.each([100, 199, 300, 301, 302, 304, 307, 308, 400, 401, 404, 429, 500, 503])(
      'with response %i has failed',
      (status) => {
        expect(getNextState(responded(status), first)).toEqual({
          status: 'pending',
          nextAttemptAt: new Date(noon.getTime() + 5_000),
          disablesWebhook: false,
        });
      },
    );

    test('with an interrupted response has failed, regardless of its status', () => {
      const outcome = { status: 200, error: 'timed out', retryAfterMs: null };
      expect(getNextState(outcome, first).status).toBe('pending');
    });

    test('with response 2xx at the tenth attempt has delivered', () => {
      expect(getNextState(responded(200), { ...first, attemptCount: 10 }).status).toBe('delivered');
    });

    test('with response 410 ends the delivery, and disables a webhook but no callback', () => {
      expect(getNextState(responded(410), first)).toEqual({ status: 'failed', disablesWebhook: true });
      expect(getNextState(responded(410), { ...first, kind: 'callback' })).toEqual({
        status: 'failed',
        disablesWebhook: false,
      });
    });

    test.each([
      ['longer than scheduled', 60_000, 60_000],
      ['shorter than scheduled', 1_000, 5_000],
      ['of a year, limited to the whole schedule', 365 * 86_400_000, 272_105_000],
    ])('with a Retry-After %s waits for the right time', (_, retryAfterMs, waitMs) => {
      const next = getNextState({ status: 503, error: null, retryAfterMs }, first);
      expect(next).toMatchObject({ nextAttemptAt: new Date(noon.getTime() + waitMs) });
    });
  });

  describe('Retry-After', () => {
    test.each([
      ['120', 120_000],
      ['0', 0],
      ['Tue, 17 Nov 2026 12:01:00 GMT', 60_000],
      ['Tue, 17 Nov 2026 11:00:00 GMT', 0],
      ['soon', null],
      ['-5', null],
      ['1.5', null],
      ['99999999999', null],
      ['', null],
      [undefined, null],
    ])('%s is read as %s ms', (header, expected) => {
      expect(parseRetryAfter(header, noon)).toBe(expected);
    });
  });
});

describe('a webhook', () => {
  test('alerts the merchant once at the fourth consecutive failure, and again when it has recovered', async ({
    service,
    clock,
    merchant,
  }) => {
    const endpoint = switchable();
    await using receiver = await startReceiver(endpoint);
    const { id } = await seedWebhook(service, merchant, { url: receiver.url });
    for (let i = 0; i < 3; i++) await recordAndDeliver(service, clock, merchant);
    expect(await listAlerts(service, merchant)).toEqual([]);
    expect(await readWebhook(service, id)).toMatchObject({
      consecutiveFailures: 3,
      failingSince: noon,
      failureAlertedAt: null,
    });
    await recordAndDeliver(service, clock, merchant);
    expect(await listAlerts(service, merchant)).toEqual([
      ['endpoint_failing', 'the endpoint responded with 500'],
    ]);
    await recordAndDeliver(service, clock, merchant);
    await recordAndDeliver(service, clock, merchant);
    expect(await listAlerts(service, merchant)).toHaveLength(1);

    endpoint.works = true;
    clock.advance(hourMs);
    await deliver(service, clock);
    expect((await listAlerts(service, merchant)).map(([kind]) => kind)).toEqual([
      'endpoint_failing',
      'endpoint_recovered',
    ]);
    expect(await readWebhook(service, id)).toMatchObject({
      consecutiveFailures: 0,
      failingSince: null,
      failureAlertedAt: null,
    });
    expect(new Set(await listStatuses(service, merchant))).toEqual(new Set(['delivered']));
  });

  test('that fails again within the hour of its alert causes the next alert at the first failure after that hour', async ({
    service,
    clock,
    merchant,
  }) => {
    const endpoint = switchable();
    await using receiver = await startReceiver(endpoint);
    const { id } = await seedWebhook(service, merchant, { url: receiver.url });
    const listKinds = async () => (await listAlerts(service, merchant)).map(([kind]) => kind);
    for (let i = 0; i < 4; i++) await recordAndDeliver(service, clock, merchant);
    endpoint.works = true;
    clock.advance(60_000);
    await deliver(service, clock);
    endpoint.works = false;
    for (let i = 0; i < 4; i++) await recordAndDeliver(service, clock, merchant);
    expect(await listKinds()).toEqual(['endpoint_failing', 'endpoint_recovered']);
    expect(await readWebhook(service, id)).toMatchObject({ consecutiveFailures: 4, failureAlertedAt: null });

    clock.advance(hourMs);
    await deliver(service, clock);
    expect(await listKinds()).toEqual(['endpoint_failing', 'endpoint_recovered', 'endpoint_failing']);
    expect(await readWebhook(service, id)).toMatchObject({ failureAlertedAt: clock.now() });
  });

  test('causes no alert when it never fails four times in a row', async ({ service, clock, merchant }) => {
    const endpoint = switchable();
    await using receiver = await startReceiver(endpoint);
    const { id } = await seedWebhook(service, merchant, { url: receiver.url });
    for (let i = 0; i < 4; i++) {
      endpoint.works = false;
      await recordAndDeliver(service, clock, merchant);
      clock.advance(60_000);
      endpoint.works = true;
      await deliver(service, clock);
      clock.advance(hourMs);
    }
    expect(await listAlerts(service, merchant)).toEqual([]);
    expect(await readWebhook(service, id)).toMatchObject({ consecutiveFailures: 0, failingSince: null });
  });

  test('is disabled after 5 days of failures, and its skipped notifications can be replayed once it is enabled', async ({
    service,
    clock,
    merchant,
  }) => {
    const endpoint = switchable();
    await using receiver = await startReceiver(endpoint);
    const { id } = await seedWebhook(service, merchant, { url: receiver.url });
    await recordAndDeliver(service, clock, merchant);
    while (clock.now().getTime() < noon.getTime() + 5 * dayMs - hourMs) {
      clock.advance(12 * hourMs - 1_000);
      await recordAndDeliver(service, clock, merchant);
    }
    expect((await readWebhook(service, id)).disabledAt).toBeNull();
    clock.set(new Date(noon.getTime() + 5 * dayMs));
    await recordAndDeliver(service, clock, merchant);
    expect(await readWebhook(service, id)).toMatchObject({
      disabledAt: clock.now(),
      disabledReason: 'delivery_failures',
    });
    expect((await listAlerts(service, merchant)).at(-1)).toEqual([
      'webhook_disabled',
      'All deliveries failed for 5 days',
    ]);

    const before = receiver.requests.length;
    await recordAndDeliver(service, clock, merchant);
    clock.advance(4 * dayMs);
    await deliver(service, clock);
    expect(receiver.requests).toHaveLength(before);
    expect(new Set(await listStatuses(service, merchant))).toEqual(new Set(['skipped']));
    expect(
      await replayNotifications(service, { ...toOwner(merchant), since: noon, now: clock.now() }),
    ).toEqual({
      replayed: 0,
      hasMore: false,
    });

    endpoint.works = true;
    await updateWebhook(service, {
      ...toOwner(merchant),
      id,
      input: { isEnabled: true },
      actor: 'user:test',
      now: clock.now(),
    });
    expect(await readWebhook(service, id)).toMatchObject({
      disabledAt: null,
      disabledReason: null,
      consecutiveFailures: 0,
    });
    const missed = (await listStatuses(service, merchant)).length;
    const replay = await replayNotifications(service, {
      ...toOwner(merchant),
      since: noon,
      now: clock.now(),
    });
    expect(replay).toEqual({ replayed: missed, hasMore: false });
    await deliver(service, clock);
    expect(await listStatuses(service, merchant)).toEqual(Array.from({ length: missed }, () => 'delivered'));
    const ids = receiver.requests.map(({ headers }) => headers['webhook-id']);
    const events = await service.prisma.event.findMany({ where: toOwner(merchant), select: { id: true } });
    expect(new Set(ids)).toEqual(new Set(events.map((event) => event.id)));
  });

  test('receives ten attempts over 75.6 hours, each wait ±20 %, and then the merchant is alerted', async ({
    service,
    clock,
    merchant,
  }) => {
    await using receiver = await startReceiver(respondWith(503));
    await seedWebhook(service, merchant, { url: receiver.url });
    await recordAndDeliver(service, clock, merchant);
    await runSchedule(service, clock, merchant);
    const { attempts } = await service.prisma.notification.findFirstOrThrow({
      where: toOwner(merchant),
      include: { attempts: { orderBy: { number: 'asc' } } },
    });
    expect(receiver.requests).toHaveLength(10);
    const waits = attempts
      .slice(1)
      .map(({ startedAt }, i) => startedAt.getTime() - attempts[i]!.startedAt.getTime());
    for (const [i, wait] of waits.entries()) {
      expect(wait).toBeGreaterThanOrEqual(retryWaitsMs[i]! * 0.8);
      expect(wait).toBeLessThanOrEqual(retryWaitsMs[i]! * 1.2);
    }
    expect(await listStatuses(service, merchant)).toEqual(['failed']);
    expect((await listAlerts(service, merchant)).map(([kind]) => kind)).toEqual([
      'endpoint_failing',
      'delivery_failed',
    ]);
  });

  test('is retried after its Retry-After, but no later than the whole schedule allows', async ({
    service,
    clock,
    merchant,
  }) => {
    const retryAfter = [7_200, 365 * 86_400];
    await using receiver = await startReceiver((request, response) => {
      response.writeHead(429, { 'retry-after': String(retryAfter[request.index]) }).end();
    });
    await seedWebhook(service, merchant, { url: receiver.url });
    await recordAndDeliver(service, clock, merchant);
    const due = async () => {
      const row = await service.prisma.notification.findFirstOrThrow({ where: toOwner(merchant) });
      return (row.nextAttemptAt?.getTime() ?? 0) - clock.now().getTime();
    };
    expect(await due()).toBe(2 * hourMs);
    clock.advance(2 * hourMs);
    await deliver(service, clock);
    expect(await due()).toBe(retryWaitsMs.reduce((sum, wait) => sum + wait));
  });

  test('disabled by the merchant has that as its reason, and causes no alert', async ({
    service,
    clock,
    merchant,
  }) => {
    const { id } = await seedWebhook(service, merchant);
    await updateWebhook(service, {
      ...toOwner(merchant),
      id,
      input: { isEnabled: false },
      actor: 'user:test',
      now: clock.now(),
    });
    expect(await readWebhook(service, id)).toMatchObject({
      disabledAt: clock.now(),
      disabledReason: 'manual',
    });
    expect(await listAlerts(service, merchant)).toEqual([]);
  });
});

describe('a callback', () => {
  test('causes an alert at its fourth failure and when it is given up, one for each day and host', async ({
    service,
    clock,
    merchant,
  }) => {
    await using receiver = await startReceiver(respondWith(500));
    await recordAndDeliver(service, clock, merchant, `${receiver.url}/1`);
    await recordAndDeliver(service, clock, merchant, `${receiver.url}/2`);
    await runSchedule(service, clock, merchant);
    expect(receiver.requests).toHaveLength(20);
    const failed = await service.prisma.notification.findMany({
      where: { ...toOwner(merchant), status: 'failed' },
    });
    const days = new Set(failed.map(({ finishedAt }) => finishedAt?.toISOString().slice(0, 10)));
    expect(failed).toHaveLength(2);
    // Random waits spread the last attempts over a day, rarely beyond midnight.
    expect((await listAlerts(service, merchant)).map(([kind]) => kind)).toEqual([
      'endpoint_failing',
      ...[...days].map(() => 'delivery_failed'),
    ]);
  });

  test('causes an alert when it arrives after failures', async ({ service, clock, merchant }) => {
    const endpoint = switchable();
    await using receiver = await startReceiver(endpoint);
    await recordAndDeliver(service, clock, merchant, `${receiver.url}/`);
    for (let i = 0; i < 3; i++) {
      clock.advance(3 * hourMs);
      await deliver(service, clock);
    }
    endpoint.works = true;
    clock.advance(3 * hourMs);
    await deliver(service, clock);
    expect(await listStatuses(service, merchant)).toEqual(['delivered']);
    expect((await listAlerts(service, merchant)).map(([kind]) => kind)).toEqual([
      'endpoint_failing',
      'endpoint_recovered',
    ]);
  });
});

test('each alert is emailed once to owners and developers, without the secrets in the URL', async ({
  service,
  clock,
  merchant,
}) => {
  await using receiver = await startReceiver(respondWith(410));
  await seedWebhook(service, merchant, { url: `${receiver.url}/hooks?key=secret` });
  await recordAndDeliver(service, clock, merchant);
  const mails = () => service.prisma.message.findMany({ where: { merchantId: merchant.merchant.id } });
  await Promise.all([mailAlerts(service, { now: clock.now() }), mailAlerts(service, { now: clock.now() })]);
  await mailAlerts(service, { now: clock.now() });
  const [mail, ...more] = await mails();
  expect(more).toEqual([]);
  expect(mail).toMatchObject({
    recipient: merchant.email,
    audience: 'staff',
    subject: `A webhook was disabled: ${merchant.merchant.name}`,
  });
  const { text } = await readContent(service, mail!);
  expect(text).toContain(`${receiver.url}/hooks`);
  expect(text).not.toContain('secret');
});
