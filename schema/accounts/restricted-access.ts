import type { Merchant } from '../../prisma/client/client.ts';
import { declineRestrictedAccess } from '../../src/domain/accounts/merchant/decline-restricted-access.ts';
import {
  findAccessVolumes,
  type MonthVolume,
} from '../../src/domain/accounts/merchant/find-access-volumes.ts';
import { grantRestrictedAccess } from '../../src/domain/accounts/merchant/grant-restricted-access.ts';
import {
  type AccessRequestResult,
  requestRestrictedAccess,
} from '../../src/domain/accounts/merchant/request-restricted-access.ts';
import { merchantOnly } from '../kit/access.ts';
import { builder } from '../kit/builder.ts';
import { requireOperator, toRequestContext } from '../kit/graphql-context.ts';
import { toDecimalScalar } from '../scalars.ts';
import { MerchantType } from './merchant.ts';

const AccessMonth = builder.objectRef<MonthVolume>('MonthlyVolume').implement({
  description: 'The volume of your live charges in one calendar month (UTC).',
  fields: (t) => ({
    month: t.exposeString('month', { description: 'The month in the format `YYYY-MM`.' }),
    volumeUsd: t.field({
      type: 'Decimal',
      description:
        'The total amount in USD of the charges that completed in the month, at the exchange rate of their creation. Charges without an exchange rate are not included.',
      resolve: ({ volumeCents }) => toDecimalScalar(volumeCents, 'USD'),
    }),
    shortfallUsd: t.field({
      type: 'Decimal',
      description: 'The amount by which the volume falls short of USD 2,000,000; zero if it does not.',
      resolve: ({ missingCents }) => toDecimalScalar(missingCents, 'USD'),
    }),
  }),
});

builder.prismaObjectFields('Merchant', (t) => ({
  restrictedAccessRequestedAt: t.expose('accessRequestedAt', {
    ...merchantOnly,
    type: 'DateTime',
    nullable: true,
    description: 'The time of your pending request for restricted access; null if no request is pending.',
  }),
  restrictedAccessDeclineReason: t.exposeString('accessDeclineReason', {
    ...merchantOnly,
    nullable: true,
    description: 'The reason why an operator declined or revoked restricted access; null otherwise.',
  }),
  monthlyVolumes: t.field({
    ...merchantOnly,
    type: [AccessMonth],
    description:
      'The last six full calendar months, whose volumes determine whether restricted access is granted immediately.',
    resolve: ({ id }, _args, { service, clock }) =>
      findAccessVolumes(service, { merchantId: id, now: clock.now() }),
  }),
}));

const RequestRestrictedAccessSuccess = builder
  .objectRef<AccessRequestResult>('RequestRestrictedAccessSuccess')
  .implement({
    description:
      'Access was granted immediately, or the request awaits the decision of an operator. The field `restrictedAccess` of the merchant shows which.',
    fields: (t) => ({
      merchant: t.expose('merchant', { type: MerchantType, description: 'Your merchant account.' }),
      monthlyVolumes: t.expose('months', {
        type: [AccessMonth],
        description: 'The months considered for the request, oldest first, each with its shortfall.',
      }),
    }),
  });

builder.mutationField('requestRestrictedAccess', (t) =>
  t.field({
    type: RequestRestrictedAccessSuccess,
    errors: {},
    authScopes: { merchant: true },
    description:
      'Requests access to the restricted operations with live credentials. Access is granted immediately if each of the last six full calendar months had a completed volume of USD 2,000,000; otherwise, an operator decides. Requires an owner who is signed in to the dashboard.',
    resolve: (_root, _args, context) => requestRestrictedAccess(context.service, toRequestContext(context)),
  }),
);

const GrantRestrictedAccessInput = builder.inputType('GrantRestrictedAccessInput', {
  description: 'The merchant that is granted restricted access.',
  fields: (t) => ({ merchantId: t.id({ required: true, description: 'The ID of the merchant, `mer_…`.' }) }),
});

const GrantRestrictedAccessSuccess = builder
  .objectRef<{ merchant: Merchant }>('GrantRestrictedAccessSuccess')
  .implement({
    description: 'The merchant was granted restricted access.',
    fields: (t) => ({
      merchant: t.expose('merchant', { type: MerchantType, description: 'The merchant account.' }),
    }),
  });

builder.mutationField('grantRestrictedAccess', (t) =>
  t.field({
    type: GrantRestrictedAccessSuccess,
    errors: {},
    authScopes: { operator: true },
    description: 'Grants a merchant access to the restricted operations. Requires an operator.',
    args: {
      input: t.arg({
        type: GrantRestrictedAccessInput,
        required: true,
        description: 'The merchant that is granted restricted access.',
      }),
    },
    resolve: async (_root, { input }, context) => ({
      merchant: await grantRestrictedAccess(context.service, { ...requireOperator(context), ...input }),
    }),
  }),
);

const DeclineRestrictedAccessInput = builder.inputType('DeclineRestrictedAccessInput', {
  description: 'The merchant whose restricted access is declined, and the reason.',
  fields: (t) => ({
    merchantId: t.id({ required: true, description: 'The ID of the merchant, `mer_…`.' }),
    reason: t.string({ required: true, description: 'The reason, which is shown to the merchant.' }),
  }),
});

const DeclineRestrictedAccessSuccess = builder
  .objectRef<{ merchant: Merchant }>('DeclineRestrictedAccessSuccess')
  .implement({
    description: 'The merchant has no restricted access and can request it again.',
    fields: (t) => ({
      merchant: t.expose('merchant', { type: MerchantType, description: 'The merchant account.' }),
    }),
  });

builder.mutationField('declineRestrictedAccess', (t) =>
  t.field({
    type: DeclineRestrictedAccessSuccess,
    errors: {},
    authScopes: { operator: true },
    description: 'Declines or revokes restricted access, with a reason. Requires an operator.',
    args: {
      input: t.arg({
        type: DeclineRestrictedAccessInput,
        required: true,
        description: 'The merchant whose restricted access is declined, and the reason.',
      }),
    },
    resolve: async (_root, { input }, context) => ({
      merchant: await declineRestrictedAccess(context.service, { ...requireOperator(context), ...input }),
    }),
  }),
);
