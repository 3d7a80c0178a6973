import type { FoundIds } from '../../src/domain/operations/search/search.ts';
import { search } from '../../src/domain/operations/search/search.ts';
import { type SearchedType, searchedTypes } from '../../src/domain/operations/search/search-query.ts';
import { invalidInputError } from '../../src/kit/errors.ts';
import { InvoiceType } from '../billing/invoice.ts';
import { SubscriptionContractType } from '../billing/subscription.ts';
import { builder } from '../kit/builder.ts';
import { type GraphqlContext, getMerchantScope } from '../kit/graphql-context.ts';
import { TransferType } from '../money-in/transfer.ts';
import { ChargeType } from '../payments/charge.ts';
import { CustomerType } from '../payments/customer.ts';
import { RefundType } from '../payments/refund.ts';

const resultsMax = 20;
const defaultResults = 5;

const SearchedTypeEnum = builder.enumType('SearchedType', {
  description: 'The type of the objects that a search finds.',
  values: Object.fromEntries(
    searchedTypes.map((type) => [type, { description: `Finds ${type}s.` }]),
  ) as Record<SearchedType, { description: string }>,
});

/** Returns the rows with these IDs, in the same order. */
function inOrder<Row extends { id: string }>(ids: readonly string[], rows: readonly Row[]): Row[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

const toWhere = (context: GraphqlContext, ids: readonly string[]) => ({
  where: { ...getMerchantScope(context), id: { in: [...ids] } },
});

const SearchResults = builder.objectRef<FoundIds>('SearchResults').implement({
  description:
    'The objects that a search found, newest first. The lists of types that were not searched are empty.',
  fields: (t) => ({
    charges: t.prismaField({
      type: [ChargeType],
      description: 'The charges that match.',
      resolve: async (query, { charge: ids }, _args, context) =>
        inOrder(ids, await context.service.prisma.charge.findMany({ ...query, ...toWhere(context, ids) })),
    }),
    refunds: t.prismaField({
      type: [RefundType],
      description: 'The refunds that match, also by the customer of their charge.',
      resolve: async (query, { refund: ids }, _args, context) =>
        inOrder(ids, await context.service.prisma.refund.findMany({ ...query, ...toWhere(context, ids) })),
    }),
    transfers: t.prismaField({
      type: [TransferType],
      description: 'The transfers that match.',
      resolve: async (query, { transfer: ids }, _args, context) =>
        inOrder(ids, await context.service.prisma.transfer.findMany({ ...query, ...toWhere(context, ids) })),
    }),
    customers: t.prismaField({
      type: [CustomerType],
      description: 'The customers that match.',
      resolve: async (query, { customer: ids }, _args, context) =>
        inOrder(ids, await context.service.prisma.customer.findMany({ ...query, ...toWhere(context, ids) })),
    }),
    subscriptions: t.prismaField({
      type: [SubscriptionContractType],
      description: 'The subscriptions that match.',
      resolve: async (query, { subscription: ids }, _args, context) =>
        inOrder(
          ids,
          await context.service.prisma.subscription.findMany({ ...query, ...toWhere(context, ids) }),
        ),
    }),
    invoices: t.prismaField({
      type: [InvoiceType],
      description: 'The invoices that match, also by the customer of their subscription.',
      resolve: async (query, { invoice: ids }, _args, context) =>
        inOrder(ids, await context.service.prisma.invoice.findMany({ ...query, ...toWhere(context, ids) })),
    }),
  }),
});

builder.queryField('search', (t) =>
  t.field({
    type: SearchResults,
    nullable: true,
    description:
      'Finds objects by name, email, phone, amount, order ID, item, reference, note, invoice number or ID. Each word of the text must be the beginning of a word of the object, or its amount. Case and accents are ignored.',
    args: {
      text: t.arg.string({
        required: true,
        description: 'The text to search for, at most 200 characters. Nothing is found for a single letter.',
      }),
      types: t.arg({
        type: [SearchedTypeEnum],
        description: 'The types of objects to find. If omitted, all types are searched.',
      }),
      limit: t.arg.int({
        description: `The maximum number of objects of each type, at most ${resultsMax}. The default is ${defaultResults}.`,
      }),
    },
    resolve: (_root, { text, types, limit }, context) => {
      if (limit != null && (limit < 1 || limit > resultsMax))
        throw invalidInputError('/limit', `must be from 1 to ${resultsMax}`);
      return search(context.service, {
        ...getMerchantScope(context),
        text,
        types: types ?? searchedTypes,
        limit: limit ?? defaultResults,
      });
    },
  }),
);
