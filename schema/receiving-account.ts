import { type MethodCode, paymentMethods } from '../src/method/catalogue.ts';
import { builder } from './builder.ts';
import { connectionOf, keyset, pagedById } from './connection.ts';
import { owned } from './graphql-context.ts';
import { PaymentMethodCode } from './payment-method.ts';
import { decimal } from './scalars.ts';

const ReceivingAccountStatus = builder.enumType('ReceivingAccountStatus', {
  description: 'Whether an account takes new charges.',
  values: {
    active: { description: 'It takes new charges.' },
    retired: { description: 'It takes no new charges; money that still comes is recorded.' },
  },
});

const ReceivingAccountType = builder.prismaNode('ReceivingAccount', {
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
    demo: t.exposeBoolean('demo', { description: 'Whether it is fictional: nobody can be paid there.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was made.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When it last changed.' }),
  }),
});

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
      resolve: (query, _root, _args, context) =>
        context.service.prisma.receivingAccount.findMany(keyset(query, 'ReceivingAccount', owned(context))),
      totalCount: (_root, _args, context) =>
        context.service.prisma.receivingAccount.count({ where: owned(context) }),
    },
    ReceivingAccountConnection,
  ),
}));
