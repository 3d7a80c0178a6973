import type { Transfer } from '../../prisma/client/client.ts';
import { dismissTransfers } from '../../src/domain/money-in/transfer/dismiss-transfers.ts';
import { updateTransfers } from '../../src/domain/money-in/transfer/update-transfers.ts';
import { builder } from '../kit/builder.ts';
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
  description: 'The IDs of the transfers, `tr_…`, from 1 to 100.',
} as const;

const DismissTransfersInput = builder.inputType('DismissTransfersInput', {
  description: 'The transfers to dismiss.',
  fields: (t) => ({
    ids: t.idList(ids),
    note: t.string({ description: 'A note for your records, at most 500 characters.' }),
  }),
});

const TransfersSuccess = (name: string, description: string) =>
  builder.objectRef<{ transfers: Transfer[] }>(name).implement({
    description,
    fields: (t) => ({
      transfers: t.expose('transfers', {
        type: [TransferType],
        description: 'The transfers with their new reviewer and note.',
      }),
    }),
  });

builder.mutationField('dismissTransfers', (t) =>
  t.field({
    type: TransfersSuccess('DismissTransfersSuccess', 'The result of dismissing transfers.'),
    errors: {},
    authScopes: { permission: 'transfers' },
    description:
      'Records that unmatched transfers are not customer payments, such as interest. The money stays on the account. All transfers are dismissed or none. `unassignTransfer` undoes it. Requires the permission `transfers`.',
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
    assigneeId: t.id({ description: 'The ID of the user who reviews them, `usr_…`. Null removes the user.' }),
    note: t.string({ description: 'The note of your team, at most 500 characters. Null removes it.' }),
  }),
});

builder.mutationField('updateTransfers', (t) =>
  t.field({
    type: TransfersSuccess('UpdateTransfersSuccess', 'The result of changing the review of transfers.'),
    errors: {},
    authScopes: { permission: 'write' },
    description:
      'Changes who reviews transfers, and the note of your team. The state of the money does not change. Requires the permission `write`.',
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
