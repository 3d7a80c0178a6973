import type { BankFeed, Notification, ReceivingAccount } from '../../prisma/client/client.ts';
import type { AlertKind } from '../../src/domain/accounts/alert/alert-kind.ts';
import { dismissAlert } from '../../src/domain/accounts/alert/dismiss-alert.ts';
import { builder, type InferInput } from '../kit/builder.ts';
import { createConnectionType, idPagingOptions, toKeysetQuery } from '../kit/connection.ts';
import { type GraphqlContext, getMerchantScope, toAuditContext } from '../kit/graphql-context.ts';
import { createRowLoader } from '../kit/loader.ts';
import { successType } from '../kit/success-type.ts';
import { filterArg } from '../list-filters.ts';
import { BankFeedType } from '../money-in/bank-feed.ts';
import { NotificationType } from './notification.ts';
import { ReceivingAccountType } from './receiving-account.ts';
import { loadWebhook, WebhookType } from './webhook.ts';

const AlertKindType = builder.enumType('AlertKind', {
  description: 'The event that an alert reports.',
  values: {
    endpoint_failing: { description: 'Four consecutive delivery attempts to an endpoint have failed.' },
    delivery_failed: {
      description: 'All attempts to deliver a notification have failed, and no more attempts are scheduled.',
    },
    webhook_disabled: { description: 'A webhook was disabled because its deliveries failed.' },
    endpoint_recovered: { description: 'An endpoint that had been failing has recovered.' },
    references_low: {
      description:
        'A receiving account has used half of its payment references. A used payment reference is not available again for 180 days.',
    },
    feed_failing: {
      description: 'Deliveries of a bank feed are rejected or cannot be recorded, or its polls fail.',
    },
    feed_late: {
      description: 'A bank feed has reported nothing for longer than its `silenceMinutes` allows.',
    },
  } satisfies Record<AlertKind, object>,
});

const loadNotification = createRowLoader<Notification>((context, where) =>
  context.service.prisma.notification.findMany({ where }),
);

const loadReceivingAccount = createRowLoader<ReceivingAccount>((context, where) =>
  context.service.prisma.receivingAccount.findMany({ where }),
);

const loadBankFeed = createRowLoader<BankFeed>((context, where) =>
  context.service.prisma.bankFeed.findMany({ where: { ...where, deletedAt: null } }),
);

const AlertType = builder.prismaNode('Alert', {
  id: { field: 'id' },
  nullable: true,
  findUnique: (id, context) => ({ id, ...getMerchantScope(context) }),
  description:
    'An alert about one of your endpoints, receiving accounts or bank feeds. By default, owners and developers also receive it by email.',
  fields: (t) => ({
    kind: t.field({
      type: AlertKindType,
      description: 'The event that the alert reports, such as a failed delivery.',
      resolve: ({ kind }) => kind as AlertKind,
    }),
    url: t.exposeString('url', {
      description:
        'The URL of the endpoint. If the alert is about a receiving account or bank feed, it is the URL of its page in the dashboard.',
    }),
    detail: t.exposeString('detail', { description: 'A human-readable explanation of the alert.' }),
    webhook: t.field({
      type: WebhookType,
      nullable: true,
      description:
        'The webhook that the alert is about. Null if the alert is about a deleted webhook or something else.',
      resolve: ({ webhookId }, _args, context) => loadWebhook(context, webhookId),
    }),
    notification: t.field({
      type: NotificationType,
      nullable: true,
      description:
        'The notification whose delivery caused the alert. Null if the alert is not about an endpoint.',
      resolve: ({ notificationId }, _args, context) => loadNotification(context, notificationId),
    }),
    receivingAccount: t.field({
      type: ReceivingAccountType,
      nullable: true,
      description:
        'The receiving account that the alert is about. Null if the alert is about something else.',
      resolve: ({ receivingAccountId }, _args, context) => loadReceivingAccount(context, receivingAccountId),
    }),
    bankFeed: t.field({
      type: BankFeedType,
      nullable: true,
      description: 'The bank feed that the alert is about. Null if the alert is about something else.',
      resolve: ({ bankFeedId }, _args, context) => loadBankFeed(context, bankFeedId),
    }),
    dismissedAt: t.expose('dismissedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'The time at which the alert was dismissed. Null if it has not been dismissed.',
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      description: 'The time at which the alert was created.',
    }),
  }),
});

const AlertConnection = createConnectionType(AlertType, 'Alert');

const AlertFilter = builder.inputType('AlertFilter', {
  description:
    'The conditions that the alerts of a list must meet. If several are given, all of them must be met.',
  fields: (t) => ({
    isDismissed: t.boolean({
      description:
        'Returns only alerts that have been dismissed (`true`) or that have not been dismissed (`false`).',
    }),
  }),
});

builder.queryField('alerts', (t) =>
  t.prismaConnection(
    {
      type: AlertType,
      nullable: true,
      ...idPagingOptions,
      description:
        'Returns the alerts of the last 90 days about your endpoints, receiving accounts and bank feeds, newest first.',
      args: {
        filter: t.arg(filterArg(AlertFilter)),
      },
      resolve: (query, _root, { filter }, context) =>
        context.service.prisma.alert.findMany(
          toKeysetQuery(query, 'Alert', buildAlertFilter(context, filter)),
        ),
      totalCount: (_root, { filter }, context) =>
        context.service.prisma.alert.count({ where: buildAlertFilter(context, filter) }),
    },
    AlertConnection,
  ),
);

builder.queryField('alert', (t) =>
  t.prismaField({
    type: AlertType,
    nullable: true,
    description: 'Returns the alert with this ID, or null if it does not exist.',
    args: { id: t.arg.id({ required: true, description: 'The ID of the alert, `alr_…`.' }) },
    resolve: (query, _root, { id }, context) =>
      context.service.prisma.alert.findFirst({ ...query, where: { id, ...getMerchantScope(context) } }),
  }),
);

function buildAlertFilter(
  context: GraphqlContext,
  filter: InferInput<typeof AlertFilter> | null | undefined,
) {
  const { isDismissed } = filter ?? {};
  const dismissedAt = isDismissed ? { not: null } : null;
  return { ...getMerchantScope(context), ...(isDismissed != null && { dismissedAt }) };
}

const DismissAlertInput = builder.inputType('DismissAlertInput', {
  description: 'The alert to dismiss.',
  fields: (t) => ({ id: t.id({ required: true, description: 'The ID of the alert, `alr_…`.' }) }),
});

const DismissAlertSuccess = successType('DismissAlertSuccess', {
  description: 'The result of dismissing an alert.',
  fields: { alert: { type: AlertType, description: 'The dismissed alert. Its `dismissedAt` is set.' } },
});

builder.mutationField('dismissAlert', (t) =>
  t.field({
    type: DismissAlertSuccess,
    errors: {},
    twoFactor: 'never',
    authScopes: { permission: 'write' },
    description:
      'Dismisses an alert. An alert that has already been dismissed does not change. The mutation fails with `alert_not_found` if the alert does not exist. Requires the permission `write`.',
    args: { input: t.arg({ type: DismissAlertInput, required: true, description: 'The alert to dismiss.' }) },
    resolve: async (_root, { input: { id } }, context) => {
      const options = {
        ...getMerchantScope(context),
        id,
        now: context.clock.now(),
        audit: toAuditContext(context),
      };
      return { alert: await dismissAlert(context.service, options) };
    },
  }),
);
