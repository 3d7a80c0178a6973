import { requireAuditor } from '../../src/domain/accounts/api-key/require-auditor.ts';
import { auditWhere } from '../../src/domain/platform/audit/audit-where.ts';
import { builder } from '../kit/builder.ts';
import { createConnectionType, idPagingOptions, toKeysetQuery } from '../kit/connection.ts';
import { type GraphqlContext, getMerchantScope, requireMerchantCaller } from '../kit/graphql-context.ts';
import { createLoader } from '../kit/loader.ts';
import { Mode } from './merchant.ts';

/** Loads the display names of actors: the email of a user, the name of a key. */
export const loadActorName = createLoader<string>(async ({ service: { prisma } }, actors) => {
  const selectIds = (kind: string) =>
    actors.filter((actor) => actor.startsWith(`${kind}:`)).map((actor) => actor.slice(kind.length + 1));
  const [users, keys] = await Promise.all([
    prisma.merchantUser.findMany({ where: { id: { in: selectIds('user') } } }),
    prisma.apiKey.findMany({ where: { id: { in: selectIds('key') } } }),
  ]);
  return new Map([
    // Operators are not named to merchants.
    ...users.map(({ id, email, role }) => [`user:${id}`, role === 'operator' ? 'operator' : email] as const),
    ...keys.map(({ id, name }) => [`key:${id}`, name] as const),
  ]);
});

/** Loads the emails of operators, whom only other operators see by name. */
export const loadOperatorName = createLoader<string>(async ({ service: { prisma } }, actors) => {
  const ids = actors.map((actor) => actor.slice('user:'.length));
  const users = await prisma.merchantUser.findMany({ where: { id: { in: ids } } });
  return new Map(users.map(({ id, email }) => [`user:${id}`, email] as const));
});

const AuditEntryType = builder.prismaNode('AuditEntry', {
  id: { field: 'id' },
  nullable: true,
  findUnique: (id, context) => ({ id, ...visibleAuditWhere(context) }),
  description:
    'A record of a change: the actor, the action, the object, the time and the network address. Entries are never changed or deleted.',
  fields: (t) => ({
    action: t.exposeString('action', { description: 'The action, such as `api_key.created`.' }),
    actor: t.exposeString('actor', {
      description: 'The actor: `user:<id>`, `key:<id>`, `operator` or `job`.',
    }),
    actorName: t.string({
      description:
        'The display name of the actor, such as the email address of a user or the name of an API key.',
      resolve: async ({ actor }, _args, context) => (await loadActorName(context, actor)) ?? actor,
    }),
    ipAddress: t.exposeString('ipAddress', {
      nullable: true,
      description: 'The network address of the request; null for the command line and jobs.',
    }),
    mode: t.expose('mode', {
      type: Mode,
      nullable: true,
      description: 'The mode of the changed object; null if the change applies to both modes.',
    }),
    objectId: t.exposeString('objectId', { nullable: true, description: 'The ID of the changed object.' }),
    detailsJson: t.string({
      description: 'The details of the change as a JSON object. It never contains a secret.',
      resolve: ({ detail }) => JSON.stringify(detail),
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'The time of the change.' }),
  }),
});

/**
 * Selects entries of the caller's mode and entries without a mode. Sandbox keys do not see the latter, which
 * contain users and addresses, because these keys are shared for testing. Throws `permission_denied`.
 */
function visibleAuditWhere(context: GraphqlContext) {
  const caller = requireMerchantCaller(context);
  requireAuditor(caller);
  const { merchantId, mode } = getMerchantScope(context);
  if (!caller.user && mode === 'sandbox') return { merchantId, mode };
  return { merchantId, OR: [{ mode }, { mode: null }] };
}

const AuditFilter = builder.inputType('AuditEntryFilter', {
  description: 'Filters for a list of audit entries.',
  fields: (t) => ({
    actions: t.stringList({
      description:
        'Returns only entries with one of these actions, such as `api_key.created`. A pattern such as `user.*` matches all actions with that prefix.',
    }),
    actor: t.string({
      description: 'Returns only entries of this actor: `user:<id>`, `key:<id>`, `operator` or `job`.',
    }),
    objectId: t.string({ description: 'Returns only entries that concern the object with this ID.' }),
    createdFrom: t.field({
      type: 'DateTime',
      description: 'Returns only entries created at or after this time.',
    }),
    createdTo: t.field({ type: 'DateTime', description: 'Returns only entries created before this time.' }),
  }),
});

const AuditEntryConnection = createConnectionType(AuditEntryType, 'AuditEntry');

builder.queryFields((t) => ({
  auditEntry: t.prismaField({
    type: AuditEntryType,
    nullable: true,
    description:
      'A single entry of the audit trail. Requires an owner, or a key with the permission `manage`.',
    args: { id: t.arg.id({ required: true, description: 'The ID of the audit entry, `aud_…`.' }) },
    resolve: (query, _root, { id }, context) =>
      context.service.prisma.auditEntry.findFirst({ ...query, where: { id, ...visibleAuditWhere(context) } }),
  }),
  auditEntries: t.prismaConnection(
    {
      type: AuditEntryType,
      nullable: true,
      ...idPagingOptions,
      description:
        'The audit trail, newest first. It contains entries of this mode and entries that apply to both modes; a sandbox key sees only entries of the sandbox. Requires an owner, or a key with the permission `manage`.',
      args: { filter: t.arg({ type: AuditFilter, description: 'Filters for the list.' }) },
      resolve: (query, _root, { filter }, context) => {
        const where = { AND: [visibleAuditWhere(context), auditWhere(filter)] };
        return context.service.prisma.auditEntry.findMany(toKeysetQuery(query, 'AuditEntry', where));
      },
      totalCount: (_root, { filter }, context) =>
        context.service.prisma.auditEntry.count({
          where: { AND: [visibleAuditWhere(context), auditWhere(filter)] },
        }),
    },
    AuditEntryConnection,
  ),
}));
