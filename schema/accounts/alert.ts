import type { Alert } from '../../prisma/client/client.ts';
import type { AlertKind } from '../../src/domain/accounts/alert/alert-kind.ts';
import { dismissAlert } from '../../src/domain/accounts/alert/dismiss-alert.ts';
import { builder } from '../kit/builder.ts';
import { connectionOf, keyset, pagedById } from '../kit/connection.ts';
import { auditContext, type GraphqlContext, owned } from '../kit/graphql-context.ts';

const AlertKindType = builder.enumType('AlertKind', {
  description: 'What an alert tells of.',
  values: {
    endpoint_failing: { description: 'Four attempts in a row have failed.' },
    delivery_failed: { description: 'All attempts of a delivery have failed: it was given up.' },
    webhook_disabled: { description: 'A webhook was switched off.' },
    endpoint_recovered: { description: 'An address that failed works again.' },
    references_low: {
      description:
        'A receiving account has used half of its payment references. Each one stays reserved for 180 days.',
    },
  } satisfies Record<AlertKind, object>,
});

const AlertType = builder.prismaNode('Alert', {
  id: { field: 'id' },
  nullable: true,
  findUnique: (id, context) => ({ id, ...owned(context) }),
  description: 'A problem with an endpoint or a receiving account of yours, mailed to owners and developers.',
  fields: (t) => ({
    kind: t.field({
      type: AlertKindType,
      description: 'What it tells of.',
      resolve: ({ kind }) => kind as AlertKind,
    }),
    url: t.exposeString('url', {
      description: 'The address of the endpoint; of a receiving account, its page in the dashboard.',
    }),
    detail: t.exposeString('detail', { description: 'Why.' }),
    webhookId: t.exposeID('webhookId', { nullable: true, description: 'The webhook; null for callbacks.' }),
    notificationId: t.exposeID('notificationId', {
      nullable: true,
      description: 'The notification that gave rise to it.',
    }),
    receivingAccountId: t.exposeID('receivingAccountId', {
      nullable: true,
      description: 'The receiving account it is about; null for endpoints.',
    }),
    dismissedAt: t.expose('dismissedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it was dismissed; null until then.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it happened.' }),
  }),
});

const AlertConnection = connectionOf(AlertType, 'Alert');
const openArg = { description: 'Only those not dismissed yet.' } as const;

builder.queryField('alerts', (t) =>
  t.prismaConnection(
    {
      type: AlertType,
      ...pagedById,
      description: 'Alerts about your endpoints and receiving accounts in the last 90 days, newest first.',
      args: { open: t.arg.boolean(openArg) },
      resolve: (query, _root, { open }, context) =>
        context.service.prisma.alert.findMany(keyset(query, 'Alert', alertWhere(context, open))),
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
    description: 'One alert.',
    args: { id: t.arg.id({ required: true, description: 'Its id, `alr_…`.' }) },
    resolve: (query, _root, { id }, context) =>
      context.service.prisma.alert.findFirst({ ...query, where: { id, ...owned(context) } }),
  }),
);

function alertWhere(context: GraphqlContext, open: boolean | null | undefined) {
  return { ...owned(context), ...(open && { dismissedAt: null }) };
}

const DismissAlertInput = builder.inputType('DismissAlertInput', {
  description: 'Which alert has been seen.',
  fields: (t) => ({ id: t.id({ required: true, description: 'The id of the alert, `alr_…`.' }) }),
});

const DismissAlertSuccess = builder.objectRef<{ alert: Alert }>('DismissAlertSuccess').implement({
  description: 'The alert is not shown among the open ones any more.',
  fields: (t) => ({ alert: t.expose('alert', { type: AlertType, description: 'The alert.' }) }),
});

builder.mutationField('dismissAlert', (t) =>
  t.field({
    type: DismissAlertSuccess,
    errors: {},
    authScopes: { permission: 'write' },
    description: 'Says that an alert has been seen. Permission: `write`.',
    args: { input: t.arg({ type: DismissAlertInput, required: true, description: 'Which alert.' }) },
    resolve: async (_root, { input: { id } }, context) => {
      const options = { ...owned(context), id, now: context.clock.now(), audit: auditContext(context) };
      return { alert: await dismissAlert(context.service, options) };
    },
  }),
);
