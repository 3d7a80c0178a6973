import type { ExtendedTypes } from '../kit/builder.ts';
import { CustomerInput } from './customer.ts';
import { metadataInput } from './metadata.ts';
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
    description:
      'Your reference for the charge, at most 4,096 characters. The notifications of the charge include it.',
  }),
  metadata: t.field(metadataInput),
  redirectUrl: t.string({
    description:
      'The return URL, to which a button on the checkout page links. It must be an https URL or use one of your `Merchant.redirectSchemes`; in the sandbox, http is allowed too.',
  }),
  customer: t.field({
    type: CustomerInput,
    description:
      'The customer details with which the form on the checkout page is prefilled. The customer can change them.',
  }),
});
