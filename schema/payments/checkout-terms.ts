import type { ExtendedTypes } from '../kit/builder.ts';
import { CustomerInput } from './customer.ts';
import { OrderInput } from './order.ts';

/** What the inputs of sessions and checkout links have in common: what is to be paid, and what the page needs for it. */
export const checkoutTerms = (t: PothosSchemaTypes.InputFieldBuilder<ExtendedTypes, 'InputObject'>) => ({
  amount: t.field({ type: 'Decimal', required: true, description: 'What you ask, in major units.' }),
  currency: t.field({ type: 'CurrencyCode', required: true, description: 'What the amount is in.' }),
  orders: t.field({ type: [OrderInput], description: 'What is paid for, at most 100 orders.' }),
  notifyPayload: t.string({
    description: 'Your own text, returned with notifications; at most 4,096 characters.',
  }),
  redirectUrl: t.string({ description: 'Where the button on the customer’s page leads back to.' }),
  customer: t.field({
    type: CustomerInput,
    description:
      'Details that prefill the customer’s page, which the customer can change. A checkout link uses them only with `usesLimit: 1`.',
  }),
});
