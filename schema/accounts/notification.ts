import type { Notification, Prisma } from '../../prisma/client/client.ts';
import { createdBetween } from '../../src/domain/platform/created-between.ts';
import { checkText } from '../../src/kit/text.ts';
import { merchantOnly } from '../kit/access.ts';
import { builder, type InferInput } from '../kit/builder.ts';
import { createConnectionType, idPagingOptions, toKeysetQuery } from '../kit/connection.ts';
import { type GraphqlContext, getMerchantScope } from '../kit/graphql-context.ts';
import { watchNotification, watchNotifications } from '../kit/live.ts';
import { createLoader } from '../kit/loader.ts';
import { createdBetweenFields, filterArg, inList, parseCreatedBetween } from '../list-filters.ts';
import { EventTypeEnum } from '../platform/event-type.ts';

const NotificationKind = builder.enumType('NotificationKind', {
  description: 'Whether a notification is sent to a webhook or to the callback URL of a charge.',
  values: {
    webhook: { description: 'The endpoint is a webhook. Notifications carry HTTP Basic authentication.' },
    callback: {
      description:
        'The endpoint is the callback URL (`notifyUrl`) of a charge. Notifications are signed with a certificate.',
    },
  },
});

const NotificationStatus = builder.enumType('NotificationStatus', {
  description: 'Whether a notification is waiting, was delivered, failed or was skipped.',
  values: {
    pending: {
      description: 'The notification has not been delivered yet. An attempt is scheduled or in progress.',
    },
    delivered: { description: 'The notification was delivered: your endpoint responded with a 2xx status.' },
    failed: { description: 'The notification was not delivered, and there are no more automatic retries.' },
    skipped: { description: 'The notification was not sent because the webhook was disabled or deleted.' },
  },
});

export const NotificationType = builder.prismaNode('Notification', {
  id: { field: 'id' },
  nullable: true,
  findUnique: (id, context) => ({ id, ...getMerchantScope(context) }),
  description: 'The delivery of one event to one endpoint.',
  fields: (t) => ({
    kind: t.expose('kind', {
      type: NotificationKind,
      description: 'Whether the notification is sent to a webhook or to the callback URL of a charge.',
    }),
    status: t.expose('status', {
      type: NotificationStatus,
      description: 'The status of the delivery, such as `pending` or `delivered`.',
    }),
    url: t.exposeString('url', { description: 'The URL to which the notification is sent.' }),
    attemptCount: t.exposeInt('attemptCount', { description: 'The number of attempts so far.' }),
    nextAttemptAt: t.expose('nextAttemptAt', {
      type: 'DateTime',
      nullable: true,
      description: 'The time of the next attempt. Null if there are no more attempts.',
    }),
    finishedAt: t.expose('finishedAt', {
      type: 'DateTime',
      nullable: true,
      description:
        'The time at which the notification was delivered, failed or was skipped. Null while it is pending.',
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      description: 'The time at which the notification was created.',
    }),
    event: t.relation('event', { description: 'The event that the notification reports.' }),
    isTest: t.boolean({
      description:
        'Whether this is a test notification for a fictitious charge, with the header `webhook-test: true`.',
      select: { event: { select: { test: true } } },
      resolve: ({ event }) => event.test,
    }),
    webhook: t.relation('webhook', {
      nullable: true,
      description:
        'The webhook to which the notification is sent. Null for a notification to a callback URL.',
    }),
    attempts: t.relation('attempts', {
      description: 'The attempts of the last 90 days, oldest first.',
      query: { orderBy: { number: 'asc' } },
    }),
  }),
});

const NotificationAttemptType = builder.prismaNode('NotificationAttempt', {
  id: { field: 'id' },
  nullable: true,
  findUnique: (id, context) => ({ id, notification: getMerchantScope(context) }),
  description: 'A single attempt to deliver a notification.',
  fields: (t) => ({
    number: t.exposeInt('number', { description: 'The number of the attempt, starting at 1.' }),
    startedAt: t.expose('startedAt', {
      type: 'DateTime',
      description: 'The time at which the attempt started.',
    }),
    durationMs: t.exposeInt('durationMs', { description: 'The duration of the attempt in milliseconds.' }),
    responseStatus: t.exposeInt('responseStatus', {
      nullable: true,
      description: 'The HTTP status of the response. Null if there was no response.',
    }),
    error: t.exposeString('error', {
      nullable: true,
      description: 'The reason why there was no response. Null if there was a response.',
    }),
    responseBody: t.exposeString('responseBody', {
      nullable: true,
      description: 'The first 2 KiB of the response body. Null if there was no response.',
    }),
    notification: t.relation('notification', {
      description: 'The notification that the attempt belongs to.',
    }),
  }),
});

const NotificationFilter = builder.inputType('NotificationFilter', {
  description:
    'The conditions that the notifications of a list must meet. If several are given, all of them must be met.',
  fields: (t) => ({
    kind: t.field({
      type: NotificationKind,
      description: 'Returns only notifications to this kind of endpoint.',
    }),
    statuses: t.field({
      type: [NotificationStatus],
      description: 'Returns only notifications with one of these delivery statuses.',
    }),
    webhookId: t.id({ description: 'Returns only notifications to the webhook with this ID, `wh_…`.' }),
    eventTypes: t.field({
      type: [EventTypeEnum],
      description: 'Returns only notifications of one of these event types.',
    }),
    chargeId: t.id({ description: 'Returns only notifications about the charge with this ID, `ch_…`.' }),
    ...createdBetweenFields(t, 'notifications'),
  }),
});

const idLengthMax = 100;

function buildNotificationFilter(
  context: GraphqlContext,
  filter: InferInput<typeof NotificationFilter> | null | undefined,
): Prisma.NotificationWhereInput {
  const { kind, webhookId, eventTypes, chargeId, statuses } = filter ?? {};
  checkText(webhookId ?? '', '/filter/webhookId', idLengthMax);
  checkText(chargeId ?? '', '/filter/chargeId', idLengthMax);
  const scope = getMerchantScope(context);
  const status = inList(statuses);
  const eventType = inList(eventTypes);
  return {
    ...scope,
    ...(kind && { kind }),
    ...(status && { status }),
    ...(webhookId && { webhookId }),
    ...(eventType && { eventType }),
    ...(chargeId && { event: { ...scope, objectId: chargeId } }),
    AND: createdBetween('notification', parseCreatedBetween(filter)),
  };
}

const NotificationConnection = createConnectionType(NotificationType, 'Notification');

builder.queryFields((t) => ({
  notification: t.prismaField({
    type: NotificationType,
    nullable: true,
    description: 'Returns the notification with this ID, or null if it does not exist.',
    args: { id: t.arg.id({ required: true, description: 'The ID of the notification, `nt_…`.' }) },
    resolve: (query, _root, { id }, context) =>
      context.service.prisma.notification.findFirst({
        ...query,
        where: { id, ...getMerchantScope(context) },
      }),
  }),
  notifications: t.prismaConnection(
    {
      type: NotificationType,
      nullable: true,
      ...idPagingOptions,
      description:
        'Returns the delivery log, which contains the notifications of your events in the last 90 days, newest first.',
      args: {
        filter: t.arg(filterArg(NotificationFilter)),
      },
      resolve: (query, _root, { filter }, context) =>
        context.service.prisma.notification.findMany(
          toKeysetQuery(query, 'Notification', buildNotificationFilter(context, filter)),
        ),
      totalCount: (_root, { filter }, context) =>
        context.service.prisma.notification.count({ where: buildNotificationFilter(context, filter) }),
    },
    NotificationConnection,
  ),
  notificationAttempt: t.prismaField({
    type: NotificationAttemptType,
    nullable: true,
    description: 'Returns the attempt with this ID, or null if it does not exist.',
    args: { id: t.arg.id({ required: true, description: 'The ID of the attempt, `at_…`.' }) },
    resolve: (query, _root, { id }, context) =>
      context.service.prisma.notificationAttempt.findFirst({
        ...query,
        where: { id, notification: getMerchantScope(context) },
      }),
  }),
}));

/** Charges have no relation to events, so this loads the notifications of a page of charges in one query. */
const loadChargeNotifications = createLoader<Notification[]>(async (context, chargeIds) => {
  const rows = await context.service.prisma.notification.findMany({
    where: { ...getMerchantScope(context), event: { objectId: { in: chargeIds } } },
    include: { event: true },
    orderBy: { id: 'asc' },
  });
  return Map.groupBy(rows, (row) => row.event.objectId);
});

builder.prismaObjectField('Charge', 'notifications', (t) =>
  t.field({
    ...merchantOnly,
    nullable: true,
    type: [NotificationType],
    description:
      'The notifications of the charge’s events, oldest first. Null for callers with a client token.',
    resolve: async (charge, _args, context) => (await loadChargeNotifications(context, charge.id)) ?? [],
  }),
);

builder.subscriptionField('notificationUpdated', (t) =>
  t.prismaField({
    type: NotificationType,
    nullable: true,
    description:
      'Sends the notification immediately, and again after each attempt, after each resend and when its delivery ends. If the notification does not exist, sends null and ends.',
    args: { id: t.arg.id({ required: true, description: 'The ID of the notification, `nt_…`.' }) },
    subscribe: (_root, { id }, context) => watchNotification(context, id),
    resolve: (query, change, _args, context) =>
      change &&
      context.service.prisma.notification.findFirst({
        ...query,
        where: { id: change.id, ...getMerchantScope(context) },
      }),
  }),
);

builder.subscriptionField('notificationsUpdated', (t) =>
  t.prismaField({
    type: NotificationType,
    description:
      'Sends your newest notification immediately, if there is one, and then each notification that is created or attempted.',
    subscribe: (_root, _args, context) => watchNotifications(context),
    resolve: (query, change, _args, context) =>
      context.service.prisma.notification.findFirstOrThrow({
        ...query,
        where: { id: change.id, ...getMerchantScope(context) },
      }),
  }),
);
