import type { Prisma } from '../../prisma/client/client.ts';
import { customerWhere } from '../../src/domain/payments/customer/customer-where.ts';
import { builder, type InputOf } from '../kit/builder.ts';
import { connectionOf, keyset, pagedById } from '../kit/connection.ts';
import { type GraphqlContext, owned } from '../kit/graphql-context.ts';
import { readEmail, readPhone } from '../list-filters.ts';
import { CustomerType } from './customer.ts';

const CustomerFilter = builder.inputType('CustomerFilter', {
  description: 'Which customers: those that fit all members given.',
  fields: (t) => ({
    email: t.string({
      description: 'Only the one with this e-mail address, whole; letter case does not matter.',
    }),
    phone: t.string({ description: 'Only those with this phone number, all digits of it.' }),
  }),
});

const CustomerConnection = connectionOf(CustomerType, 'Customer');

builder.queryFields((t) => ({
  customer: t.prismaField({
    type: CustomerType,
    nullable: true,
    description: 'One customer.',
    args: { id: t.arg.id({ required: true, description: 'Its id, `cus_…`.' }) },
    resolve: (query, _root, { id }, context) =>
      context.service.prisma.customer.findFirst({ ...query, where: { id, ...owned(context) } }),
  }),
  customers: t.prismaConnection(
    {
      type: CustomerType,
      ...pagedById,
      description: 'Your customers, newest first.',
      args: { filter: t.arg({ type: CustomerFilter, description: 'Which ones.' }) },
      resolve: (query, _root, { filter }, context) =>
        context.service.prisma.customer.findMany(keyset(query, 'Customer', filterWhere(context, filter))),
      totalCount: (_root, { filter }, context) =>
        context.service.prisma.customer.count({ where: filterWhere(context, filter) }),
    },
    CustomerConnection,
  ),
}));

function filterWhere(
  context: GraphqlContext,
  filter: InputOf<typeof CustomerFilter> | null | undefined,
): Prisma.CustomerWhereInput {
  const { email, phone } = filter ?? {};
  return customerWhere({
    ...owned(context),
    email: readEmail(email, '/filter/email'),
    phone: readPhone(phone, '/filter/phone'),
  });
}
