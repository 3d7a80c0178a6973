import {
  buildMerchantFilter,
  type MerchantFilter as Filter,
} from '../../src/domain/accounts/merchant/build-merchant-filter.ts';
import { findActivities, type MerchantActivity } from '../../src/domain/accounts/merchant/find-activities.ts';
import { onboardMerchant } from '../../src/domain/accounts/merchant/onboard-merchant.ts';
import { setMerchantEnabled } from '../../src/domain/accounts/merchant/set-merchant-enabled.ts';
import { setOperationsEnabled } from '../../src/domain/accounts/merchant/set-operations-enabled.ts';
import { builder } from '../kit/builder.ts';
import { createConnectionType, idPagingOptions, toKeysetQuery } from '../kit/connection.ts';
import { type GraphqlContext, requireOperator } from '../kit/graphql-context.ts';
import { createLoader } from '../kit/loader.ts';
import { readStale } from '../kit/stale-reader.ts';
import { successType } from '../kit/success-type.ts';
import { filterArg } from '../list-filters.ts';
import { listOperationNames } from '../operation-names.ts';
import { toDecimalScalar } from '../scalars.ts';
import { invitationUrlField } from './invitation-mutations.ts';
import { MerchantType, RestrictedAccess } from './merchant.ts';

const MerchantConnection = createConnectionType(MerchantType, 'Merchant');

builder.prismaObjectField('Merchant', 'disabledAt', (t) =>
  t.expose('disabledAt', {
    type: 'DateTime',
    nullable: true,
    description: 'The time at which an operator disabled the merchant account. Null while it is enabled.',
  }),
);

const MerchantFilter = builder.inputType('MerchantFilter', {
  description:
    'The conditions that the merchants of a list must meet. If several are given, all of them must be met.',
  fields: (t) => ({
    restrictedAccess: t.field({
      type: RestrictedAccess,
      description: 'Returns only merchants whose `restrictedAccess` has this value.',
    }),
    search: t.string({
      description:
        'Returns only merchants that match this text. It can be a part of the name (letter case is ignored), the ID of the merchant, or the email address of one of its users.',
    }),
  }),
});

const MerchantActivityType = builder.objectRef<MerchantActivity>('MerchantActivity').implement({
  description: 'The activity of a merchant in live mode.',
  fields: (t) => ({
    chargeCount: t.exposeInt('chargeCount', {
      description: 'The number of charges that completed in the last 30 days.',
    }),
    volumeUsd: t.field({
      type: 'Decimal',
      description:
        'The total amount in USD of the charges in `chargeCount`, at the exchange rates at which they were created. Charges for which there was no exchange rate to USD are not included.',
      resolve: ({ volumeCents }) => toDecimalScalar(volumeCents, 'USD'),
    }),
    lastChargeAt: t.expose('lastChargeAt', {
      type: 'DateTime',
      nullable: true,
      description: 'The time at which the latest charge was created. Null if there is no charge.',
    }),
  }),
});

const loadActivity = createLoader<MerchantActivity>((context, merchantIds) =>
  readStale(context, (reads) => findActivities(reads, { merchantIds, now: context.clock.now() })),
);

builder.prismaObjectField('Merchant', 'activity', (t) =>
  t.field({
    type: MerchantActivityType,
    nullable: true,
    authScopes: { operator: true },
    description:
      'The activity in the last 30 days. The totals can be some seconds old. Requires an operator.',
    resolve: ({ id }, _args, context) => loadActivity(context, id),
  }),
);

builder.queryField('operationNames', (t) =>
  t.stringList({
    nullable: true,
    skipTypeScopes: true,
    authScopes: { operator: true },
    description:
      'Returns the names of the operations that can be disabled for a merchant (`setOperationsEnabled`), in alphabetical order. Requires an operator.',
    resolve: (_root, _args, _context, info) => listOperationNames(info.schema),
  }),
);

builder.queryField('merchant', (t) =>
  t.prismaField({
    type: MerchantType,
    nullable: true,
    skipTypeScopes: true,
    authScopes: { operator: true },
    description:
      'Returns the merchant with this ID, or null if it does not exist. Requires an operator. Use `me` to fetch your own merchant account.',
    args: { id: t.arg.id({ required: true, description: 'The ID of the merchant, `mer_…`.' }) },
    resolve: (query, _root, { id }, context) =>
      context.service.prisma.merchant.findUnique({ ...query, where: { id } }),
  }),
);

builder.queryField('merchants', (t) =>
  t.prismaConnection(
    {
      type: MerchantType,
      nullable: true,
      ...idPagingOptions,
      skipTypeScopes: true,
      authScopes: { operator: true },
      description: 'Returns the merchants on this installation, newest first. Requires an operator.',
      args: {
        filter: t.arg(filterArg(MerchantFilter)),
      },
      resolve: (query, _root, { filter }, context) =>
        context.service.prisma.merchant.findMany(
          toKeysetQuery(query, 'Merchant', buildOperatorMerchantFilter(context, filter)),
        ),
      totalCount: (_root, { filter }, context) =>
        context.service.prisma.merchant.count({ where: buildOperatorMerchantFilter(context, filter) }),
    },
    MerchantConnection,
  ),
);

/** Throws `permission_denied` for callers other than operators, even if only `totalCount` is selected. */
function buildOperatorMerchantFilter(context: GraphqlContext, filter: Filter | null | undefined) {
  requireOperator(context);
  return buildMerchantFilter(filter);
}

const CreateMerchantInput = builder.inputType('CreateMerchantInput', {
  description: 'The properties of a new merchant account.',
  fields: (t) => ({
    name: t.string({
      required: true,
      description: 'The name of the merchant as customers see it, at most 140 characters.',
    }),
    ownerEmail: t.string({
      required: true,
      description: 'The email address of the first owner, to which an invitation is sent.',
    }),
  }),
});

const CreateMerchantSuccess = successType('CreateMerchantSuccess', {
  description:
    'The result of creating a merchant account. The first owner accepts the invitation and can then create API keys.',
  fields: {
    merchant: { type: MerchantType, description: 'The created merchant account.' },
    invitationUrl: invitationUrlField,
  },
});

builder.mutationField('createMerchant', (t) =>
  t.field({
    type: CreateMerchantSuccess,
    errors: {},
    twoFactor: 'always',
    authScopes: { operator: true },
    description:
      'Creates a merchant account and invites its first owner. The invitation is sent by email; without a mail server, share `invitationUrl`. Requires an operator.',
    args: {
      input: t.arg({
        type: CreateMerchantInput,
        required: true,
        description: 'The properties of the new merchant account.',
      }),
    },
    resolve: (_root, { input }, context) =>
      onboardMerchant(context.service, { ...requireOperator(context), ...input }),
  }),
);

const SetOperationsEnabledInput = builder.inputType('SetOperationsEnabledInput', {
  description: 'The merchant, and the operations to enable or disable.',
  fields: (t) => ({
    merchantId: t.id({ required: true, description: 'The ID of the merchant, `mer_…`.' }),
    operations: t.stringList({
      required: true,
      description:
        'The names of the operations, which are root fields of this schema, such as `createCharge`. The same operations are enabled or disabled in REST.',
    }),
    isEnabled: t.boolean({
      required: true,
      description: 'Whether to enable (`true`) or disable (`false`) the operations for the merchant.',
    }),
  }),
});

const SetOperationsEnabledSuccess = successType('SetOperationsEnabledSuccess', {
  description: 'The result of enabling or disabling operations. The change applies from the next request on.',
  fields: {
    merchant: {
      type: MerchantType,
      description: 'The merchant account, with its updated `disabledOperations`.',
    },
  },
});

builder.mutationField('setOperationsEnabled', (t) =>
  t.field({
    type: SetOperationsEnabledSuccess,
    errors: {},
    twoFactor: 'always',
    authScopes: { operator: true },
    description:
      'Disables specific operations for a merchant, or enables them again. The mutation fails with `invalid_request` if the merchant or an operation does not exist. Requires an operator.',
    args: {
      input: t.arg({
        type: SetOperationsEnabledInput,
        required: true,
        description: 'The merchant, and the operations to enable or disable.',
      }),
    },
    resolve: async (_root, { input }, context, info) => {
      const options = {
        ...requireOperator(context),
        ...input,
        allOperations: listOperationNames(info.schema),
      };
      return {
        merchant: await setOperationsEnabled(context.service, options),
      };
    },
  }),
);

const SetMerchantEnabledInput = builder.inputType('SetMerchantEnabledInput', {
  description: 'The merchant account, and whether to enable it.',
  fields: (t) => ({
    merchantId: t.id({ required: true, description: 'The ID of the merchant, `mer_…`.' }),
    isEnabled: t.boolean({
      required: true,
      description: 'Whether to enable (`true`) or disable (`false`) the merchant account.',
    }),
  }),
});

const SetMerchantEnabledSuccess = successType('SetMerchantEnabledSuccess', {
  description:
    'The result of disabling or enabling a merchant account. The change applies from the next request on.',
  fields: {
    merchant: { type: MerchantType, description: 'The merchant account, with its updated `disabledAt`.' },
  },
});

builder.mutationField('setMerchantEnabled', (t) =>
  t.field({
    type: SetMerchantEnabledSuccess,
    errors: {},
    twoFactor: 'always',
    authScopes: { operator: true },
    description:
      'Disables a merchant account, or enables it again. While an account is disabled, its API keys, users and client tokens are rejected, and its customers cannot start payments. Incoming transfers are still recorded. The mutation fails with `invalid_request` if the merchant does not exist. Requires an operator.',
    args: {
      input: t.arg({
        type: SetMerchantEnabledInput,
        required: true,
        description: 'The merchant account to disable or enable.',
      }),
    },
    resolve: async (_root, { input }, context) => ({
      merchant: await setMerchantEnabled(context.service, {
        ...requireOperator(context),
        ...input,
      }),
    }),
  }),
);
