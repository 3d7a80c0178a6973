import { replayNotifications } from '../../src/domain/accounts/notification/replay-notifications.ts';
import { resendNotification } from '../../src/domain/accounts/notification/resend-notification.ts';
import { sendTestNotification } from '../../src/domain/accounts/notification/send-test-notification.ts';
import { builder } from '../kit/builder.ts';
import { getMerchantScope, requireMerchantCaller, toAuditContext } from '../kit/graphql-context.ts';
import { successType } from '../kit/success-type.ts';
import { NotificationType } from './notification.ts';

const SendTestNotificationInput = builder.inputType('SendTestNotificationInput', {
  description: 'The webhooks that receive the test notification.',
  fields: (t) => ({
    webhookId: t.id({
      description:
        'The ID of a single webhook, `wh_…`, which can be disabled. If omitted, all enabled webhooks receive the notification.',
    }),
  }),
});

const SendTestNotificationSuccess = successType('SendTestNotificationSuccess', {
  description: 'The result of sending a test notification. The notifications are sent in the background.',
  fields: {
    notifications: {
      type: [NotificationType],
      description:
        'The notifications, one per webhook. Subscribe to `notificationUpdated` to follow their delivery.',
    },
  },
});

builder.mutationField('sendTestNotification', (t) =>
  t.field({
    type: SendTestNotificationSuccess,
    errors: {},
    twoFactor: 'never',
    authScopes: { permission: 'manage' },
    description:
      'Sends a `CHARGE_COMPLETE` notification for a fictitious charge, with the header `webhook-test: true`. The notification is attempted once, without retries. The mutation fails with `webhook_not_found` if the webhook does not exist. Requires the permission `manage`.',
    args: {
      input: t.arg({
        type: SendTestNotificationInput,
        required: true,
        description: 'The webhooks that receive the test notification.',
      }),
    },
    resolve: async (_root, { input }, context) => {
      const { actor } = requireMerchantCaller(context);
      const options = {
        ...getMerchantScope(context),
        ...input,
        actor,
        now: context.clock.now(),
        audit: toAuditContext(context),
      };
      return { notifications: await sendTestNotification(context.service, options) };
    },
  }),
);

const ResendNotificationInput = builder.inputType('ResendNotificationInput', {
  description: 'The notification to resend.',
  fields: (t) => ({ id: t.id({ required: true, description: 'The ID of the notification, `nt_…`.' }) }),
});

const ResendNotificationSuccess = successType('ResendNotificationSuccess', {
  description: 'The result of resending a notification. The notification is sent in the background.',
  fields: {
    notification: { type: NotificationType, description: 'The notification, with the status `pending`.' },
  },
});

builder.mutationField('resendNotification', (t) =>
  t.field({
    type: ResendNotificationSuccess,
    errors: {},
    twoFactor: 'never',
    authScopes: { permission: 'manage' },
    description:
      'Resends a notification immediately, regardless of its status. It has the same `webhook-id` as before. The mutation fails with `notification_not_found`, with `webhook_not_found` if the webhook was deleted, or with `webhook_disabled` if the webhook is disabled. Requires the permission `manage`.',
    args: {
      input: t.arg({
        type: ResendNotificationInput,
        required: true,
        description: 'The notification to resend.',
      }),
    },
    resolve: async (_root, { input: { id } }, context) => {
      const options = {
        ...getMerchantScope(context),
        id,
        now: context.clock.now(),
        audit: toAuditContext(context),
      };
      return { notification: await resendNotification(context.service, options) };
    },
  }),
);

const ReplayNotificationsInput = builder.inputType('ReplayNotificationsInput', {
  description: 'The notifications to resend.',
  fields: (t) => ({
    createdFrom: t.field({
      type: 'DateTime',
      required: true,
      description:
        'The time from which notifications are resent. Notifications that were created before this time are not resent.',
    }),
    webhookId: t.id({
      description:
        'The ID of the webhook whose notifications are resent, `wh_…`. If omitted, the notifications of all enabled webhooks and callback URLs are resent.',
    }),
  }),
});

const ReplayNotificationsSuccess = successType('ReplayNotificationsSuccess', {
  description: 'The result of resending notifications. The notifications are sent in the background.',
  fields: {
    replayedCount: {
      property: 'replayed',
      type: 'Int',
      description: 'The number of notifications that are resent, at most 2,000.',
    },
    hasMore: {
      type: 'Boolean',
      description: 'Whether there are more notifications to resend. If true, repeat the mutation.',
    },
  },
});

builder.mutationField('replayNotifications', (t) =>
  t.field({
    type: ReplayNotificationsSuccess,
    errors: {},
    twoFactor: 'never',
    authScopes: { permission: 'manage' },
    description:
      'Resends the notifications since a given time that failed, that wait for their next attempt, or that were skipped while their webhook was disabled. They are sent oldest first, each with the same `webhook-id` as before. Notifications of webhooks that are still disabled are not resent. The mutation fails with `webhook_not_found` if the webhook does not exist. Requires the permission `manage`.',
    args: {
      input: t.arg({
        type: ReplayNotificationsInput,
        required: true,
        description: 'The notifications to resend.',
      }),
    },
    resolve: (_root, { input: { createdFrom, webhookId } }, context) =>
      replayNotifications(context.service, {
        ...getMerchantScope(context),
        since: createdFrom,
        webhookId,
        now: context.clock.now(),
        audit: toAuditContext(context),
      }),
  }),
);
