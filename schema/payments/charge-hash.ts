import { createChargeHash } from '../../src/domain/payments/charge/create-charge-hash.ts';
import { builder } from '../kit/builder.ts';
import { merchantCaller } from '../kit/graphql-context.ts';
import { OrderInput } from './order.ts';

const CreateChargeHashInput = builder.inputType('CreateChargeHashInput', {
  description: 'What the hash protects.',
  fields: (t) => ({
    merchantAmount: t.field({
      type: 'Decimal',
      required: true,
      description: 'What you ask, in major units of your currency.',
    }),
    merchantCurrency: t.field({ type: 'CurrencyCode', required: true, description: 'Your currency.' }),
    orders: t.field({ type: [OrderInput], description: 'What is paid for, as in the charge.' }),
    notifyPayload: t.string({ description: 'For the bare checkout address, whose hash covers it.' }),
    notifyUrl: t.string({ description: 'For the bare checkout address, whose hash covers it.' }),
  }),
});

const CreateChargeHashSuccess = builder.objectRef<{ hash: string }>('CreateChargeHashSuccess').implement({
  description: 'The hash was made. Nothing is stored.',
  fields: (t) => ({
    hash: t.exposeString('hash', {
      description: 'To be sent as `hash` with the charge, or in the checkout address.',
    }),
  }),
});

builder.mutationField('createChargeHash', (t) =>
  t.field({
    type: CreateChargeHashSuccess,
    errors: {},
    authScopes: { permission: 'write' },
    description:
      'Creates the hash of a charge, for secure mode: a charge with another amount, currency or order, or of the other mode, does not fit it. Restricted with live credentials. Permission: `write`.',
    args: {
      input: t.arg({ type: CreateChargeHashInput, required: true, description: 'What it protects.' }),
    },
    resolve: async (_root, { input }, context) => {
      const { merchant, mode } = merchantCaller(context);
      return { hash: await createChargeHash(context.service, { merchant, mode, input }) };
    },
  }),
);
