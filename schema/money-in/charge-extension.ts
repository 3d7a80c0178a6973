import { extendCharge } from '../../src/domain/money-in/transfer/review/extend-charge.ts';
import { builder } from '../kit/builder.ts';
import { successType } from '../kit/success-type.ts';
import { ChargeType } from '../payments/charge.ts';
import { decisionContext } from './transfer-decisions.ts';

const ExtendChargeInput = builder.inputType('ExtendChargeInput', {
  description: 'The partly paid charge, and how long the customer can pay the rest.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'The ID of the charge, `ch_…`.' }),
    days: t.int({ required: true, description: 'The number of days from now, 1 to 30.' }),
  }),
});

const ExtendChargeSuccess = successType('ExtendChargeSuccess', {
  description: 'The result of giving the customer more time.',
  fields: {
    charge: {
      type: ChargeType,
      description: 'The charge, with the status `pending` and its new `expiresAt`.',
    },
  },
});

builder.mutationField('extendCharge', (t) =>
  t.field({
    type: ExtendChargeSuccess,
    errors: {},
    twoFactor: 'live',
    authScopes: { permission: 'transfers' },
    description:
      'Gives the customer more time to pay the rest of a partly paid charge. A charge that has expired is pending again, and the part payments that it released are applied to it again, unless they were assigned or returned since. The mutation never shortens the time. It fails with `charge_not_found`, with `charge_not_pending` if the charge is completed or cancelled, or with `invalid_request` if there is no part payment. It also fails with `invalid_request` if an expired charge was replaced by another one, belongs to a subscription or a cancelled session, is older than 90 days, or has the unique amount of another open charge. Requires the permission `transfers`.',
    args: {
      input: t.arg({
        type: ExtendChargeInput,
        required: true,
        description: 'The partly paid charge, and how long the customer can pay the rest.',
      }),
    },
    resolve: async (_root, { input }, context) => ({
      charge: await extendCharge(context.service, { ...decisionContext(context), ...input }),
    }),
  }),
);
