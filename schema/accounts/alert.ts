import type { Alert } from '../../prisma/client/client.ts';
import type { AlertKind } from '../../src/domain/accounts/alert/alert-kind.ts';
import { dismissAlert } from '../../src/domain/accounts/alert/dismiss-alert.ts';
import { builder } from '../kit/builder.ts';
import { createConnectionType, idPagingOptions, toKeysetQuery } from '../kit/connection.ts';
import { type GraphqlContext, getMerchantScope, toAuditContext } from '../kit/graphql-context.ts';

const AlertKindType = builder.enumType('AlertKind', {
  description: 'The kind of problem that an alert reports.',
  values: {
    endpoint_failing: { description: 'Four consecutive delivery attempts to an endpoint have failed.' },
    delivery_failed: { description: 'All attempts of a delivery have failed, and it was abandoned.' },
    webhook_disabled: { description: 'A webhook was disabled.' },
    endpoint_recovered: { description: 'An endpoint that had been failing has recovered.' },
    references_low: {
      description:
        'A receiving account has used half of its payment references. Each one stays reserved for 180 days.',
    },
  } satisfies Record<AlertKind, object>,
});

const AlertType = builder.prismaNode('Alert', {
  id: { field: 'id' },
  nullable: true,
  findUnique: (id, context) => ({ id, ...getMerchantScope(context) }),
  description:
    'A problem with one of your endpoints or receiving accounts. Owners and developers are notified by email.',
  fields: (t) => ({
    kind: t.field({
      type: AlertKindType,
      description: 'The kind of problem.',
      resolve: ({ kind }) => kind as AlertKind,
    }),
    url: t.exposeString('url', {
      description: 'The URL of the endpoint or, for a receiving account, of its page in the dashboard.',
    }),
    detail: t.exposeString('detail', { description: 'The details of the problem.' }),
    webhookId: t.exposeID('webhookId', {
      nullable: true,
      description: 'The ID of the webhook; null for callbacks.',
    }),
    notificationId: t.exposeID('notificationId', {
      nullable: true,
      description: 'The ID of the notification that caused the alert.',
    }),
    receivingAccountId: t.exposeID('receivingAccountId', {
      nullable: true,
      description: 'The ID of the receiving account; null for endpoints.',
    }),
    dismissedAt: t.expose('dismissedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'The time at which the alert was dismissed; null until then.',
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      description: 'The time at which the problem occurred.',
    }),
  }),
});

const AlertConnection = createConnectionType(AlertType, 'Alert');
const openArg = { description: 'Whether to return only alerts that have not been dismissed.' } as const;

builder.queryField('alerts', (t) =>
  t.prismaConnection(
    {
      type: AlertType,
      nullable: true,
      ...idPagingOptions,
      description: 'Alerts about your endpoints and receiving accounts in the last 90 days, newest first.',
      args: { open: t.arg.boolean(openArg) },
      resolve: (query, _root, { open }, context) =>
        context.service.prisma.alert.findMany(toKeysetQuery(query, 'Alert', alertWhere(context, open))),
      totalCount: (_root, { open }, context) =>
        context.service.prisma.alert.count({ where: alertWhere(context, open) }),
    },
    AlertConnection,
  ),
);

builder.queryField('alert', (t) =>
  t.prismaField({
    type: AlertType,
    nullable: true,
    description: 'A single alert.',
    args: { id: t.arg.id({ required: true, description: 'The ID of the alert, `alr_…`.' }) },
    resolve: (query, _root, { id }, context) =>
      context.service.prisma.alert.findFirst({ ...query, where: { id, ...getMerchantScope(context) } }),
  }),
);

function alertWhere(context: GraphqlContext, open: boolean | null | undefined) {
  return { ...getMerchantScope(context), ...(open && { dismissedAt: null }) };
}

const DismissAlertInput = builder.inputType('DismissAlertInput', {
  description: 'The alert to dismiss.',
  fields: (t) => ({ id: t.id({ required: true, description: 'The ID of the alert, `alr_…`.' }) }),
});

const DismissAlertSuccess = builder.objectRef<{ alert: Alert }>('DismissAlertSuccess').implement({
  description: 'The alert was dismissed and is no longer listed as open.',
  fields: (t) => ({ alert: t.expose('alert', { type: AlertType, description: 'The alert.' }) }),
});

builder.mutationField('dismissAlert', (t) =>
  t.field({
    type: DismissAlertSuccess,
    errors: {},
    authScopes: { permission: 'write' },
    description: 'Dismisses an alert. Permission: `write`.',
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
