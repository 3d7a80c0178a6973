import { builder } from '../kit/builder.ts';
import { getMerchantScope, requireMerchantCaller, requireScopedCaller } from '../kit/graphql-context.ts';

export const Mode = builder.enumType('Mode', {
  description: 'The mode of an object or of credentials. The data of the two modes is completely separate.',
  values: {
    live: { description: 'In live mode, customers pay with real money.' },
    sandbox: { description: 'In sandbox mode, you test your integration without real money.' },
  },
});

export const RestrictedAccess = builder.enumType('RestrictedAccess', {
  description: 'The status of a merchant’s restricted access. In live mode, some operations require it.',
  values: {
    none: { description: 'The merchant does not have restricted access and has not requested it.' },
    requested: { description: 'The merchant has requested restricted access.' },
    granted: { description: 'The merchant has restricted access.' },
  },
});

export const MerchantType = builder.prismaNode('Merchant', {
  id: { field: 'id', skipTypeScopes: true },
  nullable: true,
  findUnique: (id, context) => ({ id, AND: [{ id: getMerchantScope(context).merchantId }] }),
  description: 'A merchant account. If you authenticate as a merchant, it is always your own.',
  // Cashiers see only the fields that their dashboard needs.
  authScopes: (_merchant, { caller }) => (caller.kind === 'user' ? { permission: 'read' } : true),
  fields: (t) => ({
    name: t.exposeString('name', {
      skipTypeScopes: true,
      description: 'The name of the merchant. Customers see it unless `displayName` is set.',
    }),
    mode: t.field({
      type: Mode,
      skipTypeScopes: true,
      description: 'The mode of the credentials used for this request.',
      resolve: (_merchant, _args, context) => requireScopedCaller(context).mode,
    }),
    restrictedAccess: t.expose('restrictedAccess', {
      type: RestrictedAccess,
      description:
        'The status of the merchant’s restricted access. In live mode, some operations require it.',
    }),
    isDemo: t.exposeBoolean('demo', {
      skipTypeScopes: true,
      description:
        'Whether the merchant account is a demo. In a demo, the receiving accounts are fictional, and pages and payment codes are marked DEMO.',
    }),
    timeZone: t.exposeString('timeZone', {
      skipTypeScopes: true,
      description:
        'The IANA time zone of the merchant, such as `Asia/Hong_Kong`. It determines the days of reconciliations and reports.',
    }),
    isSecureModeEnabled: t.exposeBoolean('isSecureModeEnabled', {
      description:
        'Whether secure mode is on, in which charges and checkout URLs require a hash (`createChargeHash`).',
    }),
    underpaymentTolerance: t.field({
      type: 'Decimal',
      description:
        'The underpayment that is tolerated, as a fraction of the amount from 0 to 0.02. A payment within this tolerance completes its charge.',
      resolve: (merchant) => merchant.underpaymentTolerance.toFixed(),
    }),
    redirectSchemes: t.exposeStringList('redirectSchemes', {
      description: 'The URL schemes of apps that are allowed in `redirectUrl`, in addition to https.',
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      description: 'The time at which the merchant account was created.',
    }),
    updatedAt: t.expose('updatedAt', {
      type: 'DateTime',
      description: 'The time at which the merchant account was last updated.',
    }),
  }),
});

builder.queryField('me', (t) =>
  t.prismaField({
    type: MerchantType,
    nullable: true,
    isAlwaysEnabled: true,
    description: 'Returns the merchant to which the credentials of the request belong.',
    resolve: (query, _root, _args, context) =>
      context.service.prisma.merchant.findUniqueOrThrow({
        ...query,
        where: { id: requireMerchantCaller(context).merchant.id },
      }),
  }),
);
