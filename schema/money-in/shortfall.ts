import { acceptShortfall } from '../../src/domain/money-in/transfer/review/accept-shortfall.ts';
import { builder } from '../kit/builder.ts';
import { successType } from '../kit/success-type.ts';
import { ChargeType } from '../payments/charge.ts';
import { decisionContext } from './transfer-decisions.ts';

const AcceptShortfallInput = builder.inputType('AcceptShortfallInput', {
  description: 'The partly paid charge to complete.',
  fields: (t) => ({ id: t.id({ required: true, description: 'The ID of the charge, `ch_…`.' }) }),
});

const AcceptShortfallSuccess = successType('AcceptShortfallSuccess', {
  description: 'The result of accepting a part payment as full payment.',
  fields: { charge: { type: ChargeType, description: 'The charge, with the status `completed`.' } },
});

builder.mutationField('acceptShortfall', (t) =>
  t.field({
    type: AcceptShortfallSuccess,
    errors: {},
    twoFactor: 'live',
    authScopes: { permission: 'transfers' },
    description:
      'Completes a partly paid charge with the amount it has received, and sends the usual notifications. If the charge has expired or was cancelled, the part payments that it released are applied to it again, unless they were assigned or returned since. The mutation fails with `charge_not_found`, with `charge_not_pending` if the charge has completed, or with `invalid_request` if there is no part payment. Requires the permission `transfers`.',
    args: {
      input: t.arg({
        type: AcceptShortfallInput,
        required: true,
        description: 'The partly paid charge to complete.',
      }),
    },
    resolve: async (_root, { input }, context) => ({
      charge: await acceptShortfall(context.service, { ...decisionContext(context), ...input }),
    }),
  }),
);
