import type { ExtendedTypes } from '../kit/builder.ts';
import { CustomerInput } from './customer.ts';
import { OrderInput } from './order.ts';

/** The fields that the inputs of sessions and checkout links share. */
export const checkoutInputFields = (
  t: PothosSchemaTypes.InputFieldBuilder<ExtendedTypes, 'InputObject'>,
) => ({
  amount: t.field({ type: 'Decimal', required: true, description: 'The amount to charge, in major units.' }),
  currency: t.field({ type: 'CurrencyCode', required: true, description: 'The currency of the amount.' }),
  orders: t.field({
    type: [OrderInput],
    description: 'The order lines that the customer pays for, at most 100.',
  }),
  notifyPayload: t.string({
    description: 'Your reference for the charge, returned with notifications. At most 4,096 characters.',
  }),
  redirectUrl: t.string({ description: 'The return URL that the button on the customer’s page links to.' }),
  customer: t.field({
    type: CustomerInput,
    description:
      'The details that prefill the customer’s page. The customer can change them. A checkout link uses them only with `usageLimit: 1`.',
  }),
});
