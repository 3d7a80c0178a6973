import { simulateCounterPayment } from '../../src/domain/money-in/transfer/simulate-counter-payment.ts';
import { builder } from '../kit/builder.ts';
import { getMerchantTime, requireMerchantCaller, toAuditContext } from '../kit/graphql-context.ts';
import { successType } from '../kit/success-type.ts';
import { CounterSaleType } from './counter-sale.ts';
import { getSeller, sellerOnly } from './point-of-sale.ts';

const SimulateCounterPaymentInput = builder.inputType('SimulateCounterPaymentInput', {
  description: 'The sandbox sale to pay.',
  fields: (t) => ({ id: t.id({ required: true, description: 'The ID of the sale, `ses_…`.' }) }),
});

const SimulateCounterPaymentSuccess = successType('SimulateCounterPaymentSuccess', {
  description: 'The result of simulating the payment of a sale.',
  fields: {
    counterSale: { type: CounterSaleType, description: 'The sale, as it is after the simulated payment.' },
  },
});

builder.mutationField('simulateCounterPayment', (t) =>
  t.field({
    type: SimulateCounterPaymentSuccess,
    errors: {},
    twoFactor: 'never',
    authScopes: { $all: sellerOnly },
    description:
      'Simulates that the customer pays one of your own sandbox sales, as a bank would report it, so that staff can practise. The mutation fails with `sandbox_only` in live mode, `session_not_found`, or `charge_not_pending` if no payment method is chosen or the sale is no longer waiting for its payment. Requires a user with the permission `sell`.',
    args: {
      input: t.arg({
        type: SimulateCounterPaymentInput,
        required: true,
        description: 'The sandbox sale to pay.',
      }),
    },
    resolve: async (_root, { input: { id } }, context) => {
      const { merchant, actor } = requireMerchantCaller(context);
      const change = { actor, now: getMerchantTime(context), audit: toAuditContext(context) };
      const options = { merchant, seller: getSeller(context), id, ...change };
      return { counterSale: await simulateCounterPayment(context.service, options) };
    },
  }),
);
