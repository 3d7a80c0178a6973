import { requireAuditor } from '../../src/domain/accounts/api-key/permissions.ts';
import { buildAuditFilter } from '../../src/domain/platform/audit/build-audit-filter.ts';
import { builder, type InferInput } from '../kit/builder.ts';
import { createConnectionType, idPagingOptions, toKeysetQuery } from '../kit/connection.ts';
import { type GraphqlContext, getMerchantScope, requireMerchantCaller } from '../kit/graphql-context.ts';
import { createdBetweenFields, filterArg, parseCreatedBetween } from '../list-filters.ts';
import { ActorKindType, ActorType } from '../platform/actor.ts';
import { Mode } from './merchant.ts';

const AuditEntryType = builder.prismaNode('AuditEntry', {
  id: { field: 'id' },
  nullable: true,
  findUnique: (id, context) => ({ id, ...buildVisibleAuditFilter(context) }),
  description:
    'A record of a change: the actor, the action, the object, the time and the IP address. Entries are never changed or deleted.',
  fields: (t) => ({
    action: t.exposeString('action', {
      description:
        'The action in the form `object.verb`, such as `api_key.created`. More actions may be added.',
    }),
    actor: t.expose('actor', { type: ActorType, description: 'The person or program that made the change.' }),
    ipAddress: t.exposeString('ipAddress', {
      nullable: true,
      description: 'The IP address of the request. Null for the command line and jobs.',
    }),
    mode: t.expose('mode', {
      type: Mode,
      nullable: true,
      description: 'The mode of the changed object. Null if the change applies to both modes.',
    }),
    objectId: t.exposeID('objectId', {
      nullable: true,
      description: 'The ID of the changed object. Null if the change does not concern a specific object.',
    }),
    detailsJson: t.string({
      description: 'The details of the change as a JSON object. It never contains a secret.',
      resolve: ({ detail }) => JSON.stringify(detail),
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'The time of the change.' }),
  }),
});

/**
 * Returns the condition for the entries of the caller's mode and entries without a mode. Sandbox keys see only
 * the entries of their mode, because entries without a mode contain personal data of users, and sandbox keys
 * are shared for testing.
 */
function buildVisibleAuditFilter(context: GraphqlContext) {
  const caller = requireMerchantCaller(context);
  requireAuditor(caller);
  const { merchantId, mode } = getMerchantScope(context);
  if (!caller.user && mode === 'sandbox') return { merchantId, mode };
  return { merchantId, OR: [{ mode }, { mode: null }] };
}

const AuditFilter = builder.inputType('AuditEntryFilter', {
  description:
    'The conditions that the audit entries of a list must meet. If several are given, all of them must be met.',
  fields: (t) => ({
    actions: t.stringList({
      description:
        'Returns only entries with one of these actions, such as `api_key.created`. A pattern such as `user.*` matches all actions with that prefix.',
    }),
    actorKind: t.field({
      type: ActorKindType,
      description: 'Returns only entries whose actor is of this kind.',
    }),
    actorId: t.id({
      description:
        'Returns only entries whose actor is the API key (`key_…`) or the user (`usr_…`) with this ID.',
    }),
    objectId: t.id({ description: 'Returns only entries that concern the object with this ID.' }),
    ...createdBetweenFields(t, 'entries'),
  }),
});

const AuditEntryConnection = createConnectionType(AuditEntryType, 'AuditEntry');

builder.queryFields((t) => ({
  auditEntry: t.prismaField({
    type: AuditEntryType,
    nullable: true,
    description:
      'Returns the entry of the audit trail with this ID, or null if it does not exist. Requires an owner, or a key with the permission `manage`.',
    args: { id: t.arg.id({ required: true, description: 'The ID of the audit entry, `aud_…`.' }) },
    resolve: (query, _root, { id }, context) =>
      context.service.prisma.auditEntry.findFirst({
        ...query,
        where: { id, ...buildVisibleAuditFilter(context) },
      }),
  }),
  auditEntries: t.prismaConnection(
    {
      type: AuditEntryType,
      nullable: true,
      ...idPagingOptions,
      description:
        'Returns the audit trail, newest first. It contains entries of the mode of the request and entries that apply to both modes. A sandbox key sees only entries of the sandbox. Requires an owner, or a key with the permission `manage`.',
      args: {
        filter: t.arg(filterArg(AuditFilter)),
      },
      resolve: (query, _root, { filter }, context) => {
        const where = buildAuditListFilter(context, filter);
        return context.service.prisma.auditEntry.findMany(toKeysetQuery(query, 'AuditEntry', where));
      },
      totalCount: (_root, { filter }, context) =>
        context.service.prisma.auditEntry.count({ where: buildAuditListFilter(context, filter) }),
    },
    AuditEntryConnection,
  ),
}));

function buildAuditListFilter(
  context: GraphqlContext,
  filter: InferInput<typeof AuditFilter> | null | undefined,
) {
  const { actions, actorKind, actorId, objectId } = filter ?? {};
  const conditions = buildAuditFilter({
    actions,
    actorKind,
    actorId,
    objectId,
    ...parseCreatedBetween(filter),
  });
  return { AND: [buildVisibleAuditFilter(context), conditions] };
}
