import type { Notification } from '../../prisma/client/client.ts';
import {
  type Replay,
  replayNotifications,
} from '../../src/domain/accounts/notification/replay-notifications.ts';
import { resendNotification } from '../../src/domain/accounts/notification/resend-notification.ts';
import { sendTestNotification } from '../../src/domain/accounts/notification/send-test-notification.ts';
import { builder } from '../kit/builder.ts';
import { auditContext, merchantCaller, owned } from '../kit/graphql-context.ts';
import { NotificationType } from './notification.ts';

const SendTestNotificationInput = builder.inputType('SendTestNotificationInput', {
  description: 'Which webhooks to try.',
  fields: (t) => ({
    webhookId: t.id({
      description: 'The id of one webhook, `wh_…`, which may be switched off; left out: all that are on.',
    }),
  }),
});

const SendTestNotificationSuccess = builder
  .objectRef<{ notifications: Notification[] }>('SendTestNotificationSuccess')
  .implement({
    description: 'The test notifications are on their way.',
    fields: (t) => ({
      notifications: t.expose('notifications', {
        type: [NotificationType],
        description: 'One for each webhook; follow them with `notificationUpdated`.',
      }),
    }),
  });

builder.mutationField('sendTestNotification', (t) =>
  t.field({
    type: SendTestNotificationSuccess,
    errors: {},
    authScopes: { permission: 'manage' },
    description:
      'Sends `CHARGE_COMPLETE` of an invented charge, with the header `webhook-test: true`; tried once. Permission: `manage`.',
    args: {
      input: t.arg({ type: SendTestNotificationInput, required: true, description: 'Which webhooks.' }),
    },
    resolve: async (_root, { input }, context) => {
      const { actor } = merchantCaller(context);
      const options = {
        ...owned(context),
        ...input,
        actor,
        now: context.clock.now(),
        audit: auditContext(context),
      };
      return { notifications: await sendTestNotification(context.service, options) };
    },
  }),
);

const ResendNotificationInput = builder.inputType('ResendNotificationInput', {
  description: 'Which notification to send again.',
  fields: (t) => ({ id: t.id({ required: true, description: 'The id of the notification, `nt_…`.' }) }),
});

const ResendNotificationSuccess = builder
  .objectRef<{ notification: Notification }>('ResendNotificationSuccess')
  .implement({
    description: 'The notification is on its way again.',
    fields: (t) => ({
      notification: t.expose('notification', { type: NotificationType, description: 'The notification.' }),
    }),
  });

builder.mutationField('resendNotification', (t) =>
  t.field({
    type: ResendNotificationSuccess,
    errors: {},
    authScopes: { permission: 'manage' },
    description:
      'Sends a notification at once, whatever came of it, with the same `webhook-id`. Permission: `manage`.',
    args: {
      input: t.arg({ type: ResendNotificationInput, required: true, description: 'Which notification.' }),
    },
    resolve: async (_root, { input: { id } }, context) => {
      const options = { ...owned(context), id, now: context.clock.now(), audit: auditContext(context) };
      return { notification: await resendNotification(context.service, options) };
    },
  }),
);

const ReplayNotificationsInput = builder.inputType('ReplayNotificationsInput', {
  description: 'Which notifications to send again.',
  fields: (t) => ({
    since: t.field({ type: 'DateTime', required: true, description: 'Those made at this time or later.' }),
    webhookId: t.id({ description: 'Only those of this webhook, `wh_…`.' }),
  }),
});

const ReplayNotificationsSuccess = builder.objectRef<Replay>('ReplayNotificationsSuccess').implement({
  description: 'The notifications are on their way again.',
  fields: (t) => ({
    replayed: t.exposeInt('replayed', { description: 'How many, 2,000 at most.' }),
    hasMore: t.exposeBoolean('hasMore', { description: 'Whether there are more: ask again for those.' }),
  }),
});

builder.mutationField('replayNotifications', (t) =>
  t.field({
    type: ReplayNotificationsSuccess,
    errors: {},
    authScopes: { permission: 'manage' },
    description:
      'Sends all notifications that failed since a time, or were skipped while their webhook was off, with their `webhook-id`, oldest first. Permission: `manage`.',
    args: {
      input: t.arg({ type: ReplayNotificationsInput, required: true, description: 'Which notifications.' }),
    },
    resolve: (_root, { input }, context) =>
      replayNotifications(context.service, {
        ...owned(context),
        ...input,
        now: context.clock.now(),
        audit: auditContext(context),
      }),
  }),
);
