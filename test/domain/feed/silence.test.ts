import { expect } from 'vitest';
import type { BankFeed } from '../../../prisma/client/client.ts';
import { mailAlerts } from '../../../src/domain/accounts/notice/mail-alerts.ts';
import { markLateFeeds } from '../../../src/domain/money-in/feed/mark-late-feeds.ts';
import { updateBankFeed } from '../../../src/domain/money-in/feed/update-bank-feed.ts';
import type { Service } from '../../../src/domain/platform/service.ts';
import { dayMs, hourMs } from '../../../src/kit/duration.ts';
import { appTest } from '../../setup/app-fixtures.ts';
import { feedSenders } from '../../setup/feed-senders.ts';
import { reportPayment, seedBankFeed, sendDelivery } from '../../setup/feeds.ts';
import { noon, seedCharge } from '../../setup/seed.ts';

const vnd = { method: 'viettel-pay', merchantCurrency: 'VND', merchantAmount: 250_000 } as never;

const test = appTest
  .extend('charge', ({ service, merchant }) => seedCharge(service, merchant, { input: vnd }))
  .extend('feed', ({ service, merchant, charge }) =>
    seedBankFeed(service, merchant, { receivingAccountId: charge.receivingAccountId }),
  );

const sepay = feedSenders['SePay with a signature']!;
const after = (ms: number) => new Date(noon.getTime() + ms);
const readFeed = (service: Service, { id }: BankFeed) =>
  service.prisma.bankFeed.findUniqueOrThrow({ where: { id } });
const readAlerts = (service: Service, { id: bankFeedId }: BankFeed) =>
  service.prisma.alert.findMany({ where: { bankFeedId } });

test('A feed that is silent for longer than usual is late, and its merchant is alerted once by email', async ({
  app,
  service,
  clock,
  charge,
  feed,
}) => {
  // Three deliveries a day for eight days; the longest silence is the night.
  for (let i = 0; i < 24; i++) {
    clock.set(after(Math.floor(i / 3) * dayMs + (i % 3) * 4 * hourMs));
    const body = reportPayment(sepay, charge, { id: String(i), paidAt: clock.now() });
    await sendDelivery(app, feed, { body, signedAt: clock.now() });
  }
  const last = clock.now().getTime();
  const watch = (hours: number) => markLateFeeds(service, { now: new Date(last + hours * hourMs) });
  expect(await watch(23.9)).toBe(0);
  expect((await readFeed(service, feed)).status).toBe('connected');
  expect(await watch(24.1)).toBe(1);
  expect(await watch(30)).toBe(0);
  expect(await readFeed(service, feed)).toMatchObject({ status: 'late' });
  const alerts = await readAlerts(service, feed);
  expect(alerts).toMatchObject([
    { kind: 'feed_late', detail: 'no delivery for 24 hours, usually at most 24 hours' },
  ]);
  await mailAlerts(service, { now: new Date(last) });
  const mails = await service.prisma.message.findMany({ where: { kind: 'bank-feed' } });
  expect(mails.length).toBeGreaterThan(0);
  expect(mails[0]!.subject).toContain('A bank feed is silent');
  // It is connected again with the next delivery.
  clock.set(new Date(last + 31 * hourMs));
  const body = reportPayment(sepay, charge, { id: '99', paidAt: clock.now() });
  await sendDelivery(app, feed, { body, signedAt: clock.now() });
  expect(await readFeed(service, feed)).toMatchObject({ status: 'connected', lateSince: null });
});

test('A feed without a known rhythm is late only if a time is configured', async ({
  app,
  service,
  merchant,
  charge,
  feed,
}) => {
  await sendDelivery(app, feed, { body: reportPayment(sepay, charge) });
  await markLateFeeds(service, { now: after(20 * dayMs) });
  expect((await readFeed(service, feed)).status).toBe('connected');
  await updateBankFeed(service, {
    ...{ merchantId: merchant.merchant.id, mode: 'live', id: feed.id, actor: 'user:test', now: noon },
    input: { silenceMinutes: 90 },
  });
  await markLateFeeds(service, { now: after(1.4 * hourMs) });
  expect((await readFeed(service, feed)).status).toBe('connected');
  await markLateFeeds(service, { now: after(1.6 * hourMs) });
  expect((await readFeed(service, feed)).status).toBe('late');
});

test('A new or paused feed is never late', async ({ app, service, merchant, charge, feed }) => {
  const own = {
    merchantId: merchant.merchant.id,
    mode: 'live',
    id: feed.id,
    actor: 'user:test',
    now: noon,
  } as const;
  await updateBankFeed(service, { ...own, input: { silenceMinutes: 5 } });
  await markLateFeeds(service, { now: after(dayMs) });
  expect((await readFeed(service, feed)).status).toBe('new');
  await sendDelivery(app, feed, { body: reportPayment(sepay, charge) });
  await updateBankFeed(service, { ...own, input: { isPaused: true } });
  await markLateFeeds(service, { now: after(dayMs) });
  expect((await readFeed(service, feed)).status).toBe('paused');
  expect(await readAlerts(service, feed)).toEqual([]);
});

test('A feed that fails is reported to its merchant once by email', async ({
  app,
  service,
  charge,
  feed,
}) => {
  const mail = async () => {
    await mailAlerts(service, { now: noon });
    const { merchantId } = feed;
    return service.prisma.message.findMany({ where: { kind: 'bank-feed', merchantId } });
  };
  const fail = (id: string) =>
    sendDelivery(app, feed, { body: reportPayment(sepay, charge, { id, account: '777' }) });
  await fail('1');
  await fail('2');
  const mails = await mail();
  expect(mails.map(({ subject, status }) => [subject?.split(':')[0], status])).toEqual([
    ['A bank feed is failing', 'pending'],
  ]);
  expect(await mail()).toHaveLength(1);
});
