import { createChargeForTransfer } from '../../src/domain/money-in/transfer/review/create-charge-for-transfer.ts';
import { dismissTransfers } from '../../src/domain/money-in/transfer/review/dismiss-transfers.ts';
import { updateTransfers } from '../../src/domain/money-in/transfer/review/update-transfers.ts';
import { builder } from '../kit/builder.ts';
import { successType } from '../kit/success-type.ts';
import { ChargeType } from '../payments/charge.ts';
import { ActorType } from '../platform/actor.ts';
import { TransferType } from './transfer.ts';
import { decisionContext } from './transfer-decisions.ts';

builder.prismaObjectField('Transfer', 'assignee', (t) =>
  t.field({
    type: ActorType,
    nullable: true,
    description: 'The user who reviews the transfer. Null if there is none.',
    resolve: ({ assigneeId }) => assigneeId && `user:${assigneeId}`,
  }),
);

const ids = {
  required: true,
  description: 'The IDs of the transfers, `tr_…`, 1 to 100.',
} as const;

const DismissTransfersInput = builder.inputType('DismissTransfersInput', {
  description: 'The transfers to dismiss.',
  fields: (t) => ({
    ids: t.idList(ids),
    note: t.string({ description: 'A note for your records, at most 500 characters.' }),
  }),
});

builder.mutationField('dismissTransfers', (t) =>
  t.field({
    type: successType('DismissTransfersSuccess', {
      description: 'The result of dismissing transfers.',
      fields: {
        transfers: { type: [TransferType], description: 'The transfers, with the status `dismissed`.' },
      },
    }),
    errors: {},
    twoFactor: 'live',
    authScopes: { permission: 'transfers' },
    description:
      'Records that unmatched transfers are not customer payments, such as interest. The money stays on the account. Either all transfers are dismissed or none. `unassignTransfer` undoes it. The mutation fails with `transfer_not_found`, or with `transfer_already_allocated` if a transfer does not have the status `exception` or is partly allocated. Requires the permission `transfers`.',
    args: {
      input: t.arg({ type: DismissTransfersInput, required: true, description: 'The transfers to dismiss.' }),
    },
    resolve: async (_root, { input }, context) => ({
      transfers: await dismissTransfers(context.service, {
        ...decisionContext(context),
        input: { transferIds: input.ids, note: input.note },
      }),
    }),
  }),
);

const UpdateTransfersInput = builder.inputType('UpdateTransfersInput', {
  description: 'The changes to the review of transfers. Omitted fields remain unchanged.',
  fields: (t) => ({
    ids: t.idList(ids),
    assigneeId: t.id({
      description: 'The ID of the user who reviews the transfers, `usr_…`. Null removes the user.',
    }),
    note: t.string({ description: 'The note of your team, at most 500 characters. Null removes it.' }),
  }),
});

builder.mutationField('updateTransfers', (t) =>
  t.field({
    type: successType('UpdateTransfersSuccess', {
      description: 'The result of changing the review of transfers.',
      fields: {
        transfers: { type: [TransferType], description: 'The transfers, with their new reviewer and note.' },
      },
    }),
    errors: {},
    twoFactor: 'never',
    authScopes: { anyPermission: ['transfers', 'write'] },
    description:
      'Changes who reviews transfers, and the note of your team. The status and the allocations do not change. The mutation fails with `transfer_not_found`, or with `invalid_request` if the user does not exist. Requires the permission `transfers` or `write`.',
    args: {
      input: t.arg({
        type: UpdateTransfersInput,
        required: true,
        description: 'The changes to the review of the transfers.',
      }),
    },
    resolve: async (_root, { input: { ids: transferIds, ...input } }, context) => ({
      transfers: await updateTransfers(context.service, {
        ...decisionContext(context),
        input: { transferIds, ...input },
      }),
    }),
  }),
);

const CreateChargeForTransferInput = builder.inputType('CreateChargeForTransferInput', {
  description: 'The unmatched transfer, and the sale that it paid.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'The ID of the transfer, `tr_…`.' }),
    email: t.string({
      description: 'The customer’s email address. Without it, the customer receives no receipt.',
    }),
    firstName: t.string({ description: 'The customer’s first name, at most 100 characters.' }),
    lastName: t.string({ description: 'The customer’s last name, at most 100 characters.' }),
    orderName: t.string({ description: 'The name of the sold item, at most 500 characters.' }),
    notifyPayload: t.string({
      description:
        'Your reference for the charge, at most 4,096 characters. The notifications of the charge include it.',
    }),
    note: t.string({ description: 'A note for your records, at most 500 characters.' }),
  }),
});

const CreateChargeForTransferSuccess = successType('CreateChargeForTransferSuccess', {
  description: 'The result of creating a charge for a transfer.',
  fields: {
    transfer: { type: TransferType, description: 'The transfer, which is applied to the charge.' },
    charge: { type: ChargeType, description: 'The completed charge.' },
  },
});

builder.mutationField('createChargeForTransfer', (t) =>
  t.field({
    type: CreateChargeForTransferSuccess,
    errors: {},
    twoFactor: 'live',
    authScopes: { permission: 'transfers' },
    description:
      'Creates a charge for the unallocated amount of a transfer with the status `exception`, such as a sale that was agreed on the phone, and applies the transfer to it. The charge completes with the usual notifications. The mutation fails with `transfer_not_found`, with `transfer_already_allocated` if the transfer does not have the status `exception`, with `currency_unsupported` if the transfer has another currency than its account, with `amount_out_of_range` if the amount exceeds the limits, or with `method_unavailable` if no payment reference is free. Requires the permission `transfers`.',
    args: {
      input: t.arg({
        type: CreateChargeForTransferInput,
        required: true,
        description: 'The unmatched transfer, and the sale that it paid.',
      }),
    },
    resolve: (_root, { input: { id: transferId, ...input } }, context) =>
      createChargeForTransfer(context.service, {
        ...decisionContext(context),
        input: { transferId, ...input },
      }),
  }),
);
