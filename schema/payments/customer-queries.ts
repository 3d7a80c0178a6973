import type { Prisma } from '../../prisma/client/client.ts';
import { buildCustomerFilter } from '../../src/domain/payments/customer/build-customer-filter.ts';
import { builder, type InferInput } from '../kit/builder.ts';
import { createConnectionType, idPagingOptions, reverseArg, toKeysetQuery } from '../kit/connection.ts';
import { type GraphqlContext, getMerchantScope } from '../kit/graphql-context.ts';
import { filterArg, parseEmailFilter, parsePhoneFilter } from '../list-filters.ts';
import { CustomerType } from './customer.ts';

export const CustomerFilter = builder.inputType('CustomerFilter', {
  description:
    'The conditions that the customers of a list must meet. If several are given, all of them must be met.',
  fields: (t) => ({
    email: t.string({
      description:
        'Returns only the customer with this email address. Provide the complete address; letter case is ignored.',
    }),
    phone: t.string({
      description:
        'Returns only customers with this phone number. Provide all digits, including the country calling code.',
    }),
    isIdentified: t.boolean({
      description:
        'Whether to return only customers with an email address or a phone number. The default is false: customers at the counter, who may have neither, are included.',
    }),
  }),
});

const CustomerConnection = createConnectionType(CustomerType, 'Customer');

builder.queryFields((t) => ({
  customer: t.prismaField({
    type: CustomerType,
    nullable: true,
    description: 'Returns the customer with this ID, or null if it does not exist.',
    args: { id: t.arg.id({ required: true, description: 'The ID of the customer, `cus_…`.' }) },
    resolve: (query, _root, { id }, context) =>
      context.service.prisma.customer.findFirst({ ...query, where: { id, ...getMerchantScope(context) } }),
  }),
  customers: t.prismaConnection(
    {
      type: CustomerType,
      nullable: true,
      ...idPagingOptions,
      description: 'Returns your customers, newest first.',
      args: {
        filter: t.arg(filterArg(CustomerFilter)),
        reverse: t.arg.boolean(reverseArg),
      },
      resolve: (query, _root, { filter, reverse }, context) =>
        context.service.prisma.customer.findMany(
          toKeysetQuery(query, 'Customer', buildCustomerListFilter(context, filter), { reverse }),
        ),
      totalCount: (_root, { filter }, context) =>
        context.service.prisma.customer.count({ where: buildCustomerListFilter(context, filter) }),
    },
    CustomerConnection,
  ),
}));

export function buildCustomerListFilter(
  context: GraphqlContext,
  filter: InferInput<typeof CustomerFilter> | null | undefined,
): Prisma.CustomerWhereInput {
  const { email, phone, isIdentified } = filter ?? {};
  return buildCustomerFilter({
    ...getMerchantScope(context),
    email: parseEmailFilter(email, '/filter/email'),
    phone: parsePhoneFilter(phone, '/filter/phone'),
    isIdentified: isIdentified ?? undefined,
  });
}
