import type { Charge } from '../../prisma/client/client.ts';
import { markTransferAsDuplicate } from '../../src/domain/money-in/transfer/duplicates/mark-transfer-as-duplicate.ts';
import { assignTransfer } from '../../src/domain/money-in/transfer/review/assign-transfer.ts';
import { returnTransfer } from '../../src/domain/money-in/transfer/review/return-transfer.ts';
import { unassignTransfer } from '../../src/domain/money-in/transfer/review/unassign-transfer.ts';
import { builder } from '../kit/builder.ts';
import {
  type GraphqlContext,
  getMerchantScope,
  getMerchantTime,
  requireMerchantCaller,
} from '../kit/graphql-context.ts';
import { successType } from '../kit/success-type.ts';
import { ChargeType } from '../payments/charge.ts';
import { TransferType } from './transfer.ts';

export function decisionContext(context: GraphqlContext) {
  const { merchant, actor } = requireMerchantCaller(context);
  const audit = { actor, ipAddress: context.ipAddress, now: context.clock.now() };
  return { ...getMerchantScope(context), merchant, audit, now: getMerchantTime(context) };
}

const transferId = { required: true, description: 'The ID of the transfer, `tr_…`.' } as const;
const note = { description: 'A note for your records, at most 500 characters.' } as const;

const AssignTransferInput = builder.inputType('AssignTransferInput', {
  description: 'The transfer to apply, and the charge to which it is applied.',
  fields: (t) => ({
    id: t.id(transferId),
    chargeId: t.id({ required: true, description: 'The ID of the charge, `ch_…`.' }),
    acceptShortfall: t.boolean({
      description:
        'Whether the charge completes even if it receives less than its amount. The default is false. A charge with an `amountOffset` completes in any case if it receives its price, without the offset.',
    }),
    note: t.string(note),
  }),
});

const AssignTransferSuccess = successType('AssignTransferSuccess', {
  description: 'The result of applying the unallocated amount of a transfer to a charge.',
  fields: {
    transfer: {
      type: TransferType,
      description: 'The transfer, with its new status and allocation.',
    },
    charge: {
      type: ChargeType,
      description: 'The charge to which the transfer was applied.',
    },
  },
});

builder.mutationField('assignTransfer', (t) =>
  t.field({
    type: AssignTransferSuccess,
    errors: {},
    twoFactor: 'live',
    authScopes: { permission: 'transfers' },
    description:
      'Applies a transfer with the status `exception` to a charge. The charge completes when it is fully paid, even if it has expired or was cancelled. If the charge has already completed, the money is an overpayment, which you can refund. The mutation fails with `transfer_not_found`, with `charge_not_found`, with `transfer_already_allocated` if the transfer does not have the status `exception`, or with `currency_unsupported` if the currencies differ. Requires the permission `transfers`.',
    args: {
      input: t.arg({
        type: AssignTransferInput,
        required: true,
        description: 'The transfer to apply, and the charge to which it is applied.',
      }),
    },
    resolve: async (_root, { input: { id, chargeId, ...rest } }, context) => {
      const { transfer, charges } = await assignTransfer(context.service, {
        ...decisionContext(context),
        assignment: { transferId: id, parts: [{ chargeId }], ...rest },
      });
      return { transfer, charge: charges[0] as Charge };
    },
  }),
);

const SplitTransferPartInput = builder.inputType('SplitTransferPartInput', {
  description: 'The part of a transfer that is applied to one charge.',
  fields: (t) => ({
    chargeId: t.id({ required: true, description: 'The ID of the charge, `ch_…`.' }),
    amount: t.field({
      type: 'Decimal',
      description:
        'The amount to apply, in major units of the currency of the transfer. One part can omit the amount; it receives the rest of the transfer.',
    }),
  }),
});

const SplitTransferInput = builder.inputType('SplitTransferInput', {
  description: 'The transfer to split, and the charges to which its parts are applied.',
  fields: (t) => ({
    id: t.id(transferId),
    parts: t.field({
      type: [SplitTransferPartInput],
      required: true,
      description:
        'The parts, 1 to 50, each for a different charge. If they do not cover the whole amount, the transfer keeps the status `exception`.',
    }),
    acceptShortfall: t.boolean({
      description:
        'Whether each charge completes even if it receives less than its amount. The default is false.',
    }),
    note: t.string(note),
  }),
});

const SplitTransferSuccess = successType('SplitTransferSuccess', {
  description: 'The result of applying a transfer to several charges.',
  fields: {
    transfer: { type: TransferType, description: 'The transfer, with its new status and allocations.' },
    charges: {
      type: [ChargeType],
      description: 'The charges to which the parts were applied, in the order of the input.',
    },
  },
});

builder.mutationField('splitTransfer', (t) =>
  t.field({
    type: SplitTransferSuccess,
    errors: {},
    twoFactor: 'live',
    authScopes: { permission: 'transfers' },
    description:
      'Applies a transfer with the status `exception` to several charges. Either all parts are applied or none. The mutation fails with `transfer_not_found`, with `charge_not_found`, with `transfer_already_allocated` if the transfer does not have the status `exception`, with `amount_out_of_range` if the parts exceed the unallocated amount, or with `currency_unsupported` if the currencies differ. Requires the permission `transfers`.',
    args: {
      input: t.arg({
        type: SplitTransferInput,
        required: true,
        description: 'The transfer to split, and the charges to which its parts are applied.',
      }),
    },
    resolve: (_root, { input: { id, ...rest } }, context) =>
      assignTransfer(context.service, {
        ...decisionContext(context),
        assignment: { transferId: id, ...rest },
      }),
  }),
);

const ReturnTransferInput = builder.inputType('ReturnTransferInput', {
  description: 'The transfer that you returned, and the amount.',
  fields: (t) => ({
    id: t.id(transferId),
    amount: t.field({
      type: 'Decimal',
      description:
        'The amount that you returned, in major units. If omitted, it is the whole amount that is not allocated yet.',
    }),
    note: t.string(note),
  }),
});

const ReturnTransferSuccess = successType('ReturnTransferSuccess', {
  description: 'The result of recording a return.',
  fields: {
    transfer: { type: TransferType, description: 'The transfer, with its new status and allocation.' },
  },
});

builder.mutationField('returnTransfer', (t) =>
  t.field({
    type: ReturnTransferSuccess,
    errors: {},
    twoFactor: 'live',
    authScopes: { permission: 'transfers' },
    description:
      'Records that you returned a transfer with the status `exception` to its payer. The mutation moves no money. If the bank reversed the transfer, it records that you have reviewed the reversal. For an outgoing transfer with the reason `possible_duplicate`, it records that the transfer is a separate payment. It fails with `transfer_not_found`, with `transfer_already_allocated` if the transfer is in neither of these states, or with `amount_out_of_range` if the amount exceeds the unallocated amount. Requires the permission `transfers`.',
    args: {
      input: t.arg({
        type: ReturnTransferInput,
        required: true,
        description: 'The transfer that you returned, and the amount.',
      }),
    },
    resolve: async (_root, { input: { id, ...rest } }, context) => ({
      transfer: await returnTransfer(context.service, {
        ...decisionContext(context),
        input: { transferId: id, ...rest },
      }),
    }),
  }),
);

const UnassignTransferInput = builder.inputType('UnassignTransferInput', {
  description: 'The allocation to undo.',
  fields: (t) => ({
    id: t.id(transferId),
    chargeId: t.id({
      description:
        'The ID of the charge to which the transfer is no longer applied, `ch_…`. If omitted, the recorded return of the transfer is undone, or its mark as a duplicate.',
    }),
    note: t.string(note),
  }),
});

const UnassignTransferSuccess = successType('UnassignTransferSuccess', {
  description: 'The result of undoing an allocation. The amount is no longer allocated.',
  fields: {
    transfer: {
      type: TransferType,
      description:
        'The transfer, with the status `exception` and the reason `unassigned`. An outgoing transfer has the status `outgoing` and the reason `unknown_payout`.',
    },
  },
});

builder.mutationField('unassignTransfer', (t) =>
  t.field({
    type: UnassignTransferSuccess,
    errors: {},
    twoFactor: 'live',
    authScopes: { permission: 'transfers' },
    description:
      'Undoes an allocation of a transfer, even if the transfer was matched automatically, or records that a duplicate is a payment of its own. A completed charge stays completed, but its `amountReceived` decreases. The mutation fails with `transfer_not_found`, with `charge_not_found`, with `transfer_already_allocated` if there is no such allocation or the bank has reversed the transfer, or with `amount_exceeds_refundable` if the money has been refunded. Requires the permission `transfers`.',
    args: {
      input: t.arg({ type: UnassignTransferInput, required: true, description: 'The allocation to undo.' }),
    },
    resolve: async (_root, { input: { id, ...rest } }, context) => ({
      transfer: await unassignTransfer(context.service, {
        ...decisionContext(context),
        input: { transferId: id, ...rest },
      }),
    }),
  }),
);

const MarkTransferAsDuplicateInput = builder.inputType('MarkTransferAsDuplicateInput', {
  description: 'The two transfers that report the same payment.',
  fields: (t) => ({
    id: t.id({
      required: true,
      description:
        'The ID of the transfer that is a duplicate, `tr_…`. It must have the status `exception`, or be outgoing with the reason `possible_duplicate`.',
    }),
    duplicateOfId: t.id({
      required: true,
      description: 'The ID of the other transfer, which reports the same payment, `tr_…`.',
    }),
  }),
});

const MarkTransferAsDuplicateSuccess = successType('MarkTransferAsDuplicateSuccess', {
  description: 'The result of marking a transfer as a duplicate. The transfer is not counted.',
  fields: { transfer: { type: TransferType, description: 'The transfer, with the status `duplicate`.' } },
});

builder.mutationField('markTransferAsDuplicate', (t) =>
  t.field({
    type: MarkTransferAsDuplicateSuccess,
    errors: {},
    twoFactor: 'live',
    authScopes: { permission: 'transfers' },
    description:
      'Marks a transfer with the status `exception`, or an outgoing one with the reason `possible_duplicate`, as a duplicate of another transfer that has the same account and amount. The mutation fails with `transfer_not_found`, or with `transfer_already_allocated` if the transfers cannot be the same payment or part of the transfer is allocated. `unassignTransfer` undoes it. Requires the permission `transfers`.',
    args: {
      input: t.arg({
        type: MarkTransferAsDuplicateInput,
        required: true,
        description: 'The two transfers that report the same payment.',
      }),
    },
    resolve: async (_root, { input: { id, duplicateOfId } }, context) => ({
      transfer: await markTransferAsDuplicate(context.service, {
        ...decisionContext(context),
        input: { transferId: id, duplicateOfId },
      }),
    }),
  }),
);
