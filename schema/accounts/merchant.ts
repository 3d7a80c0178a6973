import { builder } from '../kit/builder.ts';
import { boundCaller, merchantCaller, owned } from '../kit/graphql-context.ts';

export const Mode = builder.enumType('Mode', {
  description: 'Everything exists in one of two modes, which never mix.',
  values: { live: { description: 'Real money.' }, sandbox: { description: 'For trying out.' } },
});

export const RestrictedAccess = builder.enumType('RestrictedAccess', {
  description: 'Whether a merchant may use the restricted operations with live credentials.',
  values: {
    none: { description: 'No, and it has not asked.' },
    requested: { description: 'It has asked.' },
    granted: { description: 'Yes.' },
  },
});

export const MerchantType = builder.prismaNode('Merchant', {
  id: { field: 'id' },
  nullable: true,
  findUnique: (id, context) => ({ id, AND: [{ id: owned(context).merchantId }] }),
  description: 'You: whose credentials these are.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'What customers see.' }),
    mode: t.field({
      type: Mode,
      description: 'The mode of these credentials.',
      resolve: (_merchant, _args, context) => boundCaller(context).mode,
    }),
    restrictedAccess: t.expose('restrictedAccess', {
      type: RestrictedAccess,
      description: 'Whether you may use the restricted operations with live credentials.',
    }),
    demo: t.exposeBoolean('demo', {
      description: 'Whether your accounts are fictional, and pages and codes say DEMO.',
    }),
    timeZone: t.exposeString('timeZone', { description: 'Your IANA time zone.' }),
    secureMode: t.exposeBoolean('secureMode', {
      description: 'Whether charges and checkout addresses need a hash.',
    }),
    underpaymentTolerance: t.field({
      type: 'Decimal',
      description: 'The share of a charge’s amount, 0 to 0.02, that may be missing when it completes.',
      resolve: (merchant) => merchant.underpaymentTolerance.toFixed(),
    }),
    redirectSchemes: t.exposeStringList('redirectSchemes', {
      description: 'The app schemes allowed in `redirectUrl` besides https.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was made.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When it last changed.' }),
  }),
});

builder.queryField('me', (t) =>
  t.prismaField({
    type: MerchantType,
    description: 'The merchant whose credentials these are.',
    resolve: (query, _root, _args, context) =>
      context.service.prisma.merchant.findUniqueOrThrow({
        ...query,
        where: { id: merchantCaller(context).merchant.id },
      }),
  }),
);
