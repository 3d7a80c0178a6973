import { describe, expect } from 'vitest';
import type { Message } from '../../../prisma/client/client.ts';
import { createMerchant, type NewMerchant } from '../../../src/domain/accounts/merchant/create-merchant.ts';
import { mailAlerts } from '../../../src/domain/accounts/notice/mail-alerts.ts';
import { getNextSummary } from '../../../src/domain/accounts/notice/next-summary.ts';
import { queueNotices } from '../../../src/domain/accounts/notice/queue-notices.ts';
import type { Service } from '../../../src/domain/platform/service.ts';
import { relayEvents } from '../../../src/event/relay-events.ts';
import { newId } from '../../../src/kit/id.ts';
import { ownerTest as test } from '../../setup/auth.ts';
import { mutate } from '../../setup/graphql.ts';
import { expectInvariants } from '../../setup/invariants.ts';
import { readContent, sendDueMessages } from '../../setup/messages.ts';
import { respondWith, startReceiver } from '../../setup/receiver.ts';
import { minutesAfter, noon, seedCharge, seedMerchant } from '../../setup/seed.ts';
import { signInAs } from '../../setup/sign-in.ts';
import { payCharge } from '../../setup/transfers.ts';

const setting = (channel: string, topic: string, frequency: string) => ({ channel, topic, frequency });

/** Pays charges of HKD 128.50, and relays the events. */
async function receivePayments(service: Service, merchant: NewMerchant, count: number): Promise<void> {
  for (let i = 0; i < count; i++) {
    const email = `${newId('customer', noon)}@example.com`;
    const charge = await seedCharge(service, merchant, { input: { email } });
    await payCharge(service, merchant, charge, { now: noon });
  }
  await relayEvents(service, { now: noon });
}

/** A transfer without a charge, which needs review. */
async function receiveUnknownTransfer(service: Service, merchant: NewMerchant): Promise<string> {
  const charge = await seedCharge(service, merchant, { input: { email: 'ada@example.com' } });
  const result = await payCharge(service, merchant, charge, { reference: 'rent Mei Lin', now: noon });
  await relayEvents(service, { now: noon });
  return result.transferId!;
}

async function seedAlert(service: Service, { merchant }: NewMerchant): Promise<void> {
  const id = newId('alert', noon);
  await service.prisma.alert.create({
    data: {
      id,
      merchantId: merchant.id,
      mode: 'live',
      kind: 'feed_late',
      url: 'http://pay.example/dashboard/bank-feeds/feed_1',
      detail: 'no delivery for 24 hours, usually at most 2 hours',
      dedupeKey: id,
      createdAt: noon,
    },
  });
  await mailAlerts(service, { now: noon });
}

function readNotices(service: Service, { merchant }: NewMerchant): Promise<Message[]> {
  const where = { merchantId: merchant.id, kind: { in: ['notice', 'bank-feed'] } };
  return service.prisma.message.findMany({ where, orderBy: { id: 'asc' } });
}

test('Payments and transfers that need review are reported once, a minute apart, without data about customers', async ({
  app,
  service,
  merchant,
}) => {
  const support = await signInAs('support', app, merchant);
  await receivePayments(service, merchant, 1);
  const settings = [setting('email', 'payments', 'at_once'), setting('email', 'reviews', 'at_once')];
  await mutate(support, 'updateNoticeSettings', { settings });
  await queueNotices(service, { now: noon });
  expect(await readNotices(service, merchant)).toEqual([]);

  await receivePayments(service, merchant, 12);
  await receiveUnknownTransfer(service, merchant);
  // Concurrent workers write one notice.
  await Promise.all([0, 1, 2].map(() => queueNotices(service, { now: noon })));
  const [notice, ...others] = await readNotices(service, merchant);
  expect(others).toEqual([]);
  expect(notice).toMatchObject({
    channel: 'email',
    recipient: support.email,
    subject: `12 payments received, 1 transfer needs review: ${merchant.merchant.name}`,
  });
  const { text } = await readContent(service, notice!);
  expect(text).toContain('12 payments received: HK$1,542.00\n• HK$128.50 · FPS 轉數快 · ');
  expect(text).toContain('and 2 more');
  expect(text).toContain('1 transfer needs review: HK$128.50\n• HK$128.50 · FPS 轉數快\n');
  expect(text).toContain('/dashboard/review');
  expect(text).not.toMatch(/example\.com|Mei Lin/);

  await receivePayments(service, merchant, 1);
  await queueNotices(service, { now: minutesAfter(noon, 0.5) });
  expect(await readNotices(service, merchant)).toHaveLength(1);
  await queueNotices(service, { now: minutesAfter(noon, 1) });
  await queueNotices(service, { now: minutesAfter(noon, 3) });
  const subjects = (await readNotices(service, merchant)).map(({ subject }) => subject);
  expect(subjects).toHaveLength(2);
  expect(subjects[1]).toMatch(/^1 payment received: HK\$128\.50: /);

  // A topic that was off reports only what happens from then on.
  await mutate(support, 'updateNoticeSettings', { settings: [setting('email', 'payments', 'off')] });
  await receivePayments(service, merchant, 1);
  await mutate(support, 'updateNoticeSettings', { settings: [setting('email', 'payments', 'at_once')] });
  await queueNotices(service, { now: minutesAfter(noon, 9) });
  expect(await readNotices(service, merchant)).toHaveLength(2);
  await expectInvariants(service);
});

test('A daily summary arrives at 08:00 in the merchant’s time zone with all that happened, unless that is nothing', async ({
  service,
  merchant,
  owner,
}) => {
  await service.prisma.merchant.update({
    where: { id: merchant.merchant.id },
    data: { timeZone: 'Asia/Hong_Kong' },
  });
  const topics = ['payments', 'reviews', 'endpoints', 'accounts'];
  const settings = topics.map((topic) => setting('email', topic, 'daily'));
  await mutate(owner, 'updateNoticeSettings', { settings });
  await receivePayments(service, merchant, 2);
  const transferId = await receiveUnknownTransfer(service, merchant);
  await seedAlert(service, merchant);
  await queueNotices(service, { now: noon });
  // The other owner has changed nothing, and is alerted at once.
  const atOnce = await readNotices(service, merchant);
  expect(atOnce.map(({ kind, recipient }) => [kind, recipient])).toEqual([['bank-feed', merchant.email]]);
  expect((await readContent(service, atOnce[0]!)).text).toContain('Mode: Live');

  const summary = getNextSummary(noon, 'Asia/Hong_Kong');
  expect(summary.toISOString().slice(11)).toBe('00:00:00.000Z');
  // A transfer that was reviewed needs no attention.
  await service.prisma.transfer.updateMany({
    where: { id: transferId },
    data: { status: 'dismissed', allocated: 12_850n },
  });
  await queueNotices(service, { now: new Date(summary.getTime() - 1) });
  expect(await readNotices(service, merchant)).toHaveLength(1);
  await queueNotices(service, { now: summary });
  const [, notice] = await readNotices(service, merchant);
  expect(notice).toMatchObject({
    recipient: owner.email,
    subject: `Daily summary: ${merchant.merchant.name}`,
  });
  const { text } = await readContent(service, notice!);
  expect(text).toContain('2 payments received: HK$257.00');
  expect(text).toContain('• A bank feed is silent: no delivery for 24 hours, usually at most 2 hours');
  expect(text).toContain('http://pay.example/dashboard/bank-feeds/feed_1');
  expect(text).not.toContain('review');
  await service.prisma.transfer.updateMany({
    where: { id: transferId },
    data: { status: 'exception', allocated: 0n },
  });
  await queueNotices(service, { now: getNextSummary(summary, 'Asia/Hong_Kong') });
  expect(await readNotices(service, merchant)).toHaveLength(2);
  await expectInvariants(service);
});

const read = '{ viewer { chatHost noticeSettings { channel topic frequency } } }';

test('Cashiers cannot receive notices, and a user who becomes a cashier receives none from then on', async ({
  app,
  service,
  merchant,
  owner,
}) => {
  const settings = [setting('email', 'payments', 'at_once'), setting('email', 'accounts', 'at_once')];
  const cashier = await signInAs('cashier', app, merchant);
  const denied = { code: 'permission_denied' };
  expect(await mutate(cashier, 'updateNoticeSettings', { settings })).toMatchObject(denied);
  expect(await mutate(cashier, 'sendTestNotice', { channel: 'email' })).toMatchObject(denied);
  expect((await cashier.ask(read)).data.viewer.noticeSettings).toEqual([]);

  const support = await signInAs('support', app, merchant);
  const chatUrl = 'https://chat.example/secret';
  await mutate(support, 'updateNoticeSettings', { settings, chatUrl });
  const { id } = await service.prisma.merchantUser.findFirstOrThrow({ where: { email: support.email } });
  const before = await service.prisma.noticeSetting.findMany({ where: { userId: id } });
  expect(before).toHaveLength(2);
  await mutate(owner, 'updateUser', { id, role: 'cashier' });
  expect(await service.prisma.noticeSetting.count({ where: { userId: id } })).toBe(0);
  expect((await support.ask(read)).data.viewer).toEqual({ chatHost: null, noticeSettings: [] });

  // The role is checked again when notices are written.
  await service.prisma.noticeSetting.createMany({ data: before });
  await receivePayments(service, merchant, 1);
  await seedAlert(service, merchant);
  await queueNotices(service, { now: noon });
  const recipients = (await readNotices(service, merchant)).map(({ recipient }) => recipient);
  expect(recipients.sort()).toEqual([merchant.email, owner.email].sort());
  await expectInvariants(service);
});

describe('A chat', () => {
  test('receives Slack’s payload, its address stays secret, and it is retried until it responds', async ({
    app,
    service,
    owner,
  }) => {
    const merchant = await seedMerchant(service, { name: 'Tea & <Cake>' });
    const user = await signInAs('owner', app, merchant);
    let status = 500;
    await using receiver = await startReceiver((request, response) => respondWith(status)(request, response));
    const chatUrl = `${receiver.url}/services/T0/B0/secret`;
    const settings = [setting('chat', 'payments', 'at_once'), setting('chat', 'accounts', 'at_once')];
    expect(await mutate(user, 'updateNoticeSettings', { settings })).toMatchObject({
      code: 'invalid_request',
      errors: [{ path: '/chatUrl' }],
    });
    await mutate(user, 'updateNoticeSettings', { settings, chatUrl });
    const { viewer } = (await user.ask(read)).data;
    expect(viewer.chatHost).toBe(new URL(receiver.url).host);
    expect(viewer.noticeSettings).toContainEqual(setting('chat', 'payments', 'at_once'));
    expect(viewer.noticeSettings).toContainEqual(setting('email', 'endpoints', 'at_once'));
    expect((await owner.ask(read)).data.viewer.chatHost).toBeNull();

    await receivePayments(service, merchant, 1);
    await seedAlert(service, merchant);
    await queueNotices(service, { now: noon });
    const send = (now: Date) =>
      sendDueMessages(service, 'chat', { allowPrivateTargets: true }, { clock: { now: () => now } });
    await send(noon);
    status = 200;
    await send(minutesAfter(noon, 5));
    await send(minutesAfter(noon, 10));
    expect(receiver.requests).toHaveLength(2);
    const [failed, delivered] = receiver.requests;
    expect(delivered).toMatchObject({ method: 'POST', path: '/services/T0/B0/secret', body: failed!.body });
    const { text, ...rest } = JSON.parse(delivered!.body);
    expect(rest).toEqual({});
    expect(text).toMatch(
      /^\*Tea &amp; &lt;Cake&gt;\*\n1 payment received: HK\$128\.50\n• HK\$128\.50 · FPS 轉數快 · /,
    );
    expect(text).toContain('1 bank feed or account alert\n• A bank feed is silent: ');
    const messages = await service.prisma.message.findMany({
      where: { channel: 'chat', merchantId: merchant.merchant.id },
    });
    expect(messages).toMatchObject([
      { recipient: new URL(receiver.url).host, status: 'sent', contentEncrypted: null, attemptCount: 2 },
    ]);

    const entries = await service.prisma.auditEntry.findMany({ where: { merchantId: merchant.merchant.id } });
    expect(entries.map(({ detail }) => detail)).toContainEqual(
      expect.objectContaining({
        chatHost: { from: null, to: new URL(receiver.url).host },
        chatPayments: { from: 'off', to: 'at_once' },
      }),
    );
    expect(JSON.stringify(entries)).not.toContain('secret');

    // Without the address, nothing is sent, and no other user can be reached.
    await mutate(user, 'updateNoticeSettings', { chatUrl: null });
    expect((await user.ask(read)).data.viewer.noticeSettings).toContainEqual(
      setting('chat', 'accounts', 'off'),
    );
    await receivePayments(service, merchant, 1);
    await queueNotices(service, { now: minutesAfter(noon, 20) });
    await send(minutesAfter(noon, 20));
    expect(receiver.requests).toHaveLength(2);
    await expectInvariants(service);
  });

  test('is tested on request, never at a private address, and is forgotten with its user', async ({
    app,
    service,
    merchant,
    owner,
  }) => {
    expect(await mutate(owner, 'sendTestNotice', { channel: 'chat' })).toMatchObject({
      code: 'invalid_request',
    });
    for (const chatUrl of ['http://chat.example/hook', 'https://me@chat.example/hook', 'not a URL'])
      expect(await mutate(owner, 'updateNoticeSettings', { chatUrl })).toMatchObject({
        code: 'invalid_request',
        errors: [{ path: '/chatUrl' }],
      });
    const support = await signInAs('support', app, merchant);
    await using receiver = await startReceiver();
    const chatUrl = `${receiver.url}/secret`;
    const settings = [setting('chat', 'payments', 'daily')];
    await mutate(support, 'updateNoticeSettings', { settings, chatUrl });
    await mutate(support, 'sendTestNotice', { channel: 'email' });
    const sent = await support.ask(
      'mutation { sendTestNotice(input: { channel: chat }) { ... on SendTestNoticeSuccess { outboundMessage { id } } } }',
    );
    const readTest = `{ outboundMessage(id: "${sent.data.sendTestNotice.outboundMessage.id}") { status lastError } }`;
    expect((await support.ask(readTest)).data.outboundMessage).toEqual({
      status: 'pending',
      lastError: null,
    });
    // A worker that may not reach private addresses rejects the address, even if it was saved.
    await sendDueMessages(service, 'chat', {});
    expect(receiver.requests).toEqual([]);
    // The user reads the result without being an owner, but other users do not.
    expect((await support.ask(readTest)).data.outboundMessage).toEqual({
      status: 'pending',
      lastError: 'the address is a private or loopback address',
    });
    const colleague = await signInAs('support', app, merchant);
    expect((await colleague.ask(readTest)).data.outboundMessage).toBeNull();
    const tests = await readNotices(service, merchant);
    expect(tests).toHaveLength(2);
    expect(tests.find(({ channel }) => channel === 'email')).toMatchObject({ recipient: support.email });
    expect(tests.find(({ channel }) => channel === 'chat')).toMatchObject({
      status: 'pending',
      lastError: expect.stringContaining('private'),
    });

    const { id } = await service.prisma.merchantUser.findFirstOrThrow({ where: { email: support.email } });
    await mutate(owner, 'removeUser', { id });
    expect(await service.prisma.noticeSetting.count({ where: { userId: id } })).toBe(0);
    const removed = await service.prisma.merchantUser.findUniqueOrThrow({ where: { id } });
    expect(removed.chatUrlEncrypted).toBeNull();
    const operator = await signInAs('operator', app);
    expect(await mutate(operator, 'updateNoticeSettings', { settings })).toMatchObject({
      code: 'permission_denied',
    });
  });
});

test('a new owner hears about payments and reviews if there is a mail server', async ({ service }) => {
  const settings = { ...service.settings, smtpUrl: 'smtp://127.0.0.1:1' };
  const seedOwner = async (withSettings: Service['settings'], email?: string) => {
    const input = { name: 'Mei Bakes', ...(email !== undefined && { email }) };
    const { merchant } = await createMerchant({ ...service, settings: withSettings }, { input, now: noon });
    const rows = await service.prisma.noticeSetting.findMany({
      where: { user: { merchantId: merchant.id } },
      orderBy: { topic: 'asc' },
    });
    return rows.map(({ topic, frequency }) => `${topic} ${frequency}`);
  };
  expect(await seedOwner(settings, 'mei@bakes.example')).toEqual(['payments daily', 'reviews at_once']);
  expect(await seedOwner(settings)).toEqual([]);
  expect(await seedOwner(service.settings, 'ken@bakes.example')).toEqual([]);
});
