import { beforeAll, expect, test } from 'vitest';
import { relayEvents } from '../../src/event/relay-events.ts';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import { type GraphqlApp, setupGraphqlApp } from '../setup/graphql.ts';
import { seedWebhook } from '../setup/notifications.ts';
import { seedCompletedCharge } from '../setup/seed.ts';

const onCleanup = cleanupAfterFile();

let app: GraphqlApp;

beforeAll(async () => {
  app = await setupGraphqlApp(onCleanup);
});

test('webhooks and notifications can be read, of the own merchant and mode', async () => {
  const { service } = app.context;
  const webhook = await seedWebhook(service, app.merchant, {
    mode: 'sandbox',
    eventTypes: ['CHARGE_COMPLETE'],
  });
  const gone = await seedWebhook(service, app.merchant, { mode: 'sandbox' });
  await service.prisma.webhook.update({ where: { id: gone.id }, data: { deletedAt: new Date() } });
  const charge = await seedCompletedCharge(service, app.merchant, {
    input: { notifyUrl: 'https://shop.example/callback' },
    now: new Date(),
  });
  await relayEvents(service, { now: new Date() });
  const pending = await service.prisma.notification.findFirstOrThrow({ where: { webhookId: webhook.id } });
  await service.prisma.notificationAttempt.create({
    data: {
      id: 'at_01m7xqwctb4wh8f52f4yx8qahg',
      notificationId: pending.id,
      number: 1,
      startedAt: new Date(),
      durationMs: 12,
      responseStatus: 503,
      responseBody: 'busy',
    },
  });
  const query = `{
    webhooks { totalCount nodes { id url username notificationVersion eventTypes disabledAt disabledReason } }
    webhook(id: "${webhook.id}") { id } gone: webhook(id: "${gone.id}") { id } goneNode: node(id: "${gone.id}") { id }
    notifications { totalCount nodes { kind url event { type } webhook { id } attempts { number durationMs responseStatus error responseBody notification { id } } } }
    notification(id: "${pending.id}") { id } attempt: node(id: "at_01m7xqwctb4wh8f52f4yx8qahg") { __typename id }
  }`;
  const { data } = await app.ask(query, { as: app.merchant.keys.sandbox });
  expect(data).toMatchObject({
    webhooks: {
      totalCount: 1,
      nodes: [
        {
          id: webhook.id,
          username: 'shop',
          notificationVersion: '0.9',
          eventTypes: ['CHARGE_COMPLETE'],
          disabledAt: null,
        },
      ],
    },
    webhook: { id: webhook.id },
    gone: null,
    goneNode: null,
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
  const { data: told } = await app.ask(`{ charge(id: "${charge.id}") { notifications { kind } } }`, {
    as: app.merchant.keys.sandbox,
  });
  expect(told.charge.notifications).toHaveLength(2);
  for (const as of [app.merchant.keys.live, app.otherMerchant.keys.sandbox]) {
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
