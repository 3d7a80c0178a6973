import type { ReceivingAccount } from '../../prisma/client/client.ts';
import { findSameBankAccounts } from '../../src/domain/accounts/receiving-account/bank-account.ts';
import { createSampleDestination } from '../../src/domain/accounts/receiving-account/create-sample-destination.ts';
import { type MethodCode, paymentMethods } from '../../src/method/catalog.ts';
import { listDetailsMembers } from '../../src/method/details-forms.ts';
import { getScheme, type ReceivingDetails } from '../../src/method/schemes.ts';
import { builder, type InferInput } from '../kit/builder.ts';
import { createConnectionType, idPagingOptions, toKeysetQuery } from '../kit/connection.ts';
import { type GraphqlContext, getMerchantScope } from '../kit/graphql-context.ts';
import { createLoader } from '../kit/loader.ts';
import { filterArg, inList } from '../list-filters.ts';
import { DestinationType } from '../payments/destination.ts';
import { PaymentMethodCode } from '../payments/payment-method.ts';
import { toDecimalScalar } from '../scalars.ts';

export const ReceivingAccountStatus = builder.enumType('ReceivingAccountStatus', {
  description: 'Whether a receiving account accepts new charges.',
  values: {
    active: { description: 'The account accepts new charges.' },
    retired: {
      description:
        'The account is deactivated. It accepts no new charges, but transfers to it are still recorded.',
    },
  },
});

type AccountDetail = { name: string; description: string; value: string };

const ReceivingAccountDetail = builder.objectRef<AccountDetail>('ReceivingAccountDetail').implement({
  description: 'One of the details that identify a receiving account.',
  fields: (t) => ({
    name: t.exposeString('name', {
      description: 'The field of `ReceivingAccountDetailsInput`, such as `bankCode`.',
    }),
    description: t.exposeString('description', {
      description: 'The label of the detail in English, such as `Account number: 9 to 12 digits`.',
    }),
    value: t.exposeString('value', {
      description:
        'The value of the detail in normalized form, for example with mobile numbers in E.164 format.',
    }),
  }),
});

function toDetails({ method, details }: ReceivingAccount): AccountDetail[] {
  const values = details as Record<string, string>;
  return listDetailsMembers(method as MethodCode).flatMap(({ name, description }) => {
    const value = values[name];
    return value === undefined ? [] : [{ name, description, value }];
  });
}

const loadSameBankAccounts = createLoader((context, ids) => findSameBankAccounts(context.service, ids));

export const ReceivingAccountType = builder.prismaNode('ReceivingAccount', {
  id: { field: 'id' },
  nullable: true,
  findUnique: (id, context) => ({ id, ...getMerchantScope(context) }),
  description: 'One of your bank accounts or wallets to which customers pay.',
  fields: (t) => ({
    method: t.field({
      type: PaymentMethodCode,
      description: 'The payment method with which customers pay to the account.',
      resolve: (account) => account.method as MethodCode,
    }),
    status: t.expose('status', {
      type: ReceivingAccountStatus,
      description: 'Whether the account accepts new charges (`active`) or is deactivated (`retired`).',
    }),
    account: t.exposeString('account', {
      description: 'The account number or other identifier to which customers pay.',
    }),
    details: t.field({
      type: [ReceivingAccountDetail],
      description: 'The details that identify the account, as the payment method requires them.',
      resolve: toDetails,
    }),
    accountName: t.exposeString('holder', {
      description: 'The name of the account holder as customers see it.',
    }),
    bank: t.exposeString('bank', {
      description: 'The name of the bank or wallet, as the customer’s app shows it.',
    }),
    country: t.field({
      type: 'CountryCode',
      description: 'The country in which the payment method of the account is used.',
      resolve: (account) => paymentMethods[account.method as MethodCode].country,
    }),
    currency: t.expose('currency', {
      type: 'CurrencyCode',
      description: 'The currency of the account and of its payment method.',
    }),
    timeZone: t.exposeString('timeZone', {
      description:
        'The IANA time zone of dates, and of times without an offset, in bank feeds and statements for this account.',
    }),
    weight: t.exposeInt('weight', {
      description:
        'The weight of the account. New charges are distributed over your accounts for the same payment method in proportion to their weights.',
    }),
    minAmount: t.field({
      type: 'Decimal',
      nullable: true,
      description:
        'The minimum amount of a payment, in `currency`. If null, the minimum of the payment method applies.',
      resolve: ({ minAmount, currency }) =>
        minAmount === null ? null : toDecimalScalar(minAmount, currency),
    }),
    maxAmount: t.field({
      type: 'Decimal',
      nullable: true,
      description:
        'The maximum amount of a payment, in `currency`. If null, the maximum of the payment method applies.',
      resolve: ({ maxAmount, currency }) =>
        maxAmount === null ? null : toDecimalScalar(maxAmount, currency),
    }),
    paymentWindowMinutes: t.exposeInt('paymentWindowMinutes', {
      nullable: true,
      description:
        'The number of minutes for which charges to this account stay open for payment. If null, the payment window in your settings applies.',
    }),
    canCarryReference: t.boolean({
      description:
        'Whether payments to the account carry the payment reference. If false, payments can be distinguished only by their amount.',
      resolve: ({ method, details }) =>
        getScheme(method as MethodCode).canCarryReference(details as ReceivingDetails),
    }),
    maxAmountOffset: t.exposeInt('maxAmountOffset', {
      nullable: true,
      description:
        'The maximum number of whole currency units that can be added to an amount so that no two open charges have the same amount. It applies only if payments to the account carry no reference. If null, nothing is added.',
    }),
    maxBankFee: t.field({
      type: 'Decimal',
      nullable: true,
      description:
        'The largest fee that banks may deduct from a payment, in `currency`. A charge then completes in full, and the fee is recorded. If null, only `maxBankFeeRate` applies.',
      resolve: ({ maxBankFee, currency }) =>
        maxBankFee === null ? null : toDecimalScalar(maxBankFee, currency),
    }),
    maxBankFeeRate: t.field({
      type: 'Decimal',
      nullable: true,
      description:
        'The largest fee as a fraction of the amount, such as `0.015` for an acquirer that deducts 1.5%. If null, only `maxBankFee` applies.',
      resolve: ({ maxBankFeeRate }) => maxBankFeeRate?.toFixed() ?? null,
    }),
    reusesBankReferences: t.exposeBoolean('reusesBankReferences', {
      description:
        'Whether the bank gives several payments the same bank reference. The lines of its statements are then identified by their date, amount and text too.',
    }),
    sampleDestination: t.field({
      type: DestinationType,
      nullable: true,
      description:
        'Sample payment instructions, as a customer would see them. Scan the QR code before you go live. The payment reference belongs to no charge. Null for a retired account. An amount outside the limits of the account returns the error `amount_out_of_range`.',
      args: {
        amount: t.arg({
          type: 'Decimal',
          description:
            'The sample amount, in major units of the currency of the account. The default is the minimum amount of the account, but at least one whole currency unit.',
        }),
      },
      resolve: (account, { amount = null }) => createSampleDestination(account, { amount }),
    }),
    isDemo: t.exposeBoolean('demo', {
      description: 'Whether the account is fictional and cannot receive payments.',
    }),
    retiredAt: t.expose('retiredAt', {
      type: 'DateTime',
      nullable: true,
      description: 'The time at which the account was retired. Null while it is active.',
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

builder.objectField(ReceivingAccountType, 'sameBankAccounts', (t) =>
  t.field({
    type: [ReceivingAccountType],
    description:
      'Your other receiving accounts that are the same bank account, oldest first. A transfer to one of them is matched to the charges of all.',
    resolve: async (account, _args, context) => (await loadSameBankAccounts(context, account.id)) ?? [],
  }),
);

const ReceivingAccountFilter = builder.inputType('ReceivingAccountFilter', {
  description:
    'The conditions that the receiving accounts of a list must meet. If several are given, all of them must be met.',
  fields: (t) => ({
    method: t.field({
      type: PaymentMethodCode,
      description: 'Returns only accounts for this payment method.',
    }),
    statuses: t.field({
      type: [ReceivingAccountStatus],
      description: 'Returns only accounts with one of these statuses.',
    }),
    currency: t.field({ type: 'CurrencyCode', description: 'Returns only accounts in this currency.' }),
  }),
});

type ReceivingAccountFilterInput = InferInput<typeof ReceivingAccountFilter>;

function buildReceivingAccountFilter(
  context: GraphqlContext,
  filter: ReceivingAccountFilterInput | null | undefined,
) {
  const { method, statuses, currency } = filter ?? {};
  const status = inList(statuses);
  return {
    ...getMerchantScope(context),
    ...(method != null && { method }),
    ...(status && { status }),
    ...(currency != null && { currency }),
  };
}

const ReceivingAccountConnection = createConnectionType(ReceivingAccountType, 'ReceivingAccount');

builder.queryFields((t) => ({
  receivingAccount: t.prismaField({
    type: ReceivingAccountType,
    nullable: true,
    description: 'Returns the receiving account with this ID, or null if it does not exist.',
    args: { id: t.arg.id({ required: true, description: 'The ID of the receiving account, `acc_…`.' }) },
    resolve: (query, _root, { id }, context) =>
      context.service.prisma.receivingAccount.findFirst({
        ...query,
        where: { id, ...getMerchantScope(context) },
      }),
  }),
  receivingAccounts: t.prismaConnection(
    {
      type: ReceivingAccountType,
      nullable: true,
      ...idPagingOptions,
      description: 'Returns your receiving accounts, newest first.',
      args: {
        filter: t.arg(filterArg(ReceivingAccountFilter)),
      },
      resolve: (query, _root, { filter }, context) =>
        context.service.prisma.receivingAccount.findMany(
          toKeysetQuery(query, 'ReceivingAccount', buildReceivingAccountFilter(context, filter)),
        ),
      totalCount: (_root, { filter }, context) =>
        context.service.prisma.receivingAccount.count({
          where: buildReceivingAccountFilter(context, filter),
        }),
    },
    ReceivingAccountConnection,
  ),
}));
