import { cancelRefund } from '../../src/domain/payments/refund/cancel-refund.ts';
import { completeRefund } from '../../src/domain/payments/refund/complete-refund.ts';
import { createRefund } from '../../src/domain/payments/refund/create-refund.ts';
import { reopenRefund } from '../../src/domain/payments/refund/reopen-refund.ts';
import { submitRefundDetails } from '../../src/domain/payments/refund/submit-refund-details.ts';
import type { RefundOfCharge } from '../../src/domain/payments/refund/transition-refund.ts';
import { builder } from '../kit/builder.ts';
import { changing } from '../kit/graphql-context.ts';
import { RefundType } from './refund.ts';

const refundId = { required: true, description: 'The id of the refund, `re_…`.' } as const;

/** The success type of a mutation of a refund. */
function successOf(name: string, description: string) {
  return builder.objectRef<RefundOfCharge>(name).implement({
    description,
    fields: (t) => ({ refund: t.expose('refund', { type: RefundType, description: 'The refund.' }) }),
  });
}

const CreateRefundInput = builder.inputType('CreateRefundInput', {
  description: 'How much of which charge to give back.',
  fields: (t) => ({
    chargeId: t.id({ required: true, description: 'The id of a completed charge, `ch_…`.' }),
    customerAmount: t.field({
      type: 'Decimal',
      required: true,
      description: 'How much, in major units of the customer’s currency.',
    }),
  }),
});

const CreateRefundSuccess = successOf(
  'CreateRefundSuccess',
  'The refund was made: give the customer its `detailsUrl`.',
);

builder.mutationField('createRefund', (t) =>
  t.field({
    type: CreateRefundSuccess,
    errors: {},
    authScopes: { permission: 'refund' },
    description: 'Gives back a part or all of what a charge received. Permission: `refund`.',
    args: { input: t.arg({ type: CreateRefundInput, required: true, description: 'How much of what.' }) },
    resolve: (_root, { input }, context) => {
      const change = { ...changing(context), machineNow: context.clock.now() };
      return createRefund(context.service, { ...change, input });
    },
  }),
);

const CancelRefundInput = builder.inputType('CancelRefundInput', {
  description: 'Which refund to withdraw.',
  fields: (t) => ({ id: t.id(refundId) }),
});

const CancelRefundSuccess = successOf(
  'CancelRefundSuccess',
  'The refund was withdrawn: its amount can be refunded again.',
);

builder.mutationField('cancelRefund', (t) =>
  t.field({
    type: CancelRefundSuccess,
    errors: {},
    authScopes: { permission: 'refund' },
    description:
      'Withdraws a refund for which the customer has not told where the money goes. Permission: `refund`.',
    args: { input: t.arg({ type: CancelRefundInput, required: true, description: 'Which refund.' }) },
    resolve: (_root, { input }, context) => cancelRefund(context.service, { ...changing(context), ...input }),
  }),
);

const SubmitRefundDetailsInput = builder.inputType('SubmitRefundDetailsInput', {
  description: 'Where the customer wants the money, by the rules of the country of the charge’s method.',
  fields: (t) => ({
    id: t.id(refundId),
    bank: t.string({
      description:
        'The bank as the country names it: its name; Hong Kong: 3-digit code; Australia: BSB; India: IFSC; New Zealand: none.',
    }),
    account: t.string({ required: true, description: 'The account number.' }),
    holder: t.string({ required: true, description: 'The holder of the account.' }),
  }),
});

const SubmitRefundDetailsSuccess = successOf(
  'SubmitRefundDetailsSuccess',
  'The details are there: send the money with the refund’s `payoutReference`.',
);

builder.mutationField('submitRefundDetails', (t) =>
  t.field({
    type: SubmitRefundDetailsSuccess,
    errors: {},
    authScopes: { permission: 'refund' },
    description:
      'Tells on the customer’s behalf where the money goes, in place of the customer’s page. Permission: `refund`.',
    args: { input: t.arg({ type: SubmitRefundDetailsInput, required: true, description: 'Where to.' }) },
    resolve: (_root, { input: { id, ...details } }, context) =>
      submitRefundDetails(context.service, {
        ...changing(context),
        id,
        details,
      }),
  }),
);

const CompleteRefundInput = builder.inputType('CompleteRefundInput', {
  description: 'Which refund has been paid.',
  fields: (t) => ({ id: t.id(refundId) }),
});

const CompleteRefundSuccess = successOf('CompleteRefundSuccess', 'The refund is completed.');

builder.mutationField('completeRefund', (t) =>
  t.field({
    type: CompleteRefundSuccess,
    errors: {},
    authScopes: { permission: 'transfers' },
    description:
      'Confirms that the money was sent; in the sandbox also before the customer told where to. Permission: `transfers`.',
    args: { input: t.arg({ type: CompleteRefundInput, required: true, description: 'Which refund.' }) },
    resolve: (_root, { input }, context) =>
      completeRefund(context.service, { ...changing(context), ...input }),
  }),
);

const ReopenRefundInput = builder.inputType('ReopenRefundInput', {
  description: 'Which payout came back, and why.',
  fields: (t) => ({
    id: t.id(refundId),
    reason: t.string({ required: true, description: 'Shown to the customer; at most 300 characters.' }),
  }),
});

const ReopenRefundSuccess = successOf(
  'ReopenRefundSuccess',
  'The customer is asked again: give them the new `detailsUrl`.',
);

builder.mutationField('reopenRefund', (t) =>
  t.field({
    type: ReopenRefundSuccess,
    errors: {},
    authScopes: { permission: 'transfers' },
    description:
      'The payout came back: asks the customer again where the money goes. Permission: `transfers`.',
    args: { input: t.arg({ type: ReopenRefundInput, required: true, description: 'Which, and why.' }) },
    resolve: (_root, { input }, context) => {
      const change = { ...changing(context), machineNow: context.clock.now() };
      return reopenRefund(context.service, { ...change, ...input });
    },
  }),
);
