import { beforeAll, describe, expect, test } from 'vitest';
import { relayEvents } from '../../src/event/relay-events.ts';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import { relayAndDeliver } from '../setup/deliver-notifications.ts';
import { createFakeClock } from '../setup/fake-clock.ts';
import {
  type GraphqlApp,
  type Json,
  mutate,
  setupGraphqlApp,
  subscribeOverWebSocket,
} from '../setup/graphql.ts';
import { seedEvent, seedWebhook } from '../setup/notifications.ts';
import { respondWith, startReceiver, switchable } from '../setup/receiver.ts';
import { minutesAfter, noon, seedApiKey, seedCompletedCharge } from '../setup/seed.ts';

const onCleanup = cleanupAfterFile();

const clock = createFakeClock(noon);
let app: GraphqlApp;

beforeAll(async () => {
  app = await setupGraphqlApp(onCleanup, { clock });
});

/** The one field of a mutation's answer; as the sandbox's key unless said otherwise. */
const change = (name: string, input: object, fields = '', as = app.merchant.keys.sandbox): Promise<Json> =>
  mutate(app, name, input, fields, as);

const webhookFields = `webhook { id url username notificationVersion eventTypes concurrency ratePerSecond isSigned consecutiveFailureCount
  failingSince pendingNotificationCount disabledAt disabledReason }`;
const create = (input: object, as = app.merchant.keys.sandbox) =>
  change(
    'createWebhook',
    { url: 'https://shop.example/hooks', username: 'shop', ...input },
    `password signingSecret ${webhookFields}`,
    as,
  );
const update = (input: object, as = app.merchant.keys.sandbox) =>
  change('updateWebhook', input, `signingSecret ${webhookFields}`, as);
const service = () => app.context.service;
/** A second later, so that what comes next is younger. */
const deliver = async () => {
  clock.advance(1_000);
  await relayAndDeliver(service(), clock);
};
const notificationFields = 'id status url isTest attemptCount attempts { number responseStatus }';
const list = async (filter: object): Promise<Json[]> => {
  const query = `query ($filter: NotificationFilter) {
    notifications(filter: $filter, first: 50) { totalCount nodes { ${notificationFields} kind event { type objectId } } } }`;
  const { data } = await app.ask(query, { variables: { filter }, as: app.merchant.keys.sandbox });
  expect(data.notifications.totalCount).toBe(data.notifications.nodes.length);
  return data.notifications.nodes;
};

describe('a webhook', () => {
  test('is made with limits and signatures; what was made for it is shown once', async () => {
    const made = await create({
      notificationVersion: '1.0',
      eventTypes: ['CHARGE_COMPLETE'],
      concurrency: 2,
      ratePerSecond: 5,
      isSigned: true,
    });
    expect(made).toMatchObject({
      __typename: 'CreateWebhookSuccess',
      password: expect.stringMatching(/^[\w-]{32}$/),
      signingSecret: expect.stringMatching(/^whsec_/),
      webhook: {
        notificationVersion: '1.0',
        eventTypes: ['CHARGE_COMPLETE'],
        concurrency: 2,
        ratePerSecond: 5,
        isSigned: true,
        pendingNotificationCount: 0,
      },
    });
    const stored = await service().prisma.webhook.findUniqueOrThrow({ where: { id: made.webhook.id } });
    const { id, passwordEncrypted } = stored;
    expect(await service().secrets.decrypt(passwordEncrypted, 'webhook.password_encrypted', id)).toBe(
      made.password,
    );
    expect(await create({ password: 'mine' })).toMatchObject({ password: null, signingSecret: null });
  });

  test.each([
    [{ concurrency: 0 }, '/concurrency'],
    [{ concurrency: 51 }, '/concurrency'],
    [{ ratePerSecond: 1_001 }, '/ratePerSecond'],
    [{ notificationVersion: '0.7' }, '/notificationVersion'],
    [{ eventTypes: ['charge_expired'] }, '/eventTypes/0'],
    [{ url: 'https://user:secret@shop.example/' }, '/url'],
    [{ username: 'a:b' }, '/username'],
  ])('with %j is refused, made or changed', async (input, path) => {
    const refusal = { __typename: 'InvalidRequestError', code: 'invalid_request', errors: [{ path }] };
    expect(await create(input)).toMatchObject(refusal);
    const { webhook } = await create({});
    expect(await update({ id: webhook.id, ...input })).toMatchObject(refusal);
  });

  test('changes in what is given alone; limits are taken away by null', async () => {
    const { webhook } = await create({
      notificationVersion: '1.0',
      eventTypes: ['charge_expired'],
      concurrency: 2,
      ratePerSecond: 3,
    });
    expect(await update({ id: webhook.id, concurrency: null, username: 'till' })).toMatchObject({
      webhook: { ...webhook, concurrency: null, ratePerSecond: 3, username: 'till' },
    });
    expect(await update({ id: webhook.id, notificationVersion: '0.8' })).toMatchObject({
      code: 'invalid_request',
      errors: [{ path: '/eventTypes/0' }],
    });
    expect(await update({ id: webhook.id, notificationVersion: '0.8', eventTypes: [] })).toMatchObject({
      webhook: { notificationVersion: '0.8', eventTypes: [] },
    });
  });

  test('deleted is not found any more, and what was on its way is skipped', async () => {
    await using receiver = await startReceiver(respondWith(500));
    const { webhook } = await create({ url: receiver.url });
    await seedEvent(service(), app.merchant, { mode: 'sandbox' });
    await deliver();
    expect(await change('deleteWebhook', { id: webhook.id }, 'webhook { id }')).toEqual({
      __typename: 'DeleteWebhookSuccess',
      webhook: { id: webhook.id },
    });
    expect(await update({ id: webhook.id, username: 'x' })).toMatchObject({ code: 'webhook_not_found' });
    clock.advance(60_000);
    await deliver();
    const [notification] = await list({ webhookId: webhook.id });
    expect(notification).toMatchObject({ status: 'skipped', attemptCount: 1 });
    expect(await change('resendNotification', { id: notification.id }, 'notification { id }')).toMatchObject({
      code: 'webhook_not_found',
    });
  });

  test('is managed by those who may, and is nobody else’s', async () => {
    const { webhook } = await create({});
    const { sandbox, live } = app.otherMerchant.keys;
    for (const as of [sandbox, live, app.merchant.keys.live]) {
      expect(await update({ id: webhook.id, username: 'x' }, as)).toMatchObject({
        code: 'webhook_not_found',
      });
    }
    const writer = await seedApiKey(service(), app.merchant, {
      mode: 'sandbox',
      permissions: ['read', 'write'],
    });
    expect(await create({}, writer)).toMatchObject({ code: 'permission_denied' });
    expect(await change('replayNotifications', { createdFrom: noon }, 'replayedCount', writer)).toMatchObject(
      {
        code: 'permission_denied',
      },
    );
  });
});

describe('the delivery log', () => {
  test('sends a test of an invented charge, once, that no event log and no alert has', async () => {
    await using receiver = await startReceiver(respondWith(500));
    const { webhook } = await create({ url: receiver.url });
    await update({ id: webhook.id, isEnabled: false });
    const { notifications } = await change(
      'sendTestNotification',
      { webhookId: webhook.id },
      `notifications { ${notificationFields} }`,
    );
    expect(notifications).toMatchObject([{ status: 'pending', isTest: true, url: receiver.url }]);
    await deliver();
    expect(receiver.requests[0]?.headers).toMatchObject({ 'webhook-test': 'true' });
    expect(JSON.parse(receiver.requests[0]!.body)).toMatchObject({
      message: 'CHARGE_COMPLETE',
      payload: { status: 'completed', merchantId: app.merchant.merchant.id },
    });
    expect(await list({ webhookId: webhook.id })).toMatchObject([{ status: 'failed', attemptCount: 1 }]);
    const { data } = await app.ask(
      '{ events(first: 50) { nodes { objectId } } alerts { nodes { webhookId } } }',
      {
        as: app.merchant.keys.sandbox,
      },
    );
    const chargeId = JSON.parse(receiver.requests[0]!.body).chargeId;
    expect(data.events.nodes.map((event: Json) => event.objectId)).not.toContain(chargeId);
    expect(data.alerts.nodes.map((alert: Json) => alert.webhookId)).not.toContain(webhook.id);
    await change('deleteWebhook', { id: webhook.id });
  });

  test('sends a test to all webhooks that are on when none is named', async () => {
    await using receiver = await startReceiver();
    const merchant = app.otherMerchant;
    await seedWebhook(service(), merchant, { url: `${receiver.url}/a` });
    await seedWebhook(service(), merchant, { url: `${receiver.url}/b` });
    const off = await seedWebhook(service(), merchant, { url: `${receiver.url}/off` });
    await update({ id: off.id, isEnabled: false }, merchant.keys.live);
    await change('sendTestNotification', {}, '', merchant.keys.live);
    await deliver();
    expect(receiver.requests.map(({ path }) => path).sort()).toEqual(['/a', '/b']);
  });

  test('resends one with the same webhook-id, live to whoever watches; what a switched-off webhook missed is replayed', async () => {
    const endpoint = switchable(410);
    await using receiver = await startReceiver(endpoint);
    const { webhook } = await create({ url: receiver.url });
    await seedEvent(service(), app.merchant, { mode: 'sandbox', now: clock.now() });
    await deliver();
    await seedEvent(service(), app.merchant, { mode: 'sandbox', now: clock.now() });
    await deliver();
    const [skipped, failed] = await list({ webhookId: webhook.id });
    expect([failed.status, skipped.status]).toEqual(['failed', 'skipped']);
    const resend = () => change('resendNotification', { id: failed.id }, 'notification { status }');
    expect(await resend()).toMatchObject({ code: 'webhook_disabled' });
    const openAlerts = async (): Promise<Json[]> => {
      const asked = '{ alerts(open: true, first: 50) { nodes { id kind url detail webhookId } } }';
      const { data } = await app.ask(asked, { as: app.merchant.keys.sandbox });
      return data.alerts.nodes.filter(({ webhookId }: Json) => webhookId === webhook.id);
    };
    const [alert, ...others] = await openAlerts();
    expect(alert).toMatchObject({ kind: 'webhook_disabled', detail: 'The endpoint responded with 410 Gone' });
    expect(others).toEqual([]);
    await change('dismissAlert', { id: alert.id });
    expect(await openAlerts()).toEqual([]);

    endpoint.works = true;
    expect(await update({ id: webhook.id, isEnabled: true })).toMatchObject({
      webhook: { disabledAt: null },
    });
    const following = 'subscription ($id: ID!) { notificationUpdated(id: $id) { status attemptCount } }';
    const watched = subscribeOverWebSocket(onCleanup, app.url, app.merchant.keys.sandbox, following, {
      id: failed.id,
    });
    expect(await watched.next()).toMatchObject({
      data: { notificationUpdated: { status: 'failed', attemptCount: 1 } },
    });
    expect(await resend()).toMatchObject({ notification: { status: 'pending' } });
    await deliver();
    let seen: Json;
    do seen = (await watched.next()).data.notificationUpdated;
    while (seen.status !== 'delivered');
    expect(seen).toEqual({ status: 'delivered', attemptCount: 2 });
    await watched.close();

    const replay = (input: object) => change('replayNotifications', input, 'replayedCount hasMore');
    expect(await replay({ createdFrom: minutesAfter(clock.now(), 1) })).toMatchObject({ replayedCount: 0 });
    const since = minutesAfter(clock.now(), -1);
    expect(await replay({ createdFrom: since, webhookId: webhook.id })).toMatchObject({
      replayedCount: 1,
      hasMore: false,
    });
    await deliver();
    const ids = receiver.requests.map(({ headers }) => headers['webhook-id']);
    expect(ids).toHaveLength(3);
    expect(ids[0]).toBe(ids[1]);
    expect(ids[2]).not.toBe(ids[0]);
    expect((await list({ webhookId: webhook.id })).map(({ status }) => status)).toEqual([
      'delivered',
      'delivered',
    ]);
    await change('deleteWebhook', { id: webhook.id });
  });

  test('filters by kind, status, webhook, message, charge and time', async () => {
    await using receiver = await startReceiver();
    const first = await seedWebhook(service(), app.merchant, {
      mode: 'sandbox',
      url: receiver.url,
      notificationVersion: '1.0',
    });
    clock.advance(60_000);
    const now = clock.now();
    const input = { notifyUrl: `${receiver.url}/callback` };
    const charge = await seedCompletedCharge(service(), app.merchant, { input, now });
    await deliver();
    await seedEvent(service(), app.merchant, {
      mode: 'sandbox',
      type: 'charge_expired',
      now: clock.now(),
    });
    await relayEvents(service(), { now: clock.now() });
    const webhookId = first.id;
    expect(await list({ webhookId, eventTypes: 'charge_expired' })).toMatchObject([{ status: 'pending' }]);
    expect(await list({ webhookId, statuses: ['delivered', 'failed'] })).toMatchObject([
      { status: 'delivered', event: { type: 'CHARGE_COMPLETE', objectId: charge.id } },
    ]);
    const ofCharge = await list({ chargeId: charge.id, statuses: ['delivered'] });
    expect(ofCharge.map(({ kind }) => kind)).toContain('callback');
    expect(await list({ chargeId: charge.id, kind: 'callback' })).toMatchObject([
      { url: `${receiver.url}/callback`, attempts: [{ number: 1, responseStatus: 200 }] },
    ]);
    expect(await list({ webhookId, createdFrom: minutesAfter(clock.now(), 1) })).toEqual([]);
    expect(await list({ webhookId, createdTo: minutesAfter(now, -1) })).toEqual([]);
    expect(await list({ webhookId, createdFrom: now })).toHaveLength(2);
  });
});
