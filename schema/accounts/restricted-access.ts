import { declineRestrictedAccess } from '../../src/domain/accounts/merchant/decline-restricted-access.ts';
import {
  findAccessVolumes,
  type MonthVolume,
} from '../../src/domain/accounts/merchant/find-access-volumes.ts';
import { grantRestrictedAccess } from '../../src/domain/accounts/merchant/grant-restricted-access.ts';
import { requestRestrictedAccess } from '../../src/domain/accounts/merchant/request-restricted-access.ts';
import { merchantOnly } from '../kit/access.ts';
import { builder } from '../kit/builder.ts';
import { requireOperator, toRequestContext } from '../kit/graphql-context.ts';
import { successType } from '../kit/success-type.ts';
import { toDecimalScalar } from '../scalars.ts';
import { MerchantType } from './merchant.ts';

const MonthlyVolumeType = builder.objectRef<MonthVolume>('MonthlyVolume').implement({
  description: 'The volume of your live charges in one calendar month (UTC).',
  fields: (t) => ({
    month: t.exposeString('month', { description: 'The month in the format `YYYY-MM`.' }),
    volumeUsd: t.field({
      type: 'Decimal',
      description:
        'The total amount in USD of the charges that completed in the month, at the exchange rates at which the charges were created. Charges for which there was no exchange rate to USD are not included.',
      resolve: ({ volumeCents }) => toDecimalScalar(volumeCents, 'USD'),
    }),
    shortfallUsd: t.field({
      type: 'Decimal',
      description:
        'The amount in USD by which the volume is below USD 2,000,000. It is zero if the volume is not below that amount.',
      resolve: ({ shortfallCents }) => toDecimalScalar(shortfallCents, 'USD'),
    }),
  }),
});

builder.prismaObjectFields('Merchant', (t) => ({
  restrictedAccessRequestedAt: t.expose('restrictedAccessRequestedAt', {
    ...merchantOnly,
    type: 'DateTime',
    nullable: true,
    description: 'The time of the pending request for restricted access. Null if no request is pending.',
  }),
  restrictedAccessDeclineReason: t.exposeString('restrictedAccessDeclineReason', {
    ...merchantOnly,
    nullable: true,
    description: 'The reason why an operator declined or revoked restricted access. Null if no operator did.',
  }),
  monthlyVolumes: t.field({
    ...merchantOnly,
    type: [MonthlyVolumeType],
    description:
      'The last six full calendar months, whose volumes determine whether restricted access is granted immediately.',
    resolve: ({ id }, _args, { service, clock }) =>
      findAccessVolumes(service, { merchantId: id, now: clock.now() }),
  }),
}));

const RequestRestrictedAccessSuccess = successType('RequestRestrictedAccessSuccess', {
  description:
    'The result of requesting restricted access. The field `restrictedAccess` of the merchant shows whether access was granted immediately or the request awaits the decision of an operator.',
  fields: {
    merchant: { type: MerchantType, description: 'Your merchant account, with its new `restrictedAccess`.' },
    monthlyVolumes: {
      type: [MonthlyVolumeType],
      description: 'The months considered for the request, oldest first, each with its shortfall.',
    },
  },
});

builder.mutationField('requestRestrictedAccess', (t) =>
  t.field({
    type: RequestRestrictedAccessSuccess,
    errors: {},
    twoFactor: 'never',
    authScopes: { merchant: true },
    description:
      'Requests restricted access, which some operations require in live mode. Access is granted immediately if each of the last six full calendar months had a completed volume of at least USD 2,000,000. Otherwise, an operator decides. Requires an owner who is signed in to the dashboard.',
    resolve: (_root, _args, context) => requestRestrictedAccess(context.service, toRequestContext(context)),
  }),
);

const GrantRestrictedAccessInput = builder.inputType('GrantRestrictedAccessInput', {
  description: 'The merchant to which restricted access is granted.',
  fields: (t) => ({ merchantId: t.id({ required: true, description: 'The ID of the merchant, `mer_…`.' }) }),
});

const GrantRestrictedAccessSuccess = successType('GrantRestrictedAccessSuccess', {
  description:
    'The result of granting restricted access. The merchant can use restricted operations from the next request on.',
  fields: {
    merchant: {
      type: MerchantType,
      description: 'The merchant account, whose `restrictedAccess` is now `granted`.',
    },
  },
});

builder.mutationField('grantRestrictedAccess', (t) =>
  t.field({
    type: GrantRestrictedAccessSuccess,
    errors: {},
    twoFactor: 'always',
    authScopes: { operator: true },
    description:
      'Grants restricted access to a merchant. The mutation fails with `invalid_request` if the merchant does not exist. Requires an operator.',
    args: {
      input: t.arg({
        type: GrantRestrictedAccessInput,
        required: true,
        description: 'The merchant to which restricted access is granted.',
      }),
    },
    resolve: async (_root, { input }, context) => ({
      merchant: await grantRestrictedAccess(context.service, { ...requireOperator(context), ...input }),
    }),
  }),
);

const DeclineRestrictedAccessInput = builder.inputType('DeclineRestrictedAccessInput', {
  description: 'The merchant whose restricted access is declined or revoked, and the reason.',
  fields: (t) => ({
    merchantId: t.id({ required: true, description: 'The ID of the merchant, `mer_…`.' }),
    reason: t.string({
      required: true,
      description: 'The reason, which is shown to the merchant. At most 500 characters.',
    }),
  }),
});

const DeclineRestrictedAccessSuccess = successType('DeclineRestrictedAccessSuccess', {
  description:
    'The result of declining or revoking restricted access. The merchant can request restricted access again.',
  fields: {
    merchant: {
      type: MerchantType,
      description: 'The merchant account, whose `restrictedAccess` is now `none`.',
    },
  },
});

builder.mutationField('declineRestrictedAccess', (t) =>
  t.field({
    type: DeclineRestrictedAccessSuccess,
    errors: {},
    twoFactor: 'always',
    authScopes: { operator: true },
    description:
      'Declines a merchant’s request for restricted access, or revokes the access. The mutation fails with `invalid_request` if the merchant does not exist. Requires an operator.',
    args: {
      input: t.arg({
        type: DeclineRestrictedAccessInput,
        required: true,
        description: 'The merchant whose restricted access is declined or revoked, and the reason.',
      }),
    },
    resolve: async (_root, { input }, context) => ({
      merchant: await declineRestrictedAccess(context.service, { ...requireOperator(context), ...input }),
    }),
  }),
);
