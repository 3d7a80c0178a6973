import { cancelRefund } from '../../src/domain/payments/refund/cancel-refund.ts';
import { completeRefund } from '../../src/domain/payments/refund/complete-refund.ts';
import { createRefund } from '../../src/domain/payments/refund/create-refund.ts';
import { reopenRefund } from '../../src/domain/payments/refund/reopen-refund.ts';
import { submitRefundDetails } from '../../src/domain/payments/refund/submit-refund-details.ts';
import { undoRefundCompletion } from '../../src/domain/payments/refund/undo-refund-completion.ts';
import { refundResponseRetentionMs } from '../../src/domain/platform/idempotency/with-idempotency-key.ts';
import { builder } from '../kit/builder.ts';
import { toMutationContext } from '../kit/graphql-context.ts';
import { successType } from '../kit/success-type.ts';
import { metadataInput } from './metadata.ts';
import { PayoutSchemeEnum, RefundReasonEnum, RefundType, refundId } from './refund.ts';

const CreateRefundInput = builder.inputType('CreateRefundInput', {
  description: 'The charge to refund, and the amount.',
  fields: (t) => ({
    chargeId: t.id({ required: true, description: 'The ID of a completed charge, `ch_…`.' }),
    customerAmount: t.field({
      type: 'Decimal',
      required: true,
      description: 'The amount to refund, in major units of the `customerCurrency` of the charge.',
    }),
    metadata: t.field(metadataInput),
    reason: t.field({
      type: RefundReasonEnum,
      description: 'The reason for the refund. The customer does not see it.',
    }),
    note: t.string({
      description: 'A note of your team, at most 500 characters. The customer does not see it.',
    }),
  }),
});

const CreateRefundSuccess = successType('CreateRefundSuccess', {
  description: 'The result of creating a refund. Send the customer the `detailsUrl` of the refund.',
  fields: { refund: { type: RefundType, description: 'The created refund, with the status `initiated`.' } },
});

builder.mutationField('createRefund', (t) =>
  t.field({
    type: CreateRefundSuccess,
    errors: {},
    twoFactor: 'live',
    responseRetentionMs: refundResponseRetentionMs,
    authScopes: { permission: 'refund' },
    description:
      'Refunds a charge, in part or in full. If the customer’s email address is known, they are emailed a link to the page on which they enter bank details. The mutation fails with `charge_not_found`, with `charge_not_completed`, or with `amount_exceeds_refundable` if the amount is greater than `Charge.amountRefundable`. Requires the permission `refund`.',
    args: { input: t.arg({ type: CreateRefundInput, required: true, description: 'The refund to create.' }) },
    resolve: (_root, { input }, context) => {
      const change = { ...toMutationContext(context), systemNow: context.clock.now() };
      return createRefund(context.service, { ...change, input });
    },
  }),
);

const CancelRefundInput = builder.inputType('CancelRefundInput', {
  description: 'The refund to cancel.',
  fields: (t) => ({ id: t.id(refundId) }),
});

const CancelRefundSuccess = successType('CancelRefundSuccess', {
  description: 'The result of cancelling a refund. The amount can be refunded again.',
  fields: { refund: { type: RefundType, description: 'The refund, with the status `cancelled`.' } },
});

builder.mutationField('cancelRefund', (t) =>
  t.field({
    type: CancelRefundSuccess,
    errors: {},
    twoFactor: 'live',
    responseRetentionMs: refundResponseRetentionMs,
    authScopes: { permission: 'refund' },
    description:
      'Cancels a refund that has not been paid, and deletes its bank details. Do not cancel a refund whose money you have sent. The mutation fails with `refund_not_found`, or with `refund_not_initiated` if the refund was paid or cancelled, or a payment file contains it (`payoutExportedAt`). Reopening the refund (`reopenRefund`) removes it from the file. Requires the permission `refund`.',
    args: { input: t.arg({ type: CancelRefundInput, required: true, description: 'The refund to cancel.' }) },
    resolve: (_root, { input }, context) =>
      cancelRefund(context.service, { ...toMutationContext(context), ...input }),
  }),
);

const SubmitRefundDetailsInput = builder.inputType('SubmitRefundDetailsInput', {
  description:
    'The bank account or the alias for a refund. The format depends on the country of the payment method of the charge.',
  fields: (t) => ({
    id: t.id(refundId),
    bank: t.string({
      description:
        'The bank. Its format depends on the country: the 3-digit bank code in Hong Kong, the BSB in Australia, the IFSC in India, and the name of the bank elsewhere. Omit it in New Zealand.',
    }),
    account: t.string({
      required: true,
      description:
        'The number of the bank account. Its format depends on the country; spaces and hyphens are ignored. With `scheme`, the alias: a mobile number, email address or ID.',
    }),
    scheme: t.field({
      type: PayoutSchemeEnum,
      description:
        'The scheme of an alias, which must be that of the country in which the customer paid. Omit it for a bank account.',
    }),
    accountName: t.string({
      required: true,
      description: 'The name of the account holder, at most 140 characters.',
    }),
  }),
});

const SubmitRefundDetailsSuccess = successType('SubmitRefundDetailsSuccess', {
  description:
    'The result of submitting bank details. Send the money with the `payoutReference` of the refund.',
  fields: { refund: { type: RefundType, description: 'The refund, with the status `processing`.' } },
});

builder.mutationField('submitRefundDetails', (t) =>
  t.field({
    type: SubmitRefundDetailsSuccess,
    errors: {},
    twoFactor: 'live',
    responseRetentionMs: refundResponseRetentionMs,
    authScopes: { permission: 'refund' },
    description:
      'Submits the bank details of a refund on the customer’s behalf. The mutation fails with `refund_not_found`, with `refund_not_initiated` if the refund is not waiting for bank details, or with `invalid_request` if the details do not have the format of the country. Requires the permission `refund`.',
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

const CompleteRefundSuccess = successType('CompleteRefundSuccess', {
  description: 'The result of completing a refund. The refund has a new payout in `payouts`.',
  fields: { refund: { type: RefundType, description: 'The refund, with the status `completed`.' } },
});

builder.mutationField('completeRefund', (t) =>
  t.field({
    type: CompleteRefundSuccess,
    errors: {},
    twoFactor: 'live',
    responseRetentionMs: refundResponseRetentionMs,
    authScopes: { permission: 'transfers' },
    description:
      'Confirms that you have sent the money of a refund. In the sandbox, a refund can be completed before bank details are entered. The mutation fails with `refund_not_found`, or with `refund_not_processing` if the refund is not ready to be paid. Requires the permission `transfers`.',
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

const ReopenRefundSuccess = successType('ReopenRefundSuccess', {
  description: 'The result of reopening a refund. Send the customer the new `detailsUrl` of the refund.',
  fields: {
    refund: {
      type: RefundType,
      description: 'The refund, with the status `initiated` and a new `payoutReference`.',
    },
  },
});

builder.mutationField('reopenRefund', (t) =>
  t.field({
    type: ReopenRefundSuccess,
    errors: {},
    twoFactor: 'live',
    responseRetentionMs: refundResponseRetentionMs,
    authScopes: { permission: 'transfers' },
    description:
      'Reopens a refund whose payout was returned, and asks the customer for bank details again. The mutation fails with `refund_not_found`, or with `refund_not_processing` if the refund is not ready to be paid and no transfer has returned its payout. Requires the permission `transfers`.',
    args: {
      input: t.arg({
        type: ReopenRefundInput,
        required: true,
        description: 'The refund whose payout was returned, and the reason.',
      }),
    },
    resolve: (_root, { input }, context) => {
      const change = { ...toMutationContext(context), systemNow: context.clock.now() };
      return reopenRefund(context.service, { ...change, ...input });
    },
  }),
);

const UndoRefundCompletionInput = builder.inputType('UndoRefundCompletionInput', {
  description: 'The refund that was marked as paid by mistake.',
  fields: (t) => ({ id: t.id(refundId) }),
});

const UndoRefundCompletionSuccess = successType('UndoRefundCompletionSuccess', {
  description: 'The result of undoing the completion of a refund. The payout was removed from `payouts`.',
  fields: { refund: { type: RefundType, description: 'The refund, with the status `processing`.' } },
});

builder.mutationField('undoRefundCompletion', (t) =>
  t.field({
    type: UndoRefundCompletionSuccess,
    errors: {},
    twoFactor: 'live',
    authScopes: { permission: 'transfers' },
    description:
      'Undoes the completion of a refund that you confirmed, for example because the bank rejected the transfer. The refund is ready to be paid again, to the same bank details. This is possible once for each refund, and only until a bank statement or feed confirms the payout. The mutation fails with `refund_not_found`, or with `refund_not_processing` if the completion cannot be undone. Requires the permission `transfers`.',
    args: {
      input: t.arg({
        type: UndoRefundCompletionInput,
        required: true,
        description: 'The refund that was marked as paid by mistake.',
      }),
    },
    resolve: (_root, { input }, context) =>
      undoRefundCompletion(context.service, { ...toMutationContext(context), ...input }),
  }),
);
