import type { Merchant } from '../../prisma/client/client.ts';
import { declineRestrictedAccess } from '../../src/domain/accounts/merchant/decline-restricted-access.ts';
import {
  findAccessVolumes,
  type MonthVolume,
} from '../../src/domain/accounts/merchant/find-access-volumes.ts';
import { grantRestrictedAccess } from '../../src/domain/accounts/merchant/grant-restricted-access.ts';
import {
  type AccessAnswer,
  requestRestrictedAccess,
} from '../../src/domain/accounts/merchant/request-restricted-access.ts';
import { merchantOnly } from '../kit/access.ts';
import { builder } from '../kit/builder.ts';
import { acting, operating } from '../kit/graphql-context.ts';
import { decimal } from '../scalars.ts';
import { MerchantType } from './merchant.ts';

const AccessMonth = builder.objectRef<MonthVolume>('AccessMonth').implement({
  description: 'What your live charges came to in one calendar month (UTC).',
  fields: (t) => ({
    month: t.exposeString('month', { description: 'The month, `YYYY-MM`.' }),
    volume: t.field({
      type: 'Decimal',
      description:
        'The sum of the charges that completed in it, in USD at the rate of each one’s creation; a charge that had no rate does not count.',
      resolve: ({ volumeCents }) => decimal(volumeCents, 'USD'),
    }),
    missing: t.field({
      type: 'Decimal',
      description: 'What it falls short of USD 2,000,000; zero where it does not.',
      resolve: ({ missingCents }) => decimal(missingCents, 'USD'),
    }),
  }),
});

builder.prismaObjectFields('Merchant', (t) => ({
  accessRequestedAt: t.expose('accessRequestedAt', {
    ...merchantOnly,
    type: 'DateTime',
    nullable: true,
    description: 'Since when your request for restricted access waits for an operator; null when none does.',
  }),
  accessDeclineReason: t.exposeString('accessDeclineReason', {
    ...merchantOnly,
    nullable: true,
    description: 'Why an operator declined restricted access, or took it away; null otherwise.',
  }),
  accessMonths: t.field({
    ...merchantOnly,
    type: [AccessMonth],
    description: 'The last six full calendar months, by which restricted access is granted at once.',
    resolve: ({ id }, _args, { service, clock }) =>
      findAccessVolumes(service, { merchantId: id, now: clock.now() }),
  }),
}));

const RequestRestrictedAccessSuccess = builder
  .objectRef<AccessAnswer>('RequestRestrictedAccessSuccess')
  .implement({
    description:
      'Access was granted at once, or an operator decides: see `restrictedAccess` of the merchant.',
    fields: (t) => ({
      merchant: t.expose('merchant', { type: MerchantType, description: 'You.' }),
      months: t.expose('months', {
        type: [AccessMonth],
        description: 'The months that count, the oldest first, each with what it falls short.',
      }),
    }),
  });

builder.mutationField('requestRestrictedAccess', (t) =>
  t.field({
    type: RequestRestrictedAccessSuccess,
    errors: {},
    authScopes: { merchant: true },
    description:
      'Asks for the restricted operations with live credentials. Granted at once when each of the last six full calendar months had a completed volume of USD 2,000,000, else left for an operator to decide. Only for an owner who is signed in at the dashboard.',
    resolve: (_root, _args, context) => requestRestrictedAccess(context.service, acting(context)),
  }),
);

const GrantRestrictedAccessInput = builder.inputType('GrantRestrictedAccessInput', {
  description: 'To whom.',
  fields: (t) => ({ merchantId: t.id({ required: true, description: 'The merchant, `mer_…`.' }) }),
});

const GrantRestrictedAccessSuccess = builder
  .objectRef<{ merchant: Merchant }>('GrantRestrictedAccessSuccess')
  .implement({
    description: 'The merchant has access.',
    fields: (t) => ({ merchant: t.expose('merchant', { type: MerchantType, description: 'The merchant.' }) }),
  });

builder.mutationField('grantRestrictedAccess', (t) =>
  t.field({
    type: GrantRestrictedAccessSuccess,
    errors: {},
    authScopes: { operator: true },
    description: 'Opens the restricted operations to a merchant. Only for operators.',
    args: { input: t.arg({ type: GrantRestrictedAccessInput, required: true, description: 'To whom.' }) },
    resolve: async (_root, { input }, context) => ({
      merchant: await grantRestrictedAccess(context.service, { ...operating(context), ...input }),
    }),
  }),
);

const DeclineRestrictedAccessInput = builder.inputType('DeclineRestrictedAccessInput', {
  description: 'Whose request, and why.',
  fields: (t) => ({
    merchantId: t.id({ required: true, description: 'The merchant, `mer_…`.' }),
    reason: t.string({ required: true, description: 'Why, for the merchant to read.' }),
  }),
});

const DeclineRestrictedAccessSuccess = builder
  .objectRef<{ merchant: Merchant }>('DeclineRestrictedAccessSuccess')
  .implement({
    description: 'The merchant has no access, and may ask again.',
    fields: (t) => ({ merchant: t.expose('merchant', { type: MerchantType, description: 'The merchant.' }) }),
  });

builder.mutationField('declineRestrictedAccess', (t) =>
  t.field({
    type: DeclineRestrictedAccessSuccess,
    errors: {},
    authScopes: { operator: true },
    description: 'Declines restricted access, or takes it away, with a reason. Only for operators.',
    args: { input: t.arg({ type: DeclineRestrictedAccessInput, required: true, description: 'Whose.' }) },
    resolve: async (_root, { input }, context) => ({
      merchant: await declineRestrictedAccess(context.service, { ...operating(context), ...input }),
    }),
  }),
);
