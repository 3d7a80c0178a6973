import type { Charge, Prisma } from '../../prisma/client/client.ts';
import { search, searchTextLengthMax } from '../../src/domain/operations/search/search.ts';
import { buildSearchFilter } from '../../src/domain/payments/charge-list/build-search-filter.ts';
import type { CountFilter } from '../../src/domain/payments/charge-list/charge-conditions.ts';
import { countCharges } from '../../src/domain/payments/charge-list/count-charges.ts';
import {
  buildChargeFilter,
  type ChargeFilter as DomainFilter,
  toCountFilter,
} from '../../src/domain/payments/charge-list/find-charges.ts';
import { checkText } from '../../src/kit/text.ts';
import { AmountRangeInput, parseAmountRange } from '../amount-range.ts';
import { allowClientToken, buildChargeAccessFilter } from '../kit/access.ts';
import { builder, type InferInput } from '../kit/builder.ts';
import {
  createConnectionType,
  idPagingOptions,
  reverseArg,
  toForwardPage,
  toKeysetQuery,
} from '../kit/connection.ts';
import { type GraphqlContext, getMerchantScope, requireScopedCaller } from '../kit/graphql-context.ts';
import {
  comparedColumns,
  markAsSent,
  type ObjectChange,
  readCoalesced,
  watchListChanges,
  watchObjectChanges,
} from '../kit/live.ts';
import {
  createdBetweenFields,
  customerFilterFields,
  filterArg,
  metadataFilterFields,
  parseCreatedBetween,
  parseCustomerFilter,
  parseMetadataFilter,
} from '../list-filters.ts';
import { ChargeStatus, ChargeType } from './charge.ts';
import { getPlainRelations, readChargesWithRelations, readChargeWithRelations } from './charge-rows.ts';
import { PaymentMethodCode } from './payment-method.ts';

/** The maximum number of charges that a search by words finds. */
const searchResultsMax = 1_000;

export const ChargeFilter = builder.inputType('ChargeFilter', {
  description:
    'The conditions that the charges of a list must meet. If several are given, all of them must be met.',
  fields: (t) => ({
    statuses: t.field({
      type: [ChargeStatus],
      description: 'Returns only charges with one of these statuses.',
    }),
    method: t.field({
      type: PaymentMethodCode,
      description: 'Returns only charges that are paid with this payment method.',
    }),
    ...createdBetweenFields(t, 'charges'),
    customerCurrency: t.field({
      type: 'CurrencyCode',
      description: 'Returns only charges that are paid in this currency.',
    }),
    receivingAccountId: t.id({
      description: 'Returns only charges that are paid to the receiving account with this ID, `acc_…`.',
    }),
    checkoutLinkId: t.id({
      description: 'Returns only charges that were created from the checkout link with this ID, `lnk_…`.',
    }),
    sellerId: t.id({
      description: 'Returns only charges of sales at the counter by the user with this ID, `usr_…`.',
    }),
    isPartlyPaid: t.boolean({
      description:
        'If true, returns only charges that have received a part of their amount and are not completed. If false, returns only the other charges.',
    }),
    ...customerFilterFields(t, 'charges'),
    ...metadataFilterFields(t, 'charges'),
    merchantAmount: t.field({
      type: AmountRangeInput,
      description: 'Returns only charges whose `merchantAmount` is in this range.',
    }),
    search: t.string({
      description: `Returns only charges that the query \`search\` finds by this text, or that have it as a value of your metadata. The payment reference is also found within a longer text, such as the remark of a transfer. If more than ${searchResultsMax.toLocaleString('en')} charges match the text, only the newest of them are returned.`,
    }),
  }),
});

const ChargeConnection = createConnectionType(ChargeType, 'Charge');
const idArg = { required: true, description: 'The ID of the charge, `ch_…`.' } as const;

builder.queryFields((t) => ({
  charge: t.prismaField({
    ...allowClientToken,
    type: ChargeType,
    nullable: true,
    description:
      'Returns the charge with this ID, or null if it does not exist. A client token can fetch only the charge that it was issued for, or the charge of its session. Any other ID returns null.',
    args: { id: t.arg.id(idArg) },
    resolve: (query, _root, { id }, context) => {
      const relations =
        requireScopedCaller(context).kind === 'clientToken' ? undefined : getPlainRelations(query, context);
      if (relations) return readChargeWithRelations(context, id, relations);
      return context.service.prisma.charge.findFirst({
        ...query,
        where: buildChargeAccessFilter(context, id),
      });
    },
  }),
  charges: t.prismaConnection(
    {
      type: ChargeType,
      nullable: true,
      ...idPagingOptions,
      description: 'Returns your charges, newest first.',
      args: {
        filter: t.arg(filterArg(ChargeFilter)),
        reverse: t.arg.boolean(reverseArg),
      },
      resolve: async (query, _root, { filter, reverse }, context) => {
        const relations = getPlainRelations(query, context);
        const countFilter = getCountFilter(filter);
        const page = countFilter && relations && toForwardPage(query, 'Charge');
        const slice = page && { filter: countFilter, reverse, ...page };
        if (slice) return readChargesWithRelations(context, slice, relations);
        const where = await buildChargeListFilter(context, filter);
        return context.service.prisma.charge.findMany(toKeysetQuery(query, 'Charge', where, { reverse }));
      },
      totalCount: async (_root, { filter }, context) => {
        const countFilter = getCountFilter(filter);
        if (countFilter) return countCharges(context.service.pool, getMerchantScope(context), countFilter);
        return context.service.prisma.charge.count({ where: await buildChargeListFilter(context, filter) });
      },
    },
    ChargeConnection,
  ),
}));

builder.subscriptionFields((t) => ({
  chargeUpdated: t.prismaField({
    ...allowClientToken,
    type: ChargeType,
    nullable: true,
    description:
      'Sends the charge immediately, and again after each change. If the charge does not exist, sends null and ends.',
    args: { id: t.arg.id(idArg) },
    subscribe: (_root, { id }, context) =>
      watchObjectChanges(context, id, () => {
        const findArgs = {
          where: buildChargeAccessFilter(context, id),
          select: comparedColumns.charge,
        } as const;
        return readCoalesced(context, findArgs, () => context.service.prisma.charge.findFirst(findArgs));
      }),
    resolve: (query, change, _args, context) => (change ? findChanged(query, change, context) : null),
  }),
  chargesUpdated: t.prismaField({
    type: ChargeType,
    description:
      'Sends your newest charge immediately, if there is one, and then each charge that is created or changes.',
    subscribe: (_root, _args, context) => watchListChanges(context, 'charge'),
    resolve: (query, change, _args, context) => findChanged(query, change, context),
  }),
}));

async function findChanged(query: object, change: ObjectChange, context: GraphqlContext): Promise<Charge> {
  const findArgs = { ...query, where: { id: change.id, ...getMerchantScope(context) } };
  const charge = await readCoalesced(context, findArgs, () =>
    context.service.prisma.charge.findFirstOrThrow(findArgs),
  );
  return markAsSent(change, charge);
}

const searchLengthMax = 500;

/** Returns the IDs of the newest charges with the words of the text; none if it is too long for a search by words. */
async function findByWords(context: GraphqlContext, text: string): Promise<string[]> {
  if (text.length > searchTextLengthMax) return [];
  const scope = getMerchantScope(context);
  return (await search(context.service, { ...scope, text, types: ['charge'], limit: searchResultsMax }))
    .charge;
}

export async function buildChargeListFilter(
  context: GraphqlContext,
  filter: InferInput<typeof ChargeFilter> | null | undefined,
): Promise<Prisma.ChargeWhereInput> {
  const where = buildChargeFilter({ ...getMerchantScope(context), filter: parseFilter(filter) });
  const text = checkText(filter?.search ?? '', '/filter/search', searchLengthMax);
  const searchFilter =
    text.trim() === ''
      ? {}
      : await buildSearchFilter(context.service, {
          ...getMerchantScope(context),
          search: text,
          foundIds: await findByWords(context, text),
        });
  return { ...where, ...searchFilter };
}

/** Returns the filter in the form of the stored counts, or undefined if they do not support it. */
function getCountFilter(filter: InferInput<typeof ChargeFilter> | null | undefined): CountFilter | undefined {
  return filter?.search?.trim() ? undefined : toCountFilter(parseFilter(filter));
}

/** Converts all filters except `search`. */
function parseFilter(filter: InferInput<typeof ChargeFilter> | null | undefined): DomainFilter {
  const { statuses, method, customerCurrency, receivingAccountId, checkoutLinkId, sellerId, merchantAmount } =
    filter ?? {};
  return {
    status: statuses?.length ? statuses : undefined,
    method: method ?? undefined,
    ...parseCreatedBetween(filter),
    customerCurrency: customerCurrency ?? undefined,
    receivingAccountId: receivingAccountId ?? undefined,
    checkoutLinkId: checkoutLinkId ?? undefined,
    sellerId: sellerId ?? undefined,
    isPartlyPaid: filter?.isPartlyPaid ?? undefined,
    ...parseCustomerFilter(filter),
    ...parseMetadataFilter(filter),
    merchantAmount: merchantAmount ? parseAmountRange(merchantAmount, '/filter/merchantAmount') : undefined,
  };
}
