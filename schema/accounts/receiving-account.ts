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
  description: 'Whether an account takes new charges.',
  values: {
    active: { description: 'It takes new charges.' },
    retired: { description: 'It takes no new charges; money that still comes is recorded.' },
  },
});

type Detail = { name: string; description: string; value: string };

const ReceivingAccountDetail = builder.objectRef<Detail>('ReceivingAccountDetail').implement({
  description: 'One thing that makes up the account by the rules of its scheme.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'Its name in `ReceivingAccountDetailsInput`.' }),
    description: t.exposeString('description', { description: 'What it is.' }),
    value: t.exposeString('value', { description: 'What it is set to, in its normal form.' }),
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
  description: 'A bank account or wallet of yours that customers pay to.',
  fields: (t) => ({
    method: t.field({
      type: PaymentMethodCode,
      description: 'The payment method it takes.',
      resolve: (account) => account.method as MethodCode,
    }),
    status: t.expose('status', {
      type: ReceivingAccountStatus,
      description: 'Whether it takes new charges.',
    }),
    account: t.exposeString('account', { description: 'The number customers pay to.' }),
    details: t.field({
      type: [ReceivingAccountDetail],
      description: 'What makes up the account, as its scheme needs it.',
      resolve: detailsOf,
    }),
    holder: t.exposeString('holder', { description: 'Its holder, as customers see it.' }),
    bank: t.exposeString('bank', { description: 'The bank or wallet, as the customer’s app shows it.' }),
    country: t.field({
      type: 'CountryCode',
      description: 'The country of the payment method.',
      resolve: (account) => paymentMethods[account.method as MethodCode].country,
    }),
    currency: t.expose('currency', { type: 'CurrencyCode', description: 'What it is kept in.' }),
    timeZone: t.exposeString('timeZone', {
      description: 'The IANA time zone of its days, for transfers that carry only a date.',
    }),
    weight: t.exposeInt('weight', {
      description: 'Its share of new charges among your accounts for the same method.',
    }),
    minAmount: t.field({
      type: 'Decimal',
      nullable: true,
      description: 'The smallest amount it takes; null: that of the method.',
      resolve: ({ minAmount, currency }) => (minAmount === null ? null : decimal(minAmount, currency)),
    }),
    maxAmount: t.field({
      type: 'Decimal',
      nullable: true,
      description: 'The largest amount it takes; null: that of the method.',
      resolve: ({ maxAmount, currency }) => (maxAmount === null ? null : decimal(maxAmount, currency)),
    }),
    windowMinutes: t.exposeInt('windowMinutes', {
      nullable: true,
      description: 'How many minutes a charge on it waits for its money; null: as the method.',
    }),
    carriesReference: t.boolean({
      description:
        'Whether the customer’s word travels with the payment. Where it does not, only the amount tells payments apart.',
      resolve: ({ method, details }) =>
        schemeOf(method as MethodCode).carriesReference(details as ReceivingDetails),
    }),
    uniqueAmountsMax: t.exposeInt('uniqueAmountsMax', {
      nullable: true,
      description:
        'How many whole units may be added to an amount so that no two open charges ask the same; null: nothing is added.',
    }),
    sampleDestination: t.field({
      type: DestinationType,
      nullable: true,
      description:
        'What a customer would be shown for an amount: scan it before you go live. Its word belongs to no charge. Null for a retired account. Errors: `amount_out_of_range`.',
      args: {
        amount: t.arg({
          type: 'Decimal',
          description:
            'In the currency of the account; left out: the smallest it takes, from one whole unit.',
        }),
      },
      resolve: (account, { amount = null }) => sampleDestination(account, { amount }),
    }),
    demo: t.exposeBoolean('demo', { description: 'Whether it is fictional: nobody can be paid there.' }),
    retiredAt: t.expose('retiredAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Since when it takes no new charges; null while it takes them.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was made.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When it last changed.' }),
  }),
});

const ReceivingAccountFilter = builder.inputType('ReceivingAccountFilter', {
  description: 'Which receiving accounts: those that fit all members given.',
  fields: (t) => ({
    method: t.field({ type: PaymentMethodCode, description: 'Only those of this payment method.' }),
    status: t.field({ type: ReceivingAccountStatus, description: 'Only those with this status.' }),
    currency: t.field({ type: 'CurrencyCode', description: 'Only those kept in this currency.' }),
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
    description: 'One receiving account.',
    args: { id: t.arg.id({ required: true, description: 'Its id, `acc_…`.' }) },
    resolve: (query, _root, { id }, context) =>
      context.service.prisma.receivingAccount.findFirst({ ...query, where: { id, ...owned(context) } }),
  }),
  receivingAccounts: t.prismaConnection(
    {
      type: ReceivingAccountType,
      ...pagedById,
      description: 'Your receiving accounts, newest first.',
      args: { filter: t.arg({ type: ReceivingAccountFilter, description: 'Which ones.' }) },
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
