import type { Charge, Prisma } from '../../prisma/client/client.ts';
import type { CountedFilter } from '../../src/domain/payments/charge-list/charge-conditions.ts';
import { countCharges } from '../../src/domain/payments/charge-list/count-charges.ts';
import {
  chargeWhere,
  countedFilter,
  type ChargeFilter as DomainFilter,
} from '../../src/domain/payments/charge-list/find-charges.ts';
import { searchWhere } from '../../src/domain/payments/charge-list/search-where.ts';
import type { CurrencyCode } from '../../src/kit/currency.ts';
import { parseMoney } from '../../src/kit/money.ts';
import { checkText } from '../../src/kit/text.ts';
import { alsoForPages, visibleCharge } from '../kit/access.ts';
import { builder, type InputOf } from '../kit/builder.ts';
import { connectionOf, forwardPage, keyset, pagedById } from '../kit/connection.ts';
import { boundCaller, type GraphqlContext, owned } from '../kit/graphql-context.ts';
import { type Hint, hintOf, readForAll, tell, watchKind, watchOne } from '../kit/live.ts';
import { madeWithin, ofCustomer, readCustomer, readMadeWithin } from '../list-filters.ts';
import { ChargeStatus, ChargeType } from './charge.ts';
import { quickParts, readPreparedCharge, readPreparedCharges } from './charge-rows.ts';
import { PaymentMethodCode } from './payment-method.ts';

const AmountRange = builder.inputType('AmountRange', {
  description: 'A range of amounts in one currency. Both bounds are inclusive.',
  fields: (t) => ({
    currency: t.field({ type: 'CurrencyCode', required: true, description: 'The currency of the amounts.' }),
    min: t.field({ type: 'Decimal', description: 'The minimum amount, in major units.' }),
    max: t.field({ type: 'Decimal', description: 'The maximum amount, in major units.' }),
  }),
});

export const ChargeFilter = builder.inputType('ChargeFilter', {
  description: 'Filters for a list of charges. A charge must match all of the given filters.',
  fields: (t) => ({
    status: t.field({
      type: [ChargeStatus],
      description: 'Returns only charges with one of these statuses.',
    }),
    method: t.field({
      type: PaymentMethodCode,
      description: 'Returns only charges that are paid with this payment method.',
    }),
    ...madeWithin(t),
    customerCurrency: t.field({
      type: 'CurrencyCode',
      description: 'Returns only charges that are paid in this currency.',
    }),
    ...ofCustomer(t),
    merchantAmount: t.field({
      type: AmountRange,
      description: 'Returns only charges whose merchant amount is in this range.',
    }),
    search: t.string({
      description:
        'Returns only charges that match this text exactly: the customer’s email address, the ID of an order, the payment reference (also within a bank’s remark) or the charge’s ID. Only IDs are case-sensitive.',
    }),
  }),
});

const ChargeConnection = connectionOf(ChargeType, 'Charge');
const idArg = { required: true, description: 'The ID of the charge, `ch_…`.' } as const;

builder.queryFields((t) => ({
  charge: t.prismaField({
    ...alsoForPages,
    type: ChargeType,
    nullable: true,
    description: 'A single charge. With a client token, only its own charge or the charge of its session.',
    args: { id: t.arg.id(idArg) },
    resolve: (query, _root, { id }, context) => {
      const parts = boundCaller(context).kind === 'page' ? undefined : quickParts(query, context);
      if (parts) return readPreparedCharge(context, id, parts);
      return context.service.prisma.charge.findFirst({ ...query, where: visibleCharge(context, id) });
    },
  }),
  charges: t.prismaConnection(
    {
      type: ChargeType,
      ...pagedById,
      description: 'Your charges, newest first.',
      args: { filter: t.arg({ type: ChargeFilter, description: 'Filters for the list.' }) },
      resolve: async (query, _root, { filter }, context) => {
        const parts = quickParts(query, context);
        const counted = countedOf(filter);
        const page = counted && parts && forwardPage(query, 'Charge');
        if (page) return readPreparedCharges(context, { filter: counted, ...page }, parts);
        const where = await chargeListWhere(context, filter);
        return context.service.prisma.charge.findMany(keyset(query, 'Charge', where));
      },
      totalCount: async (_root, { filter }, context) => {
        const counted = countedOf(filter);
        if (counted) return countCharges(context.service.pool, owned(context), counted);
        return context.service.prisma.charge.count({ where: await chargeListWhere(context, filter) });
      },
    },
    ChargeConnection,
  ),
}));

builder.subscriptionFields((t) => ({
  chargeUpdated: t.prismaField({
    ...alsoForPages,
    type: ChargeType,
    nullable: true,
    description:
      'Sends a charge immediately and again after each change. If it does not exist, sends null and ends.',
    args: { id: t.arg.id(idArg) },
    subscribe: (_root, { id }, context) =>
      watchOne(context, id, () => {
        const asked = { where: visibleCharge(context, id), select: hintOf.charge } as const;
        return readForAll(context, asked, () => context.service.prisma.charge.findFirst(asked));
      }),
    resolve: (query, hint, _args, context) => (hint ? findHinted(query, hint, context) : null),
  }),
  chargesUpdated: t.prismaField({
    type: ChargeType,
    description:
      'Sends your newest charge immediately, if there is one, and then each charge that is created or changes.',
    subscribe: (_root, _args, context) => watchKind(context, 'charge'),
    resolve: (query, hint, _args, context) => findHinted(query, hint, context),
  }),
}));

async function findHinted(query: object, hint: Hint, context: GraphqlContext): Promise<Charge> {
  const asked = { ...query, where: { id: hint.id, ...owned(context) } };
  const charge = await readForAll(context, asked, () =>
    context.service.prisma.charge.findFirstOrThrow(asked),
  );
  return tell(hint, charge);
}

const searchMax = 500;

export async function chargeListWhere(
  context: GraphqlContext,
  filter: InputOf<typeof ChargeFilter> | null | undefined,
): Promise<Prisma.ChargeWhereInput> {
  const where = chargeWhere({ ...owned(context), filter: readFilter(filter) });
  const text = checkText(filter?.search ?? '', '/filter/search', searchMax);
  const found =
    text.trim() === '' ? {} : await searchWhere(context.service, { ...owned(context), search: text });
  return { ...where, ...found };
}

/** The filter as the counts of charges know it; undefined where it asks for more. */
function countedOf(filter: InputOf<typeof ChargeFilter> | null | undefined): CountedFilter | undefined {
  return filter?.search?.trim() ? undefined : countedFilter(readFilter(filter));
}

/** All but the search, as the domain knows it. Errors: `invalid_request`. */
function readFilter(filter: InputOf<typeof ChargeFilter> | null | undefined): DomainFilter {
  const { status, method, customerCurrency, merchantAmount } = filter ?? {};
  return {
    status: status ?? undefined,
    method: method ?? undefined,
    ...readMadeWithin(filter),
    customerCurrency: customerCurrency ?? undefined,
    ...readCustomer(filter),
    merchantAmount: merchantAmount ? readRange(merchantAmount) : undefined,
  };
}

/** Error: `invalid_request` for what is no amount of the currency. */
function readRange({ currency, min, max }: InputOf<typeof AmountRange>) {
  const read = (amount: string | null | undefined, name: 'min' | 'max') =>
    amount == null
      ? undefined
      : parseMoney(amount, currency as CurrencyCode, `/filter/merchantAmount/${name}`, { allowZero: true })
          .minor;
  return { currency, min: read(min, 'min'), max: read(max, 'max') };
}
