import type { CheckoutSession } from '../../prisma/client/client.ts';
import { type MethodQuote, quoteMethods } from '../../src/domain/payments/charge/quote-methods.ts';
import { DomainError } from '../../src/kit/errors.ts';
import { paymentMethods } from '../../src/method/catalog.ts';
import { builder } from '../kit/builder.ts';
import { type GraphqlContext, getMerchantTime, requireScopedCaller } from '../kit/graphql-context.ts';
import { toDecimalScalar } from '../scalars.ts';
import { PaymentMethodCode } from './payment-method.ts';

export const SessionOfferType = builder.objectRef<MethodQuote>('SessionOffer').implement({
  description: 'A payment method of a session, with the amount that the customer would pay now.',
  fields: (t) => ({
    method: t.expose('method', { type: PaymentMethodCode, description: 'The payment method.' }),
    methodName: t.string({
      description: 'The English name by which customers know the payment method.',
      resolve: ({ method }) => paymentMethods[method].name,
    }),
    country: t.field({
      type: 'CountryCode',
      description: 'The country in which customers use the payment method.',
      resolve: ({ method }) => paymentMethods[method].country,
    }),
    customerAmount: t.field({
      type: 'Decimal',
      description: 'The amount to pay, in `customerCurrency`.',
      resolve: ({ customerMoney: { minor, currency } }) => toDecimalScalar(minor, currency),
    }),
    customerCurrency: t.field({
      type: 'CurrencyCode',
      description: 'The currency of the payment method.',
      resolve: ({ customerMoney }) => customerMoney.currency,
    }),
  }),
});

/** Returns the methods that accept the amount of the session now. */
export async function findOffers(
  { amount: minor, currency, methods }: CheckoutSession,
  context: GraphqlContext,
): Promise<MethodQuote[]> {
  const { merchant, mode } = requireScopedCaller(context);
  const money = { minor, currency };
  try {
    const options = { merchant, mode, money, methods, now: getMerchantTime(context) };
    return await quoteMethods(context.service, options);
  } catch (error) {
    if (error instanceof DomainError) return [];
    throw error;
  }
}
