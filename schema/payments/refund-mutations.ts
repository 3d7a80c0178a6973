import { cancelRefund } from '../../src/domain/payments/refund/cancel-refund.ts';
import { completeRefund } from '../../src/domain/payments/refund/complete-refund.ts';
import { createRefund } from '../../src/domain/payments/refund/create-refund.ts';
import { reopenRefund } from '../../src/domain/payments/refund/reopen-refund.ts';
import { submitRefundDetails } from '../../src/domain/payments/refund/submit-refund-details.ts';
import type { RefundWithCharge } from '../../src/domain/payments/refund/transition-refund.ts';
import { builder } from '../kit/builder.ts';
import { toMutationContext } from '../kit/graphql-context.ts';
import { RefundType } from './refund.ts';

const refundId = { required: true, description: 'The ID of the refund, `re_…`.' } as const;

function defineSuccessType(name: string, description: string) {
  return builder.objectRef<RefundWithCharge>(name).implement({
    description,
    fields: (t) => ({ refund: t.expose('refund', { type: RefundType, description: 'The refund.' }) }),
  });
}

const CreateRefundInput = builder.inputType('CreateRefundInput', {
  description: 'The refund to create.',
  fields: (t) => ({
    chargeId: t.id({ required: true, description: 'The ID of a completed charge, `ch_…`.' }),
    customerAmount: t.field({
      type: 'Decimal',
      required: true,
      description: 'The amount to refund, in major units of the customer’s currency.',
    }),
  }),
});

const CreateRefundSuccess = defineSuccessType(
  'CreateRefundSuccess',
  'The created refund. Send the customer its `detailsUrl`.',
);

builder.mutationField('createRefund', (t) =>
  t.field({
    type: CreateRefundSuccess,
    errors: {},
    authScopes: { permission: 'refund' },
    description: 'Refunds a charge, in part or in full. Permission: `refund`.',
    args: { input: t.arg({ type: CreateRefundInput, required: true, description: 'The refund to create.' }) },
    resolve: (_root, { input }, context) => {
      const change = { ...toMutationContext(context), machineNow: context.clock.now() };
      return createRefund(context.service, { ...change, input });
    },
  }),
);

const CancelRefundInput = builder.inputType('CancelRefundInput', {
  description: 'The refund to cancel.',
  fields: (t) => ({ id: t.id(refundId) }),
});

const CancelRefundSuccess = defineSuccessType(
  'CancelRefundSuccess',
  'The cancelled refund. Its amount can be refunded again.',
);

builder.mutationField('cancelRefund', (t) =>
  t.field({
    type: CancelRefundSuccess,
    errors: {},
    authScopes: { permission: 'refund' },
    description: 'Cancels a refund for which no bank details have been entered. Permission: `refund`.',
    args: { input: t.arg({ type: CancelRefundInput, required: true, description: 'The refund to cancel.' }) },
    resolve: (_root, { input }, context) =>
      cancelRefund(context.service, { ...toMutationContext(context), ...input }),
  }),
);

const SubmitRefundDetailsInput = builder.inputType('SubmitRefundDetailsInput', {
  description: 'The bank details for a refund, in the format of the country of the charge’s payment method.',
  fields: (t) => ({
    id: t.id(refundId),
    bank: t.string({
      description:
        'The bank, in the format of its country. Hong Kong: 3-digit code. Australia: BSB. India: IFSC. New Zealand: none. Elsewhere: the name of the bank.',
    }),
    account: t.string({ required: true, description: 'The account number.' }),
    accountName: t.string({ required: true, description: 'The name of the account holder.' }),
  }),
});

const SubmitRefundDetailsSuccess = defineSuccessType(
  'SubmitRefundDetailsSuccess',
  'The refund with its bank details. Send the money with the refund’s `payoutReference`.',
);

builder.mutationField('submitRefundDetails', (t) =>
  t.field({
    type: SubmitRefundDetailsSuccess,
    errors: {},
    authScopes: { permission: 'refund' },
    description:
      'Submits bank details on the customer’s behalf, instead of the customer’s page. Permission: `refund`.',
    args: {
      input: t.arg({
        type: SubmitRefundDetailsInput,
        required: true,
        description: 'The bank details to submit.',
      }),
    },
    resolve: (_root, { input: { id, accountName, ...details } }, context) =>
      submitRefundDetails(context.service, {
        ...toMutationContext(context),
        id,
        details: { ...details, holder: accountName },
      }),
  }),
);

const CompleteRefundInput = builder.inputType('CompleteRefundInput', {
  description: 'The refund that has been paid.',
  fields: (t) => ({ id: t.id(refundId) }),
});

const CompleteRefundSuccess = defineSuccessType('CompleteRefundSuccess', 'The completed refund.');

builder.mutationField('completeRefund', (t) =>
  t.field({
    type: CompleteRefundSuccess,
    errors: {},
    authScopes: { permission: 'transfers' },
    description:
      'Confirms that the money was sent. In the sandbox, a refund can be completed before bank details are entered. Permission: `transfers`.',
    args: {
      input: t.arg({
        type: CompleteRefundInput,
        required: true,
        description: 'The refund that has been paid.',
      }),
    },
    resolve: (_root, { input }, context) =>
      completeRefund(context.service, { ...toMutationContext(context), ...input }),
  }),
);

const ReopenRefundInput = builder.inputType('ReopenRefundInput', {
  description: 'The refund whose payout was returned, and the reason.',
  fields: (t) => ({
    id: t.id(refundId),
    reason: t.string({
      required: true,
      description: 'The reason, which the customer sees. At most 300 characters.',
    }),
  }),
});

const ReopenRefundSuccess = defineSuccessType(
  'ReopenRefundSuccess',
  'The reopened refund. Send the customer the new `detailsUrl`.',
);

builder.mutationField('reopenRefund', (t) =>
  t.field({
    type: ReopenRefundSuccess,
    errors: {},
    authScopes: { permission: 'transfers' },
    description:
      'Reopens a refund whose payout was returned, and asks the customer for bank details again. Permission: `transfers`.',
    args: {
      input: t.arg({
        type: ReopenRefundInput,
        required: true,
        description: 'The refund whose payout was returned, and the reason.',
      }),
    },
    resolve: (_root, { input }, context) => {
      const change = { ...toMutationContext(context), machineNow: context.clock.now() };
      return reopenRefund(context.service, { ...change, ...input });
    },
  }),
);
