import { requireAuditor } from '../../src/domain/accounts/api-key/require-auditor.ts';
import { auditWhere } from '../../src/domain/platform/audit/audit-where.ts';
import { builder } from '../kit/builder.ts';
import { connectionOf, keyset, pagedById } from '../kit/connection.ts';
import { type GraphqlContext, merchantCaller, owned } from '../kit/graphql-context.ts';
import { createLoader } from '../kit/loader.ts';
import { Mode } from './merchant.ts';

/** Who did it, in words: an e-mail address, the name of a key. */
export const loadActorName = createLoader<string>(async ({ service: { prisma } }, actors) => {
  const idsOf = (kind: string) =>
    actors.filter((actor) => actor.startsWith(`${kind}:`)).map((actor) => actor.slice(kind.length + 1));
  const [users, keys] = await Promise.all([
    prisma.merchantUser.findMany({ where: { id: { in: idsOf('user') } } }),
    prisma.apiKey.findMany({ where: { id: { in: idsOf('key') } } }),
  ]);
  return new Map([
    // Operators are not named to merchants.
    ...users.map(({ id, email, role }) => [`user:${id}`, role === 'operator' ? 'operator' : email] as const),
    ...keys.map(({ id, name }) => [`key:${id}`, name] as const),
  ]);
});

/** As operators see each other: by e-mail address. */
export const loadOperatorName = createLoader<string>(async ({ service: { prisma } }, actors) => {
  const ids = actors.map((actor) => actor.slice('user:'.length));
  const users = await prisma.merchantUser.findMany({ where: { id: { in: ids } } });
  return new Map(users.map(({ id, email }) => [`user:${id}`, email] as const));
});

const AuditEntryType = builder.prismaNode('AuditEntry', {
  id: { field: 'id' },
  nullable: true,
  findUnique: (id, context) => ({ id, ...visible(context) }),
  description: 'Who changed what, when and from where. Never changed, never deleted.',
  fields: (t) => ({
    action: t.exposeString('action', { description: 'What was done, such as `api_key.created`.' }),
    actor: t.exposeString('actor', {
      description: 'Who did it: `user:<id>`, `key:<id>`, `operator` or `job`.',
    }),
    actorName: t.string({
      description: 'Who did it, in words: the e-mail address of a user, the name of a key.',
      resolve: async ({ actor }, _args, context) => (await loadActorName(context, actor)) ?? actor,
    }),
    address: t.exposeString('address', {
      nullable: true,
      description: 'The network address it was asked from; null for the command line and jobs.',
    }),
    mode: t.expose('mode', {
      type: Mode,
      nullable: true,
      description: 'Of which mode what was changed is; null for what holds in both.',
    }),
    objectId: t.exposeString('objectId', { nullable: true, description: 'The id of what was changed.' }),
    detail: t.string({
      description: 'What changed, as a JSON object; it never holds a secret.',
      resolve: ({ detail }) => JSON.stringify(detail),
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When.' }),
  }),
});

/**
 * What concerns the mode of the caller, and what holds in both; of that, which tells who the merchant's people are and
 * where they sit, a sandbox key sees nothing: it is given away for trying out. Error: `permission_denied`.
 */
function visible(context: GraphqlContext) {
  const caller = merchantCaller(context);
  requireAuditor(caller);
  const { merchantId, mode } = owned(context);
  if (!caller.user && mode === 'sandbox') return { merchantId, mode };
  return { merchantId, OR: [{ mode }, { mode: null }] };
}

const AuditFilter = builder.inputType('AuditEntryFilter', {
  description: 'Which entries.',
  fields: (t) => ({
    actions: t.stringList({
      description: 'Only these, such as `api_key.created`; `user.*` stands for all that begin so.',
    }),
    actor: t.string({ description: 'Only what they did: `user:<id>`, `key:<id>`, `operator` or `job`.' }),
    objectId: t.string({ description: 'Only what was done with this object.' }),
    from: t.field({ type: 'DateTime', description: 'Only from this time on.' }),
    to: t.field({ type: 'DateTime', description: 'Only before this time.' }),
  }),
});

const AuditEntryConnection = connectionOf(AuditEntryType, 'AuditEntry');

builder.queryFields((t) => ({
  auditEntry: t.prismaField({
    type: AuditEntryType,
    nullable: true,
    description: 'One entry of the audit trail. For owners, and keys with the permission `manage`.',
    args: { id: t.arg.id({ required: true, description: 'Its id, `aud_…`.' }) },
    resolve: (query, _root, { id }, context) =>
      context.service.prisma.auditEntry.findFirst({ ...query, where: { id, ...visible(context) } }),
  }),
  auditEntries: t.prismaConnection(
    {
      type: AuditEntryType,
      ...pagedById,
      description:
        'The audit trail of this mode and of what holds in both, newest first; for a sandbox key of the sandbox alone. For owners, and keys with the permission `manage`.',
      args: { filter: t.arg({ type: AuditFilter, description: 'Which.' }) },
      resolve: (query, _root, { filter }, context) => {
        const where = { AND: [visible(context), auditWhere(filter)] };
        return context.service.prisma.auditEntry.findMany(keyset(query, 'AuditEntry', where));
      },
      totalCount: (_root, { filter }, context) =>
        context.service.prisma.auditEntry.count({ where: { AND: [visible(context), auditWhere(filter)] } }),
    },
    AuditEntryConnection,
  ),
}));
