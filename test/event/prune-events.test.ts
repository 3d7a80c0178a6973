import { beforeAll, describe, expect, test } from 'vitest';
import type { NewMerchant } from '../../src/domain/merchant/create-merchant.ts';
import { pruneNotifications } from '../../src/domain/notification/prune-notifications.ts';
import { resendNotification } from '../../src/domain/notification/resend-notification.ts';
import { sendTestNotification } from '../../src/domain/notification/send-test-notification.ts';
import { deleteWebhook } from '../../src/domain/webhook/delete-webhook.ts';
import { pruneEvents } from '../../src/event/prune-events.ts';
import { relayEvents } from '../../src/event/relay-events.ts';
import { type JobContext, serviceJobs } from '../../src/jobs/definitions.ts';
import { transact, within } from '../../src/kit/db.ts';
import { dayMs } from '../../src/kit/duration.ts';
import { deliverNotifications } from '../setup/deliver-notifications.ts';
import { type GraphqlApp, graphqlApp, type Json } from '../setup/graphql.ts';
import { noon } from '../setup/makers.ts';
import { makeEvent, makeWebhook } from '../setup/notifications.ts';
import { startReceiver } from '../setup/receiver.ts';
import { expectSound } from '../setup/sound.ts';

const daysAfter = (days: number) => new Date(noon.getTime() + days * dayMs);

let app: GraphqlApp;
let merchant: NewMerchant;

beforeAll(async () => {
  app = await graphqlApp();
  merchant = app.merchant;
});

const service = () => app.context.service;
const happen = async (now: Date) => {
  await makeEvent(service(), merchant, { now });
  await relayEvents(service(), { now });
};
const page = async (after: string | null): Promise<Json> => {
  const query = `query ($after: String) { events(after: $after, first: 50) { nodes { sequence } pageInfo { endCursor } } }`;
  const { data, errors } = await app.ask(query, { variables: { after } });
  if (errors) return errors[0].extensions.code;
  return data.events.nodes.map(({ sequence }: Json) => Number(sequence));
};

describe('notifications', () => {
  test('are pruned with their attempts 90 days after their end; what is pending stays', async () => {
    await using receiver = await startReceiver();
    const webhook = await makeWebhook(service(), merchant, { url: receiver.url });
    await happen(noon);
    await deliverNotifications(service(), { clock: { now: () => noon } });
    await happen(daysAfter(1));
    const owner = { merchantId: merchant.merchant.id, mode: 'live' } as const;
    await sendTestNotification(service(), { ...owner, webhookId: webhook.id, actor: 'user:test', now: noon });
    const prune = (days: number) => pruneNotifications(service(), { now: daysAfter(days) });
    expect(await prune(90)).toBe(0);
    expect(await prune(90.1)).toBe(1);
    expect(await service().prisma.notificationAttempt.count()).toBe(0);
    expect(await service().prisma.notification.count({ where: { status: 'pending' } })).toBe(2);
    await deliverNotifications(service(), { clock: { now: () => daysAfter(2) } });
    const job = serviceJobs.find(({ name }) => name === 'prune-notifications')!;
    const context = { service: service(), clock: { now: () => daysAfter(93) } } as JobContext;
    await job.work(context, AbortSignal.timeout(30_000));
    expect(await service().prisma.notification.count()).toBe(0);
    expect(await service().prisma.event.count({ where: { test: true } })).toBe(0);
    await expectSound(service());
    // A worker whose clock is right again, after one that was ahead: what went is not missed.
    await prune(89);
    await expectSound(service());
    await deleteWebhook(service(), { ...owner, id: webhook.id, actor: 'user:test', now: noon });
  });
});

describe('the event log', () => {
  test('is pruned from its beginning after 400 days, and a reader whose cursor fell out of it is told', async () => {
    for (let day = 3; day <= 10; day++) await happen(daysAfter(day));
    expect(await page(null)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(await pruneEvents(service(), { now: daysAfter(400) })).toBe(0);
    expect(await pruneEvents(service(), { now: daysAfter(404.5) })).toBe(4);
    expect(await page(null)).toEqual([5, 6, 7, 8, 9, 10]);
    expect(await page('0')).toBe('event_cursor_expired');
    expect(await page('3')).toBe('event_cursor_expired');
    expect(await pruneEvents(service(), { now: daysAfter(399) })).toBe(0);
    expect(await service().prisma.pruneMark.findUnique({ where: { name: 'event' } })).toMatchObject({
      prunedTo: daysAfter(4.5),
    });
    expect(await page('4')).toEqual([5, 6, 7, 8, 9, 10]);
    expect(await page('10')).toEqual([]);
    await expectSound(service());
    expect(await pruneEvents(service(), { now: daysAfter(800) })).toBe(6);
    expect(await page('10')).toEqual([]);
    await happen(daysAfter(801));
    expect(await page('10')).toEqual([11]);
    await expectSound(service());
  });

  test('keeps an event whose notification is still there, and all after it', async () => {
    const webhook = await makeWebhook(service(), merchant, { url: 'http://127.0.0.1:9/' });
    await happen(daysAfter(802));
    const owner = { merchantId: merchant.merchant.id, mode: 'live' } as const;
    await deleteWebhook(service(), { ...owner, id: webhook.id, actor: 'user:test', now: noon });
    await happen(daysAfter(803));
    expect(await pruneEvents(service(), { now: daysAfter(1_300) })).toBe(1);
    expect(await page('11')).toEqual([12, 13]);
  });
});

test('a reader whose cursor is beyond the end of the log, which was restored from an older backup, is told', async () => {
  const { last } = await service().prisma.eventCounter.findFirstOrThrow({
    where: { merchantId: merchant.merchant.id },
  });
  expect(await page(`${last}`)).toEqual([]);
  expect(await page(`${last + 1n}`)).toBe('event_cursor_expired');
});

test('a notification that is being sent again at that moment is not pruned', async () => {
  await makeWebhook(service(), app.stranger);
  await makeEvent(service(), app.stranger, { now: noon });
  await relayEvents(service(), { now: noon });
  const { merchantId, mode, id } = await service().prisma.notification.findFirstOrThrow({
    where: { merchantId: app.stranger.merchant.id },
  });
  const ended = { status: 'failed', nextAttemptAt: null, finishedAt: noon } as const;
  await service().prisma.notification.update({ where: { id }, data: ended });
  const now = daysAfter(91);
  await transact(service(), async (tx) => {
    await resendNotification(within(service(), tx), { merchantId, mode, id, now });
    expect(await pruneNotifications(service(), { now })).toBe(0);
  });
  expect(await service().prisma.notification.findUnique({ where: { id } })).toMatchObject({
    status: 'pending',
  });
  await service().prisma.notification.update({ where: { id }, data: ended });
  expect(await pruneNotifications(service(), { now })).toBe(1);
});
