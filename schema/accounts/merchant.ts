import { builder } from '../kit/builder.ts';
import { getMerchantScope, requireMerchantCaller, requireScopedCaller } from '../kit/graphql-context.ts';

export const Mode = builder.enumType('Mode', {
  description: 'The mode of an object or of credentials. Data of the two modes is fully separate.',
  values: {
    live: { description: 'Live mode, with real money.' },
    sandbox: { description: 'Sandbox mode, for testing.' },
  },
});

export const RestrictedAccess = builder.enumType('RestrictedAccess', {
  description: 'The status of a merchant’s access to restricted operations with live credentials.',
  values: {
    none: { description: 'The merchant has no access and has not requested it.' },
    requested: { description: 'The merchant has requested access.' },
    granted: { description: 'The merchant has access.' },
  },
});

export const MerchantType = builder.prismaNode('Merchant', {
  id: { field: 'id' },
  nullable: true,
  findUnique: (id, context) => ({ id, AND: [{ id: getMerchantScope(context).merchantId }] }),
  description: 'A merchant account. With merchant credentials, it is your own account.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'The name of the merchant as customers see it.' }),
    mode: t.field({
      type: Mode,
      description: 'The mode of the credentials used for this request.',
      resolve: (_merchant, _args, context) => requireScopedCaller(context).mode,
    }),
    restrictedAccess: t.expose('restrictedAccess', {
      type: RestrictedAccess,
      description: 'The status of the merchant’s access to restricted operations with live credentials.',
    }),
    isDemo: t.exposeBoolean('demo', {
      description:
        'Whether this is a demo: the receiving accounts are fictional, and pages and payment codes are marked DEMO.',
    }),
    timeZone: t.exposeString('timeZone', { description: 'The IANA time zone of the merchant.' }),
    isSecureModeEnabled: t.exposeBoolean('secureMode', {
      description: 'Whether charges and checkout URLs require a hash.',
    }),
    underpaymentTolerance: t.field({
      type: 'Decimal',
      description:
        'The fraction of the amount, from 0 to 0.02, by which a payment may fall short and still complete its charge.',
      resolve: (merchant) => merchant.underpaymentTolerance.toFixed(),
    }),
    redirectSchemes: t.exposeStringList('redirectSchemes', {
      description: 'The app schemes allowed in `redirectUrl` in addition to https.',
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
    description: 'The merchant that the credentials of this request belong to.',
    resolve: (query, _root, _args, context) =>
      context.service.prisma.merchant.findUniqueOrThrow({
        ...query,
        where: { id: requireMerchantCaller(context).merchant.id },
      }),
  }),
);
