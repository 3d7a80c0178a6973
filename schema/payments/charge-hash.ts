import { createChargeHash } from '../../src/domain/payments/charge/charge-hash.ts';
import { builder } from '../kit/builder.ts';
import { requireMerchantCaller } from '../kit/graphql-context.ts';
import { successType } from '../kit/success-type.ts';
import { OrderInput, toOrders } from './order.ts';

const CreateChargeHashInput = builder.inputType('CreateChargeHashInput', {
  description: 'The values of the charge that the hash protects against changes.',
  fields: (t) => ({
    merchantAmount: t.field({
      type: 'Decimal',
      required: true,
      description: 'The amount to charge, in major units of `merchantCurrency`.',
    }),
    merchantCurrency: t.field({
      type: 'CurrencyCode',
      required: true,
      description: 'The currency of `merchantAmount`.',
    }),
    orders: t.field({
      type: [OrderInput],
      description: 'The order lines that you will send when you create the charge, unchanged.',
    }),
    notifyPayload: t.string({
      description:
        'The `notifyPayload` of a `/checkout` URL that you build yourself. The hash of such a URL covers it.',
    }),
    notifyUrl: t.string({
      description:
        'The `notifyUrl` of a `/checkout` URL that you build yourself. The hash of such a URL covers it.',
    }),
  }),
});

const CreateChargeHashSuccess = successType('CreateChargeHashSuccess', {
  description: 'The result of creating a hash. Nothing is stored.',
  fields: {
    hash: {
      type: 'String',
      description: 'The hash, which you send as `hash` with the charge or in the checkout URL.',
    },
  },
});

builder.mutationField('createChargeHash', (t) =>
  t.field({
    type: CreateChargeHashSuccess,
    errors: {},
    twoFactor: 'live',
    isRestricted: true,
    authScopes: { permission: 'write' },
    description:
      'Creates the hash of a charge for secure mode. The hash does not match a charge with another amount, currency, order or mode. In live mode, this requires restricted access (`Merchant.restrictedAccess`). The mutation fails with `currency_unsupported` if the currency is not supported. Requires the permission `write`.',
    args: {
      input: t.arg({
        type: CreateChargeHashInput,
        required: true,
        description: 'The values that the hash protects.',
      }),
    },
    resolve: async (_root, args, context) => {
      const { merchant, mode } = requireMerchantCaller(context);
      const input = { ...args.input, orders: toOrders(args.input.orders) };
      return { hash: await createChargeHash(context.service, { merchant, mode, input }) };
    },
  }),
);
