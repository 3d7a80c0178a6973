import { findAvailableMethods } from '../../src/domain/accounts/receiving-account/find-available-methods.ts';
import { cancelCounterSale } from '../../src/domain/payments/counter/cancel-counter-sale.ts';
import { chooseCounterSaleMethod } from '../../src/domain/payments/counter/choose-counter-sale-method.ts';
import {
  type CounterSale,
  findCounterSale,
  findRecentSales,
  getCounterSaleStatus,
} from '../../src/domain/payments/counter/counter-sale.ts';
import { createCounterSale } from '../../src/domain/payments/counter/create-counter-sale.ts';
import { type CounterItem, findCounterItems } from '../../src/domain/payments/counter/find-counter-items.ts';
import { DomainError } from '../../src/kit/errors.ts';
import { abortable } from '../../src/live/abortable.ts';
import { toMerchantTopic } from '../../src/live/hub.ts';
import { watchObject } from '../../src/live/watch.ts';
import { paymentMethods } from '../../src/method/catalog.ts';
import { sortByCountry } from '../../src/method/sort-by-country.ts';
import { builder } from '../kit/builder.ts';
import {
  type GraphqlContext,
  getMerchantTime,
  requireMerchantCaller,
  toAuditContext,
} from '../kit/graphql-context.ts';
import { successType } from '../kit/success-type.ts';
import { toDecimalScalar } from '../scalars.ts';
import { CounterSaleType } from './counter-sale.ts';
import { PaymentMethodCode } from './payment-method.ts';

/** A user with the permission `sell`. Sales belong to a user, so API keys have none. */
export const sellerOnly = { permission: 'sell', self: true } as const;

const CounterItemType = builder.objectRef<CounterItem>('CounterItem').implement({
  description:
    'A saved item: an active checkout link with a name and a fixed amount, and without a maximum number of payments or customer details.',
  fields: (t) => ({
    checkoutLinkId: t.exposeID('id', { description: 'The ID of the checkout link, `lnk_…`.' }),
    name: t.exposeString('name', { description: 'The name of the checkout link.' }),
    amount: t.field({
      type: 'Decimal',
      description: 'The price of the item, in `currency`.',
      resolve: ({ money: { minor, currency } }) => toDecimalScalar(minor, currency),
    }),
    currency: t.field({
      type: 'CurrencyCode',
      description: 'The currency of `amount`.',
      resolve: ({ money: { currency } }) => currency,
    }),
  }),
});

const PointOfSaleType = builder.objectRef<object>('PointOfSale').implement({
  description: 'The saved items, and the sales of the signed-in user.',
  fields: (t) => ({
    items: t.field({
      type: [CounterItemType],
      description: 'The saved items in the order of their names, at most 100.',
      resolve: (_pointOfSale, _args, context) =>
        findCounterItems(context.service, { ...getScope(context), now: getMerchantTime(context) }),
    }),
    sales: t.field({
      type: [CounterSaleType],
      description:
        'Your own sales of the last 24 hours, newest first: the newest 50, and up to 200 older ones that can still be paid.',
      resolve: (_pointOfSale, _args, context) =>
        findRecentSales(context.service, { ...getSeller(context), now: getMerchantTime(context) }),
    }),
    currencies: t.field({
      type: ['CurrencyCode'],
      description:
        'The currencies of the available payment methods, in which a sale can have its amount. Those of the merchant’s country come first.',
      resolve: async (_pointOfSale, _args, context) => {
        const { merchant } = requireMerchantCaller(context);
        const methods = await findAvailableMethods(context.service, getScope(context));
        const sortedMethods = sortByCountry(
          methods.map((method) => paymentMethods[method]),
          merchant.country,
        );
        return [...new Set(sortedMethods.map(({ currency }) => currency))];
      },
    }),
  }),
});

builder.queryField('pointOfSale', (t) =>
  t.field({
    type: PointOfSaleType,
    nullable: true,
    skipTypeScopes: true,
    authScopes: { $all: sellerOnly },
    description:
      'Returns the saved items and your own sales at the counter. Requires a user with the permission `sell`.',
    resolve: () => ({}),
  }),
);

const CreateCounterSaleInput = builder.inputType('CreateCounterSaleInput', {
  description: 'The sale: a saved item, or an amount.',
  fields: (t) => ({
    itemId: t.id({
      description:
        'The ID of a saved item, `lnk_…`. The sale then has the price and the payment methods of the item, and `amount` and `currency` have no effect.',
    }),
    amount: t.field({
      type: 'Decimal',
      description: 'The amount, in major units. Required unless you set `itemId`.',
    }),
    currency: t.field({
      type: 'CurrencyCode',
      description: 'The currency of the amount. Required unless you set `itemId`.',
    }),
  }),
});

const ChooseCounterSaleMethodInput = builder.inputType('ChooseCounterSaleMethodInput', {
  description: 'The sale, and the payment method for it.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'The ID of the sale, `ses_…`.' }),
    method: t.field({
      type: PaymentMethodCode,
      required: true,
      description: 'The payment method that the customer named, one of the `offers` of the sale.',
    }),
  }),
});

const CancelCounterSaleInput = builder.inputType('CancelCounterSaleInput', {
  description: 'The sale to cancel.',
  fields: (t) => ({ id: t.id({ required: true, description: 'The ID of the sale, `ses_…`.' }) }),
});

const saleField = {
  counterSale: { type: CounterSaleType, description: 'The sale, with the QR code in `payment`.' },
};

const CreateCounterSaleSuccess = successType('CreateCounterSaleSuccess', {
  description: 'The result of creating a sale.',
  fields: saleField,
});
const ChooseCounterSaleMethodSuccess = successType('ChooseCounterSaleMethodSuccess', {
  description: 'The result of choosing a payment method.',
  fields: saleField,
});
const CancelCounterSaleSuccess = successType('CancelCounterSaleSuccess', {
  description: 'The result of cancelling a sale.',
  fields: { counterSale: { type: CounterSaleType, description: 'The cancelled sale.' } },
});

builder.mutationFields((t) => ({
  createCounterSale: t.field({
    type: CreateCounterSaleSuccess,
    errors: {},
    twoFactor: 'never',
    authScopes: { $all: sellerOnly },
    description:
      'Creates a sale at the counter. Without a payment method, it ends after an hour; with one, when the payment window of its charge ends. The mutation fails with `method_unavailable`, `amount_out_of_range`, `currency_unsupported`, `rate_unavailable` or `rate_stale` if no payment method accepts the amount, and with `checkout_link_not_found` if `itemId` is not the ID of a saved item. Requires a user with the permission `sell`.',
    args: {
      input: t.arg({ type: CreateCounterSaleInput, required: true, description: 'The sale to create.' }),
    },
    resolve: async (_root, { input }, context) => {
      const { merchant, mode, actor } = requireMerchantCaller(context);
      const { sellerId } = getSeller(context);
      const change = { actor, now: getMerchantTime(context), audit: toAuditContext(context) };
      return {
        counterSale: await createCounterSale(context.service, { merchant, mode, sellerId, input, ...change }),
      };
    },
  }),
  chooseCounterSaleMethod: t.field({
    type: ChooseCounterSaleMethodSuccess,
    errors: {},
    twoFactor: 'never',
    authScopes: { $all: sellerOnly },
    description:
      'Creates the charge of your own sale for a payment method, so that the customer can scan its code without entering anything. If the sale has an unpaid charge of another method, the new charge replaces it. The mutation fails with `session_not_found`, `session_cancelled`, `session_expired`, `charge_not_pending` if the charge can no longer be replaced, and `method_unavailable`, `amount_out_of_range`, `rate_unavailable` or `rate_stale` if the method does not accept the amount. Requires a user with the permission `sell`.',
    args: {
      input: t.arg({
        type: ChooseCounterSaleMethodInput,
        required: true,
        description: 'The sale and the method.',
      }),
    },
    resolve: async (_root, { input }, context) => {
      const { merchant, actor } = requireMerchantCaller(context);
      const change = { actor, now: getMerchantTime(context), audit: toAuditContext(context) };
      const options = { merchant, seller: getSeller(context), ipAddress: context.ipAddress, ...change };
      return { counterSale: await chooseCounterSaleMethod(context.service, { ...input, ...options }) };
    },
  }),
  cancelCounterSale: t.field({
    type: CancelCounterSaleSuccess,
    errors: {},
    twoFactor: 'never',
    authScopes: { $all: sellerOnly },
    description:
      'Cancels one of your own sales, as long as no money has arrived. The mutation fails with `session_not_found`, `session_cancelled`, `session_expired` or `charge_not_pending`. Requires a user with the permission `sell`.',
    args: {
      input: t.arg({ type: CancelCounterSaleInput, required: true, description: 'The sale to cancel.' }),
    },
    resolve: async (_root, { input: { id } }, context) => {
      const { actor } = requireMerchantCaller(context);
      const change = { actor, now: getMerchantTime(context), audit: toAuditContext(context) };
      return {
        counterSale: await cancelCounterSale(context.service, { ...getSeller(context), id, ...change }),
      };
    },
  }),
}));

builder.subscriptionField('counterSaleUpdated', (t) =>
  t.field({
    type: CounterSaleType,
    nullable: true,
    skipTypeScopes: true,
    // Without `self`, which would reject a WebSocket. API keys cannot have this permission.
    authScopes: { permission: 'sell' },
    description:
      'Sends your own sale immediately, and again after each change. If it does not exist, sends null and ends.',
    args: { id: t.arg.id({ required: true, description: 'The ID of the sale, `ses_…`.' }) },
    subscribe: (_root, { id }, context) => watchSale(context, id),
    resolve: (sale) => sale ?? null,
  }),
);

/**
 * Yields the sale immediately, and after each change of its progress. The compared state includes the version of the
 * charge, because a charge can change while its session does not.
 */
function watchSale(context: GraphqlContext, id: string): AsyncGenerator<CounterSale | undefined> {
  const { merchantId, mode } = getScope(context);
  const seller = getSeller(context);
  const read = () => findCounterSale(context.service, { id, ...seller });
  return abortable(async function* (signal) {
    let lastState: string | undefined;
    const topic = toMerchantTopic(merchantId, mode);
    for await (const sale of watchObject(context.hub, { topic, read, signal })) {
      const status = getCounterSaleStatus(sale, getMerchantTime(context));
      const state = [status, sale.charge?.id, sale.charge?.version].join(' ');
      if (state !== lastState) yield sale;
      lastState = state;
    }
    if (lastState === undefined && !signal.aborted) yield undefined;
  });
}

function getScope(context: GraphqlContext) {
  const { merchant, mode } = requireMerchantCaller(context);
  return { merchantId: merchant.id, mode };
}

export function getSeller(context: GraphqlContext) {
  const { user } = requireMerchantCaller(context);
  if (!user) throw new DomainError('unauthenticated', 'Sign in to the dashboard');
  return { ...getScope(context), sellerId: user.id };
}
