import type { ReceivingAccount } from '../../prisma/client/client.ts';
import { sampleDestination } from '../../src/domain/accounts/receiving-account/sample-destination.ts';
import { type MethodCode, paymentMethods } from '../../src/method/catalogue.ts';
import { detailsMembers } from '../../src/method/details-forms.ts';
import { type ReceivingDetails, schemeOf } from '../../src/method/schemes.ts';
import { builder, type InputOf } from '../kit/builder.ts';
import { connectionOf, keyset, pagedById } from '../kit/connection.ts';
import { type GraphqlContext, owned } from '../kit/graphql-context.ts';
import { DestinationType } from '../payments/charge.ts';
import { PaymentMethodCode } from '../payments/payment-method.ts';
import { decimal } from '../scalars.ts';

export const ReceivingAccountStatus = builder.enumType('ReceivingAccountStatus', {
  description: 'The status of a receiving account.',
  values: {
    active: { description: 'The account accepts new charges.' },
    retired: {
      description:
        'The account is deactivated: it accepts no new charges, but transfers to it are still recorded.',
    },
  },
});

type Detail = { name: string; description: string; value: string };

const ReceivingAccountDetail = builder.objectRef<Detail>('ReceivingAccountDetail').implement({
  description: 'A detail that identifies the account according to the rules of its scheme.',
  fields: (t) => ({
    name: t.exposeString('name', {
      description: 'The name of the detail in `ReceivingAccountDetailsInput`.',
    }),
    description: t.exposeString('description', { description: 'The description of the detail.' }),
    value: t.exposeString('value', { description: 'The value of the detail in normalized form.' }),
  }),
});

function detailsOf({ method, details }: ReceivingAccount): Detail[] {
  const given = details as Record<string, string>;
  return detailsMembers(method as MethodCode).flatMap(({ name, description }) => {
    const value = given[name];
    return value === undefined ? [] : [{ name, description, value }];
  });
}

export const ReceivingAccountType = builder.prismaNode('ReceivingAccount', {
  id: { field: 'id' },
  nullable: true,
  findUnique: (id, context) => ({ id, ...owned(context) }),
  description: 'One of your bank accounts or wallets that customers pay to.',
  fields: (t) => ({
    method: t.field({
      type: PaymentMethodCode,
      description: 'The payment method of the account.',
      resolve: (account) => account.method as MethodCode,
    }),
    status: t.expose('status', {
      type: ReceivingAccountStatus,
      description: 'The status of the account.',
    }),
    account: t.exposeString('account', { description: 'The account number that customers pay to.' }),
    details: t.field({
      type: [ReceivingAccountDetail],
      description: 'The details that identify the account, as its scheme requires.',
      resolve: detailsOf,
    }),
    holder: t.exposeString('holder', { description: 'The name of the account holder as customers see it.' }),
    bank: t.exposeString('bank', {
      description: 'The name of the bank or wallet as the customer’s app shows it.',
    }),
    country: t.field({
      type: 'CountryCode',
      description: 'The country of the payment method.',
      resolve: (account) => paymentMethods[account.method as MethodCode].country,
    }),
    currency: t.expose('currency', { type: 'CurrencyCode', description: 'The currency of the account.' }),
    timeZone: t.exposeString('timeZone', {
      description: 'The IANA time zone used for transfers that have a date but no time.',
    }),
    weight: t.exposeInt('weight', {
      description:
        'The relative share of new charges that this account receives among your accounts for the same payment method.',
    }),
    minAmount: t.field({
      type: 'Decimal',
      nullable: true,
      description: 'The minimum amount. If null, the minimum of the payment method applies.',
      resolve: ({ minAmount, currency }) => (minAmount === null ? null : decimal(minAmount, currency)),
    }),
    maxAmount: t.field({
      type: 'Decimal',
      nullable: true,
      description: 'The maximum amount. If null, the maximum of the payment method applies.',
      resolve: ({ maxAmount, currency }) => (maxAmount === null ? null : decimal(maxAmount, currency)),
    }),
    windowMinutes: t.exposeInt('windowMinutes', {
      nullable: true,
      description:
        'The payment window of charges to this account in minutes. If null, the payment window from your settings applies.',
    }),
    carriesReference: t.boolean({
      description:
        'Whether the payment reference is transmitted with the payment. If not, only the amount distinguishes payments.',
      resolve: ({ method, details }) =>
        schemeOf(method as MethodCode).carriesReference(details as ReceivingDetails),
    }),
    uniqueAmountsMax: t.exposeInt('uniqueAmountsMax', {
      nullable: true,
      description:
        'The maximum number of whole currency units that can be added to an amount so that no two open charges have the same amount. If null, nothing is added.',
    }),
    sampleDestination: t.field({
      type: DestinationType,
      nullable: true,
      description:
        'Sample payment details as a customer would see them for an amount. Scan the code before you go live. The payment reference belongs to no charge. Null for a retired account. Errors: `amount_out_of_range`.',
      args: {
        amount: t.arg({
          type: 'Decimal',
          description:
            'The amount in the currency of the account. The default is the minimum amount of the account, but at least one whole unit.',
        }),
      },
      resolve: (account, { amount = null }) => sampleDestination(account, { amount }),
    }),
    demo: t.exposeBoolean('demo', {
      description: 'Whether the account is fictional and cannot receive payments.',
    }),
    retiredAt: t.expose('retiredAt', {
      type: 'DateTime',
      nullable: true,
      description: 'The time at which the account was retired; null while it is active.',
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      description: 'The time at which the receiving account was created.',
    }),
    updatedAt: t.expose('updatedAt', {
      type: 'DateTime',
      description: 'The time at which the receiving account was last updated.',
    }),
  }),
});

const ReceivingAccountFilter = builder.inputType('ReceivingAccountFilter', {
  description: 'Filters for a list of receiving accounts. An account must match all of the given filters.',
  fields: (t) => ({
    method: t.field({
      type: PaymentMethodCode,
      description: 'Returns only accounts for this payment method.',
    }),
    status: t.field({ type: ReceivingAccountStatus, description: 'Returns only accounts with this status.' }),
    currency: t.field({ type: 'CurrencyCode', description: 'Returns only accounts in this currency.' }),
  }),
});

type Filter = InputOf<typeof ReceivingAccountFilter>;

function filterWhere(context: GraphqlContext, filter: Filter | null | undefined) {
  const { method, status, currency } = filter ?? {};
  return {
    ...owned(context),
    ...(method != null && { method }),
    ...(status != null && { status }),
    ...(currency != null && { currency }),
  };
}

const ReceivingAccountConnection = connectionOf(ReceivingAccountType, 'ReceivingAccount');

builder.queryFields((t) => ({
  receivingAccount: t.prismaField({
    type: ReceivingAccountType,
    nullable: true,
    description: 'A single receiving account.',
    args: { id: t.arg.id({ required: true, description: 'The ID of the receiving account, `acc_…`.' }) },
    resolve: (query, _root, { id }, context) =>
      context.service.prisma.receivingAccount.findFirst({ ...query, where: { id, ...owned(context) } }),
  }),
  receivingAccounts: t.prismaConnection(
    {
      type: ReceivingAccountType,
      ...pagedById,
      description: 'Your receiving accounts, newest first.',
      args: { filter: t.arg({ type: ReceivingAccountFilter, description: 'Filters for the list.' }) },
      resolve: (query, _root, { filter }, context) =>
        context.service.prisma.receivingAccount.findMany(
          keyset(query, 'ReceivingAccount', filterWhere(context, filter)),
        ),
      totalCount: (_root, { filter }, context) =>
        context.service.prisma.receivingAccount.count({ where: filterWhere(context, filter) }),
    },
    ReceivingAccountConnection,
  ),
}));
