import type { Notification } from '../../prisma/client/client.ts';
import { notificationWhere } from '../../src/domain/accounts/notification/notification-where.ts';
import { checkText } from '../../src/kit/text.ts';
import { merchantOnly } from '../kit/access.ts';
import { builder, type InputOf } from '../kit/builder.ts';
import { connectionOf, keyset, pagedById } from '../kit/connection.ts';
import { type GraphqlContext, owned } from '../kit/graphql-context.ts';
import { watchNotification, watchNotifications } from '../kit/live.ts';
import { createLoader } from '../kit/loader.ts';
import { endOfSecond } from '../list-filters.ts';

const NotificationKind = builder.enumType('NotificationKind', {
  description: 'Which kind of address is told.',
  values: {
    webhook: { description: 'A webhook of yours, with Basic authentication.' },
    callback: { description: 'The `notifyUrl` of a charge, with a signature.' },
  },
});

const NotificationStatus = builder.enumType('NotificationStatus', {
  description: 'Where a notification stands.',
  values: {
    pending: { description: 'Not delivered yet; it is tried, or will be tried again.' },
    delivered: { description: 'Your address answered 2xx.' },
    failed: { description: 'Not delivered, and not tried any more by itself.' },
    skipped: { description: 'Not sent, because the webhook was switched off.' },
  },
});

export const NotificationType = builder.prismaNode('Notification', {
  id: { field: 'id' },
  nullable: true,
  findUnique: (id, context) => ({ id, ...owned(context) }),
  description: 'One event on its way to one address.',
  fields: (t) => ({
    kind: t.expose('kind', { type: NotificationKind, description: 'Which kind of address is told.' }),
    status: t.expose('status', { type: NotificationStatus, description: 'Where it stands.' }),
    url: t.exposeString('url', { description: 'Where it goes.' }),
    attemptsMade: t.exposeInt('attemptsMade', { description: 'How often it has been tried.' }),
    nextAttemptAt: t.expose('nextAttemptAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it is tried next; null when it is not tried any more.',
    }),
    finishedAt: t.expose('finishedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it was delivered, given up or skipped.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was made.' }),
    event: t.relation('event', { description: 'What it tells of.' }),
    isTest: t.boolean({
      description: 'Whether it is a test: of an invented charge, with the header `webhook-test: true`.',
      select: { event: { select: { test: true } } },
      resolve: ({ event }) => event.test,
    }),
    webhook: t.relation('webhook', {
      nullable: true,
      description: 'The webhook it goes to; null for a callback.',
    }),
    attempts: t.relation('attempts', {
      description: 'Every try of the last 90 days, the first one first.',
      query: { orderBy: { number: 'asc' } },
    }),
  }),
});

const NotificationAttemptType = builder.prismaNode('NotificationAttempt', {
  id: { field: 'id' },
  nullable: true,
  findUnique: (id, context) => ({ id, notification: owned(context) }),
  description: 'One try to deliver a notification.',
  fields: (t) => ({
    number: t.exposeInt('number', { description: 'Which try it was, from 1.' }),
    startedAt: t.expose('startedAt', { type: 'DateTime', description: 'When it began.' }),
    durationMs: t.exposeInt('durationMs', { description: 'How many milliseconds it took.' }),
    status: t.exposeInt('status', {
      nullable: true,
      description: 'The HTTP status of the answer; null when there was none.',
    }),
    error: t.exposeString('error', { nullable: true, description: 'Why there was no answer.' }),
    answer: t.exposeString('answer', { nullable: true, description: 'The first 2 KiB of the answer.' }),
    notification: t.relation('notification', { description: 'What was tried.' }),
  }),
});

const NotificationFilter = builder.inputType('NotificationFilter', {
  description: 'Which notifications: those that fit all members given.',
  fields: (t) => ({
    kind: t.field({ type: NotificationKind, description: 'Only those to this kind of address.' }),
    status: t.field({ type: [NotificationStatus], description: 'Only those with one of these.' }),
    webhookId: t.id({ description: 'Only those to this webhook, `wh_…`.' }),
    message: t.string({ description: 'Only those with this message, such as `CHARGE_COMPLETE`.' }),
    chargeId: t.id({ description: 'Only those that tell of this charge, `ch_…`.' }),
    since: t.field({ type: 'DateTime', description: 'Only those made at this time or later.' }),
    until: t.field({
      type: 'DateTime',
      description: 'Only those made at this time or earlier; a whole second is included to its end.',
    }),
  }),
});

const textMax = 100;

function filterWhere(context: GraphqlContext, filter: InputOf<typeof NotificationFilter> | null | undefined) {
  for (const name of ['message', 'webhookId', 'chargeId'] as const) {
    checkText(filter?.[name] ?? '', `/filter/${name}`, textMax);
  }
  const until = filter?.until ? endOfSecond(filter.until) : null;
  return notificationWhere(owned(context), { ...filter, until });
}

const NotificationConnection = connectionOf(NotificationType, 'Notification');

builder.queryFields((t) => ({
  notification: t.prismaField({
    type: NotificationType,
    nullable: true,
    description: 'One notification.',
    args: { id: t.arg.id({ required: true, description: 'Its id, `nt_…`.' }) },
    resolve: (query, _root, { id }, context) =>
      context.service.prisma.notification.findFirst({ ...query, where: { id, ...owned(context) } }),
  }),
  notifications: t.prismaConnection(
    {
      type: NotificationType,
      ...pagedById,
      description: 'The delivery log: who was told of your events in the last 90 days, newest first.',
      args: { filter: t.arg({ type: NotificationFilter, description: 'Which ones.' }) },
      resolve: (query, _root, { filter }, context) =>
        context.service.prisma.notification.findMany(
          keyset(query, 'Notification', filterWhere(context, filter)),
        ),
      totalCount: (_root, { filter }, context) =>
        context.service.prisma.notification.count({ where: filterWhere(context, filter) }),
    },
    NotificationConnection,
  ),
  notificationAttempt: t.prismaField({
    type: NotificationAttemptType,
    nullable: true,
    description: 'One try to deliver a notification.',
    args: { id: t.arg.id({ required: true, description: 'Its id, `at_…`.' }) },
    resolve: (query, _root, { id }, context) =>
      context.service.prisma.notificationAttempt.findFirst({
        ...query,
        where: { id, notification: owned(context) },
      }),
  }),
}));

/** There is no relation from a charge to its events: the notifications of a page of charges are read together. */
const loadOfCharge = createLoader<Notification[]>(async (context, chargeIds) => {
  const rows = await context.service.prisma.notification.findMany({
    where: { ...owned(context), event: { objectId: { in: chargeIds } } },
    include: { event: true },
    orderBy: { id: 'asc' },
  });
  return Map.groupBy(rows, (row) => row.event.objectId);
});

builder.prismaObjectField('Charge', 'notifications', (t) =>
  t.field({
    ...merchantOnly,
    type: [NotificationType],
    description: 'Who is told of its events, and whether they have heard: oldest first.',
    resolve: async (charge, _args, context) => (await loadOfCharge(context, charge.id)) ?? [],
  }),
);

builder.subscriptionField('notificationUpdated', (t) =>
  t.prismaField({
    type: NotificationType,
    nullable: true,
    description:
      'One notification at once, then after each attempt, resend or end of it; null, and the end, when there is none.',
    args: { id: t.arg.id({ required: true, description: 'Its id, `nt_…`.' }) },
    subscribe: (_root, { id }, context) => watchNotification(context, id),
    resolve: (query, hint, _args, context) =>
      hint &&
      context.service.prisma.notification.findFirst({
        ...query,
        where: { id: hint.id, ...owned(context) },
      }),
  }),
);

builder.subscriptionField('notificationsUpdated', (t) =>
  t.prismaField({
    type: NotificationType,
    description:
      'Your newest notification at once (when there is one), then each notification that is made or tried.',
    subscribe: (_root, _args, context) => watchNotifications(context),
    resolve: (query, hint, _args, context) =>
      context.service.prisma.notification.findFirstOrThrow({
        ...query,
        where: { id: hint.id, ...owned(context) },
      }),
  }),
);
