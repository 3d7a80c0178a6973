import type { Merchant } from '../../prisma/client/client.ts';
import { disableMerchant } from '../../src/domain/accounts/merchant/disable-merchant.ts';
import {
  type MerchantFilter as Filter,
  merchantWhere,
} from '../../src/domain/accounts/merchant/merchant-where.ts';
import { openMerchant } from '../../src/domain/accounts/merchant/open-merchant.ts';
import { switchOperations } from '../../src/domain/accounts/merchant/switch-operations.ts';
import { builder } from '../kit/builder.ts';
import { connectionOf, keyset, pagedById } from '../kit/connection.ts';
import { type GraphqlContext, operating } from '../kit/graphql-context.ts';
import { namesOf } from '../operation-names.ts';
import { MerchantType, RestrictedAccess } from './merchant.ts';

/** What operators of the installation see and do with its merchants. */

const MerchantConnection = connectionOf(MerchantType, 'Merchant');

builder.prismaObjectField('Merchant', 'disabledAt', (t) =>
  t.expose('disabledAt', {
    type: 'DateTime',
    nullable: true,
    description: 'When the account was switched off; null while it is on.',
  }),
);

const MerchantFilter = builder.inputType('MerchantFilter', {
  description: 'Which merchants.',
  fields: (t) => ({
    restrictedAccess: t.field({ type: RestrictedAccess, description: 'Only these, such as `requested`.' }),
    search: t.string({
      description: 'A part of the name, in any letter case; or an id, or the e-mail address of a user.',
    }),
  }),
});

builder.queryField('merchant', (t) =>
  t.prismaField({
    type: MerchantType,
    nullable: true,
    skipTypeScopes: true,
    authScopes: { operator: true },
    description: 'One merchant of this installation. Only for operators; `me` is the calling merchant.',
    args: { id: t.arg.id({ required: true, description: 'Its id, `mer_…`.' }) },
    resolve: (query, _root, { id }, context) =>
      context.service.prisma.merchant.findUnique({ ...query, where: { id } }),
  }),
);

builder.queryField('merchants', (t) =>
  t.prismaConnection(
    {
      type: MerchantType,
      ...pagedById,
      skipTypeScopes: true,
      authScopes: { operator: true },
      description: 'The merchants of this installation, newest first. Only for operators.',
      args: { filter: t.arg({ type: MerchantFilter, description: 'Which.' }) },
      resolve: (query, _root, { filter }, context) =>
        context.service.prisma.merchant.findMany(keyset(query, 'Merchant', whereOf(context, filter))),
      totalCount: (_root, { filter }, context) =>
        context.service.prisma.merchant.count({ where: whereOf(context, filter) }),
    },
    MerchantConnection,
  ),
);

/** Error: `permission_denied` for everybody but operators, also when nothing but the total is asked for. */
function whereOf(context: GraphqlContext, filter: Filter | null | undefined) {
  operating(context);
  return merchantWhere(filter);
}

const CreateMerchantInput = builder.inputType('CreateMerchantInput', {
  description: 'Whose account to open.',
  fields: (t) => ({
    name: t.string({ required: true, description: 'What customers see; at most 140 characters.' }),
    ownerEmail: t.string({ required: true, description: 'Where its first owner is invited.' }),
  }),
});

const CreateMerchantSuccess = builder.objectRef<{ merchant: Merchant }>('CreateMerchantSuccess').implement({
  description: 'The account is open; its first owner is invited by mail, and makes its keys.',
  fields: (t) => ({ merchant: t.expose('merchant', { type: MerchantType, description: 'The merchant.' }) }),
});

builder.mutationField('createMerchant', (t) =>
  t.field({
    type: CreateMerchantSuccess,
    errors: {},
    authScopes: { operator: true },
    description: 'Opens an account for a merchant and invites its first owner. Only for operators.',
    args: { input: t.arg({ type: CreateMerchantInput, required: true, description: 'Whose.' }) },
    resolve: async (_root, { input }, context) => ({
      merchant: await openMerchant(context.service, { ...operating(context), ...input }),
    }),
  }),
);

const SwitchOperationsInput = builder.inputType('SwitchOperationsInput', {
  description: 'Which operations of whom, and to what.',
  fields: (t) => ({
    merchantId: t.id({ required: true, description: 'The merchant, `mer_…`.' }),
    operations: t.stringList({
      required: true,
      description: 'Names of root fields of this schema; over REST the same operations are meant.',
    }),
    on: t.boolean({ required: true, description: 'Whether the merchant may use them.' }),
  }),
});

const SwitchOperationsSuccess = builder
  .objectRef<{ merchant: Merchant }>('SwitchOperationsSuccess')
  .implement({
    description: 'It holds from the next request on.',
    fields: (t) => ({ merchant: t.expose('merchant', { type: MerchantType, description: 'The merchant.' }) }),
  });

builder.mutationField('switchOperations', (t) =>
  t.field({
    type: SwitchOperationsSuccess,
    errors: {},
    authScopes: { operator: true },
    description: 'Switches single operations off for a merchant, or on again. Only for operators.',
    args: { input: t.arg({ type: SwitchOperationsInput, required: true, description: 'Which.' }) },
    resolve: async (_root, { input }, context, info) => {
      const { on, ...rest } = input;
      const options = { ...operating(context), ...rest, known: namesOf(info.schema) };
      return { merchant: await switchOperations(context.service, { ...options, to: on ? 'on' : 'off' }) };
    },
  }),
);

const DisableMerchantInput = builder.inputType('DisableMerchantInput', {
  description: 'Whose account, and to what.',
  fields: (t) => ({
    merchantId: t.id({ required: true, description: 'The merchant, `mer_…`.' }),
    disabled: t.boolean({ required: true, description: 'Whether the account is to be off.' }),
  }),
});

const DisableMerchantSuccess = builder.objectRef<{ merchant: Merchant }>('DisableMerchantSuccess').implement({
  description: 'It holds from the next request on.',
  fields: (t) => ({ merchant: t.expose('merchant', { type: MerchantType, description: 'The merchant.' }) }),
});

builder.mutationField('disableMerchant', (t) =>
  t.field({
    type: DisableMerchantSuccess,
    errors: {},
    authScopes: { operator: true },
    description: 'Switches a merchant’s account off, or on again. Only for operators.',
    args: { input: t.arg({ type: DisableMerchantInput, required: true, description: 'Whose.' }) },
    resolve: async (_root, { input }, context) => ({
      merchant: await disableMerchant(context.service, { ...operating(context), ...input }),
    }),
  }),
);
