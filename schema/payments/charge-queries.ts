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
  description: 'Amounts of one currency, both ends included.',
  fields: (t) => ({
    currency: t.field({ type: 'CurrencyCode', required: true, description: 'The currency.' }),
    min: t.field({ type: 'Decimal', description: 'From this amount on, in major units.' }),
    max: t.field({ type: 'Decimal', description: 'Up to this amount, in major units.' }),
  }),
});

export const ChargeFilter = builder.inputType('ChargeFilter', {
  description: 'Which charges: those that fit all members given.',
  fields: (t) => ({
    status: t.field({ type: [ChargeStatus], description: 'Only those with one of these.' }),
    method: t.field({ type: PaymentMethodCode, description: 'Only those paid this way.' }),
    ...madeWithin(t),
    customerCurrency: t.field({ type: 'CurrencyCode', description: 'Only those paid in this currency.' }),
    ...ofCustomer(t),
    merchantAmount: t.field({ type: AmountRange, description: 'Only those of such an amount of yours.' }),
    search: t.string({
      description:
        'Only those that this names: the customer’s e-mail address, the id of an order, the nonce (also within a bank’s remark) or the charge’s id. Each whole; letter case matters in ids only.',
    }),
  }),
});

const ChargeConnection = connectionOf(ChargeType, 'Charge');
const idArg = { required: true, description: 'Its id, `ch_…`.' } as const;

builder.queryFields((t) => ({
  charge: t.prismaField({
    ...alsoForPages,
    type: ChargeType,
    nullable: true,
    description: 'One charge. With a client token: its own, or that of its session.',
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
      args: { filter: t.arg({ type: ChargeFilter, description: 'Which ones.' }) },
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
    description: 'One charge at once and after each change of it; null, and the end, when there is none.',
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
    description: 'Your newest charge at once (when there is one), then each charge that is made or changes.',
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
