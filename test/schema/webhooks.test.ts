import { describe, expect, onTestFinished } from 'vitest';
import type { Service } from '../../src/domain/platform/service.ts';
import { relayEvents } from '../../src/event/relay-events.ts';
import { fakeTimeGraphqlTest } from '../setup/app-fixtures.ts';
import { relayAndDeliver } from '../setup/deliver-notifications.ts';
import type { FakeClock } from '../setup/fake-clock.ts';
import { type GraphqlApp, type Json, mutate, subscribeOverWebSocket } from '../setup/graphql.ts';
import { seedEvent, seedWebhook } from '../setup/notifications.ts';
import { respondWith, startReceiver, switchable } from '../setup/receiver.ts';
import { minutesAfter, noon, seedApiKey, seedCompletedCharge, seedMerchant } from '../setup/seed.ts';

const test = fakeTimeGraphqlTest.extend('merchant', ({ service }) => seedMerchant(service));

/** Calls a mutation, with the sandbox key by default. */
const change = (
  app: GraphqlApp,
  name: string,
  input: object,
  fields = '',
  as = app.merchant.keys.sandbox,
): Promise<Json> => mutate(app, name, input, fields, as);

const webhookFields = `webhook { id url username notificationVersion eventTypes concurrency ratePerSecond isSigned consecutiveFailureCount
  failingSince pendingNotificationCount disabledAt disabledReason }`;

const create = (app: GraphqlApp, input: object, as = app.merchant.keys.sandbox) =>
  change(
    app,
    'createWebhook',
    { url: 'https://shop.example/hooks', username: 'shop', ...input },
    `password signingSecret ${webhookFields}`,
    as,
  );

const update = (app: GraphqlApp, input: object, as = app.merchant.keys.sandbox) =>
  change(app, 'updateWebhook', input, `signingSecret ${webhookFields}`, as);

/** Advances the clock, so that later notifications have a later time. */
const deliver = async (service: Service, clock: FakeClock) => {
  clock.advance(1_000);
  await relayAndDeliver(service, clock);
};

const notificationFields = 'id status url isTest attemptCount attempts { number responseStatus }';

const list = async (app: GraphqlApp, filter: object): Promise<Json[]> => {
  const query = `query ($filter: NotificationFilter) {
    notifications(filter: $filter, first: 50) { totalCount nodes { ${notificationFields} kind event { type objectId } } } }`;
  const { data } = await app.ask(query, { variables: { filter }, as: app.merchant.keys.sandbox });
  expect(data.notifications.totalCount).toBe(data.notifications.nodes.length);
  return data.notifications.nodes;
};

describe('Webhook', () => {
  test('is created with limits and signatures, and shows its generated secrets once', async ({
    app,
    service,
  }) => {
    const created = await create(app, {
      notificationVersion: 'v1_0',
      eventTypes: ['CHARGE_COMPLETE'],
      concurrency: 2,
      ratePerSecond: 5,
      isSigned: true,
    });
    expect(created).toMatchObject({
      __typename: 'CreateWebhookSuccess',
      password: expect.stringMatching(/^[\w-]{32}$/),
      signingSecret: expect.stringMatching(/^whsec_/),
      webhook: {
        notificationVersion: 'v1_0',
        eventTypes: ['CHARGE_COMPLETE'],
        concurrency: 2,
        ratePerSecond: 5,
        isSigned: true,
        pendingNotificationCount: 0,
      },
    });
    const stored = await service.prisma.webhook.findUniqueOrThrow({ where: { id: created.webhook.id } });
    const { id, passwordEncrypted } = stored;
    expect(await service.secrets.decrypt(passwordEncrypted, 'webhook.password_encrypted', id)).toBe(
      created.password,
    );
    expect(await create(app, { password: 'mine' })).toMatchObject({ password: null, signingSecret: null });
  });

  test.for([
    [{ concurrency: 0 }, '/concurrency'],
    [{ concurrency: 51 }, '/concurrency'],
    [{ ratePerSecond: 1_001 }, '/ratePerSecond'],
    [{ eventTypes: ['charge_expired'] }, '/eventTypes/0'],
    [{ url: 'https://user:secret@shop.example/' }, '/url'],
    [{ username: 'a:b' }, '/username'],
  ] as const)('is rejected with %j, on creation and on update', async ([input, path], { app }) => {
    const invalid = { __typename: 'InvalidRequestError', code: 'invalid_request', errors: [{ path }] };
    expect(await create(app, input)).toMatchObject(invalid);
    const { webhook } = await create(app, {});
    expect(await update(app, { id: webhook.id, ...input })).toMatchObject(invalid);
  });

  test.for([{ notificationVersion: 'v0_7' }, { notificationVersion: '1.0' }, { eventTypes: ['toString'] }])(
    'does not accept %j in a document',
    async (input, { app }) => {
      const query = 'mutation ($input: CreateWebhookInput!) { createWebhook(input: $input) { __typename } }';
      const variables = { input: { url: 'https://shop.example/hooks', username: 'shop', ...input } };
      const { data, errors } = await app.ask(query, { variables, as: app.merchant.keys.sandbox });
      expect(data).toBeUndefined();
      expect(errors[0].message).toContain(
        `does not exist in "${Object.keys(input)[0] === 'eventTypes' ? 'EventType' : 'NotificationVersion'}" enum`,
      );
    },
  );

  test('is updated with the given fields only, and null removes limits', async ({ app }) => {
    const { webhook } = await create(app, {
      notificationVersion: 'v1_0',
      eventTypes: ['charge_expired'],
      concurrency: 2,
      ratePerSecond: 3,
    });
    expect(await update(app, { id: webhook.id, concurrency: null, username: 'checkout' })).toMatchObject({
      webhook: { ...webhook, concurrency: null, ratePerSecond: 3, username: 'checkout' },
    });
    expect(await update(app, { id: webhook.id, notificationVersion: 'v0_8' })).toMatchObject({
      code: 'invalid_request',
      errors: [{ path: '/eventTypes/0' }],
    });
    expect(await update(app, { id: webhook.id, notificationVersion: 'v0_8', eventTypes: [] })).toMatchObject({
      webhook: { notificationVersion: 'v0_8', eventTypes: [], disabledReason: null },
    });
    expect(await update(app, { id: webhook.id, isEnabled: false })).toMatchObject({
      webhook: { disabledReason: 'manual' },
    });
  });

  test('is not found after it was deleted, and its pending notifications are skipped', async ({
    app,
    service,
    clock,
  }) => {
    await using receiver = await startReceiver(respondWith(500));
    const { webhook } = await create(app, { url: receiver.url });
    await seedEvent(service, app.merchant, { mode: 'sandbox' });
    await deliver(service, clock);
    expect(await change(app, 'deleteWebhook', { id: webhook.id }, 'deletedWebhookId')).toEqual({
      __typename: 'DeleteWebhookSuccess',
      deletedWebhookId: webhook.id,
    });
    expect(await update(app, { id: webhook.id, username: 'x' })).toMatchObject({ code: 'webhook_not_found' });
    clock.advance(60_000);
    await deliver(service, clock);
    const [notification] = await list(app, { webhookId: webhook.id });
    expect(notification).toMatchObject({ status: 'skipped', attemptCount: 1 });
    expect(
      await change(app, 'resendNotification', { id: notification.id }, 'notification { id }'),
    ).toMatchObject({
      code: 'webhook_not_found',
    });
  });

  test('is managed only with the permission, and by its merchant', async ({ app, service }) => {
    const { webhook } = await create(app, {});
    const { sandbox, live } = app.otherMerchant.keys;
    for (const as of [sandbox, live, app.merchant.keys.live]) {
      expect(await update(app, { id: webhook.id, username: 'x' }, as)).toMatchObject({
        code: 'webhook_not_found',
      });
    }
    const writer = await seedApiKey(service, app.merchant, {
      mode: 'sandbox',
      permissions: ['read', 'write'],
    });
    expect(await create(app, {}, writer)).toMatchObject({ code: 'permission_denied' });
    expect(
      await change(app, 'replayNotifications', { createdFrom: noon }, 'replayedCount', writer),
    ).toMatchObject({
      code: 'permission_denied',
    });
  });
});

describe('Delivery log', () => {
  test('sends one test of a sample charge, without an event and without an alert', async ({
    app,
    service,
    clock,
  }) => {
    await using receiver = await startReceiver(respondWith(500));
    const { webhook } = await create(app, { url: receiver.url });
    await update(app, { id: webhook.id, isEnabled: false });
    const { notifications } = await change(
      app,
      'sendTestNotification',
      { webhookId: webhook.id },
      `notifications { ${notificationFields} }`,
    );
    expect(notifications).toMatchObject([{ status: 'pending', isTest: true, url: receiver.url }]);
    await deliver(service, clock);
    expect(receiver.requests[0]?.headers).toMatchObject({ 'webhook-test': 'true' });
    expect(JSON.parse(receiver.requests[0]!.body)).toMatchObject({
      message: 'CHARGE_COMPLETE',
      payload: { status: 'completed', merchantId: app.merchant.merchant.id },
    });
    expect(await list(app, { webhookId: webhook.id })).toMatchObject([{ status: 'failed', attemptCount: 1 }]);
    const query = '{ events(first: 50) { nodes { objectId } } alerts { nodes { webhook { id } } } }';
    const { data } = await app.ask(query, { as: app.merchant.keys.sandbox });
    const chargeId = JSON.parse(receiver.requests[0]!.body).chargeId;
    expect(data.events.nodes.map((event: Json) => event.objectId)).not.toContain(chargeId);
    expect(data.alerts.nodes.map((alert: Json) => alert.webhook?.id)).not.toContain(webhook.id);
    await change(app, 'deleteWebhook', { id: webhook.id });
  });

  test('sends a test to all enabled webhooks if none is given', async ({ app, service, clock }) => {
    await using receiver = await startReceiver();
    const merchant = app.otherMerchant;
    await seedWebhook(service, merchant, { url: `${receiver.url}/a` });
    await seedWebhook(service, merchant, { url: `${receiver.url}/b` });
    const disabled = await seedWebhook(service, merchant, { url: `${receiver.url}/disabled` });
    await update(app, { id: disabled.id, isEnabled: false }, merchant.keys.live);
    await change(app, 'sendTestNotification', {}, '', merchant.keys.live);
    await deliver(service, clock);
    expect(receiver.requests.map(({ path }) => path).sort()).toEqual(['/a', '/b']);
  });

  test('resends a notification with the same webhook-id and live updates, and replays what a disabled webhook missed', async ({
    app,
    service,
    clock,
  }) => {
    const endpoint = switchable(410);
    await using receiver = await startReceiver(endpoint);
    const { webhook } = await create(app, { url: receiver.url });
    await seedEvent(service, app.merchant, { mode: 'sandbox', now: clock.now() });
    await deliver(service, clock);
    await seedEvent(service, app.merchant, { mode: 'sandbox', now: clock.now() });
    await deliver(service, clock);
    const [skipped, failed] = await list(app, { webhookId: webhook.id });
    expect([failed.status, skipped.status]).toEqual(['failed', 'skipped']);
    const resend = () => change(app, 'resendNotification', { id: failed.id }, 'notification { status }');
    expect(await resend()).toMatchObject({ code: 'webhook_disabled' });
    const listAlerts = async (isDismissed: boolean): Promise<Json[]> => {
      const query = `{ alerts(filter: { isDismissed: ${isDismissed} }, first: 50) {
        nodes { id kind url detail webhook { id } notification { id } receivingAccount { id } } } }`;
      const { data } = await app.ask(query, { as: app.merchant.keys.sandbox });
      return data.alerts.nodes.filter(({ webhook: alerted }: Json) => alerted?.id === webhook.id);
    };
    const [alert, ...others] = await listAlerts(false);
    expect(alert).toMatchObject({
      kind: 'webhook_disabled',
      detail: 'The endpoint responded with 410 Gone',
      receivingAccount: null,
    });
    expect(others).toEqual([]);
    await change(app, 'dismissAlert', { id: alert.id });
    expect(await listAlerts(false)).toEqual([]);
    expect(await listAlerts(true)).toMatchObject([{ id: alert.id }]);

    endpoint.works = true;
    expect(await update(app, { id: webhook.id, isEnabled: true })).toMatchObject({
      webhook: { disabledAt: null },
    });
    const subscription = 'subscription ($id: ID!) { notificationUpdated(id: $id) { status attemptCount } }';
    const updates = subscribeOverWebSocket(onTestFinished, app.url, app.merchant.keys.sandbox, subscription, {
      id: failed.id,
    });
    expect(await updates.next()).toMatchObject({
      data: { notificationUpdated: { status: 'failed', attemptCount: 1 } },
    });
    expect(await resend()).toMatchObject({ notification: { status: 'pending' } });
    await deliver(service, clock);
    let log: Json;
    do log = (await updates.next()).data.notificationUpdated;
    while (log.status !== 'delivered');
    expect(log).toEqual({ status: 'delivered', attemptCount: 2 });
    await updates.close();

    const replay = (input: object) => change(app, 'replayNotifications', input, 'replayedCount hasMore');
    expect(await replay({ createdFrom: minutesAfter(clock.now(), 1) })).toMatchObject({ replayedCount: 0 });
    const since = minutesAfter(clock.now(), -1);
    expect(await replay({ createdFrom: since, webhookId: webhook.id })).toMatchObject({
      replayedCount: 1,
      hasMore: false,
    });
    await deliver(service, clock);
    const ids = receiver.requests.map(({ headers }) => headers['webhook-id']);
    expect(ids).toHaveLength(3);
    expect(ids[0]).toBe(ids[1]);
    expect(ids[2]).not.toBe(ids[0]);
    expect((await list(app, { webhookId: webhook.id })).map(({ status }) => status)).toEqual([
      'delivered',
      'delivered',
    ]);
    await change(app, 'deleteWebhook', { id: webhook.id });
    const reread = `{ alert(id: "${alert.id}") { id webhook { id } } }`;
    const { data } = await app.ask(reread, { as: app.merchant.keys.sandbox });
    expect(data.alert).toEqual({ id: alert.id, webhook: null });
  });

  test('filters by kind, status, webhook, event type, charge and time', async ({ app, service, clock }) => {
    await using receiver = await startReceiver();
    const first = await seedWebhook(service, app.merchant, {
      mode: 'sandbox',
      url: receiver.url,
      notificationVersion: '1.0',
    });
    clock.advance(60_000);
    const now = clock.now();
    const input = { notifyUrl: `${receiver.url}/callback` };
    const charge = await seedCompletedCharge(service, app.merchant, { input, now });
    await deliver(service, clock);
    await seedEvent(service, app.merchant, {
      mode: 'sandbox',
      type: 'charge_expired',
      now: clock.now(),
    });
    await relayEvents(service, { now: clock.now() });
    const webhookId = first.id;
    expect(await list(app, { webhookId, eventTypes: ['charge_expired'] })).toMatchObject([
      { status: 'pending' },
    ]);
    expect(await list(app, { webhookId, eventTypes: ['charge_expired', 'CHARGE_COMPLETE'] })).toHaveLength(2);
    expect(await list(app, { webhookId, eventTypes: [] })).toHaveLength(2);
    expect(await list(app, { webhookId, statuses: ['delivered', 'failed'] })).toMatchObject([
      { status: 'delivered', event: { type: 'CHARGE_COMPLETE', objectId: charge.id } },
    ]);
    const chargeNotifications = await list(app, { chargeId: charge.id, statuses: ['delivered'] });
    expect(chargeNotifications.map(({ kind }) => kind)).toContain('callback');
    expect(await list(app, { chargeId: charge.id, kind: 'callback' })).toMatchObject([
      { url: `${receiver.url}/callback`, attempts: [{ number: 1, responseStatus: 200 }] },
    ]);
    expect(await list(app, { webhookId, createdFrom: minutesAfter(clock.now(), 1) })).toEqual([]);
    expect(await list(app, { webhookId, createdTo: minutesAfter(now, -1) })).toEqual([]);
    expect(await list(app, { webhookId, createdFrom: now })).toHaveLength(2);
  });
});

test('Webhooks and notifications are read with the keys of the merchant and mode only', async ({
  app,
  service,
  clock,
  merchant,
}) => {
  const webhook = await seedWebhook(service, merchant, {
    mode: 'sandbox',
    eventTypes: ['CHARGE_COMPLETE'],
  });
  const deleted = await seedWebhook(service, merchant, { mode: 'sandbox' });
  await service.prisma.webhook.update({ where: { id: deleted.id }, data: { deletedAt: clock.now() } });
  const charge = await seedCompletedCharge(service, merchant, {
    input: { notifyUrl: 'https://shop.example/callback' },
    now: clock.now(),
  });
  await relayEvents(service, { now: clock.now() });
  const pending = await service.prisma.notification.findFirstOrThrow({ where: { webhookId: webhook.id } });
  await service.prisma.notificationAttempt.create({
    data: {
      id: 'at_01m7xqwctb4wh8f52f4yx8qahg',
      notificationId: pending.id,
      number: 1,
      startedAt: clock.now(),
      durationMs: 12,
      responseStatus: 503,
      responseBody: 'busy',
    },
  });
  const query = `{
    webhooks { totalCount nodes { id url username notificationVersion eventTypes disabledAt disabledReason } }
    webhook(id: "${webhook.id}") { id } deleted: webhook(id: "${deleted.id}") { id } deletedNode: node(id: "${deleted.id}") { id }
    notifications { totalCount nodes { kind url event { type } webhook { id } attempts { number durationMs responseStatus error responseBody notification { id } } } }
    notification(id: "${pending.id}") { id } attempt: node(id: "at_01m7xqwctb4wh8f52f4yx8qahg") { __typename id }
  }`;
  const { data } = await app.ask(query, { as: merchant.keys.sandbox });
  expect(data).toMatchObject({
    webhooks: {
      totalCount: 1,
      nodes: [
        {
          id: webhook.id,
          username: 'shop',
          notificationVersion: 'v0_9',
          eventTypes: ['CHARGE_COMPLETE'],
          disabledAt: null,
        },
      ],
    },
    webhook: { id: webhook.id },
    deleted: null,
    deletedNode: null,
    notifications: {
      totalCount: 2,
      nodes: expect.arrayContaining([
        {
          kind: 'callback',
          url: 'https://shop.example/callback',
          event: { type: 'CHARGE_COMPLETE' },
          webhook: null,
          attempts: [],
        },
        {
          kind: 'webhook',
          url: 'https://shop.example/hooks',
          event: { type: 'CHARGE_COMPLETE' },
          webhook: { id: webhook.id },
          attempts: [
            {
              number: 1,
              durationMs: 12,
              responseStatus: 503,
              error: null,
              responseBody: 'busy',
              notification: { id: pending.id },
            },
          ],
        },
      ]),
    },
    notification: { id: pending.id },
    attempt: { __typename: 'NotificationAttempt' },
  });
  const { data: chargeData } = await app.ask(`{ charge(id: "${charge.id}") { notifications { kind } } }`, {
    as: merchant.keys.sandbox,
  });
  expect(chargeData.charge.notifications).toHaveLength(2);
  for (const as of [merchant.keys.live, app.otherMerchant.keys.sandbox]) {
    const { data: foreign } = await app.ask(query, { as });
    expect(foreign).toMatchObject({
      webhooks: { totalCount: 0 },
      webhook: null,
      notifications: { totalCount: 0 },
      notification: null,
      attempt: null,
    });
  }
});
