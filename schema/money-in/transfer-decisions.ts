import type { Charge, Transfer } from '../../prisma/client/client.ts';
import { assignTransfer } from '../../src/domain/money-in/transfer/assign-transfer.ts';
import { pairTransfer } from '../../src/domain/money-in/transfer/pair-transfer.ts';
import { returnTransfer } from '../../src/domain/money-in/transfer/return-transfer.ts';
import { unassignTransfer } from '../../src/domain/money-in/transfer/unassign-transfer.ts';
import { builder } from '../kit/builder.ts';
import { type GraphqlContext, merchantCaller, owned, ownNow } from '../kit/graphql-context.ts';
import { ChargeType } from '../payments/charge.ts';
import { TransferType } from './transfer.ts';

/** Whose transfers, who decides, and when. */
function deciding(context: GraphqlContext) {
  const { merchant, actor } = merchantCaller(context);
  const audit = { actor, address: context.address, now: context.clock.now() };
  return { ...owned(context), merchant, audit, now: ownNow(context) };
}

const transferId = { required: true, description: 'The id of the transfer, `tr_…`.' } as const;
const note = { description: 'What you want to remember about it, at most 500 characters.' } as const;
const acceptShortfall = {
  description: 'Take less than asked as payment in full: the charge completes.',
} as const;

type Assigned = { transfer: Transfer; charges: Charge[] };

const AssignTransferInput = builder.inputType('AssignTransferInput', {
  description: 'Which money is for which charge.',
  fields: (t) => ({
    id: t.id(transferId),
    chargeId: t.id({ required: true, description: 'The id of the charge, `ch_…`.' }),
    acceptShortfall: t.boolean(acceptShortfall),
    note: t.string(note),
  }),
});

const AssignTransferSuccess = builder.objectRef<Assigned>('AssignTransferSuccess').implement({
  description: 'All that was open of the transfer counts for the charge.',
  fields: (t) => ({
    transfer: t.expose('transfer', { type: TransferType, description: 'The transfer.' }),
    charge: t.field({
      type: ChargeType,
      description: 'The charge.',
      resolve: ({ charges }) => charges[0] as Charge,
    }),
  }),
});

builder.mutationField('assignTransfer', (t) =>
  t.field({
    type: AssignTransferSuccess,
    errors: {},
    authScopes: { permission: 'transfers' },
    description:
      'Counts an exception for a charge. It completes when that makes enough, also when it has expired or was cancelled; on a completed one the money is an excess that can be refunded. Permission: `transfers`.',
    args: { input: t.arg({ type: AssignTransferInput, required: true, description: 'What for what.' }) },
    resolve: (_root, { input: { id, chargeId, ...rest } }, context) =>
      assignTransfer(context.service, {
        ...deciding(context),
        assignment: { transferId: id, parts: [{ chargeId }], ...rest },
      }),
  }),
);

const SplitTransferPart = builder.inputType('SplitTransferPart', {
  description: 'What part of the money is for which charge.',
  fields: (t) => ({
    chargeId: t.id({ required: true, description: 'The id of the charge, `ch_…`.' }),
    amount: t.field({
      type: 'Decimal',
      description: 'How much, in major units; one part may leave it out and takes what is left.',
    }),
  }),
});

const SplitTransferInput = builder.inputType('SplitTransferInput', {
  description: 'How money is for several charges.',
  fields: (t) => ({
    id: t.id(transferId),
    parts: t.field({
      type: [SplitTransferPart],
      required: true,
      description: 'The parts, 1 to 50, each for another charge. What they leave over stays an exception.',
    }),
    acceptShortfall: t.boolean(acceptShortfall),
    note: t.string(note),
  }),
});

const SplitTransferSuccess = builder.objectRef<Assigned>('SplitTransferSuccess').implement({
  description: 'The parts count for their charges.',
  fields: (t) => ({
    transfer: t.expose('transfer', { type: TransferType, description: 'The transfer.' }),
    charges: t.expose('charges', {
      type: [ChargeType],
      description: 'The charges, in the order of the parts.',
    }),
  }),
});

builder.mutationField('splitTransfer', (t) =>
  t.field({
    type: SplitTransferSuccess,
    errors: {},
    authScopes: { permission: 'transfers' },
    description: 'Counts an exception for several charges, all of them or none. Permission: `transfers`.',
    args: { input: t.arg({ type: SplitTransferInput, required: true, description: 'What for what.' }) },
    resolve: (_root, { input: { id, ...rest } }, context) =>
      assignTransfer(context.service, { ...deciding(context), assignment: { transferId: id, ...rest } }),
  }),
);

/** The success type of a decision about one transfer. */
function successOf(name: string, description: string) {
  return builder.objectRef<{ transfer: Transfer }>(name).implement({
    description,
    fields: (t) => ({
      transfer: t.expose('transfer', { type: TransferType, description: 'The transfer.' }),
    }),
  });
}

const ReturnTransferInput = builder.inputType('ReturnTransferInput', {
  description: 'Which money was sent back.',
  fields: (t) => ({
    id: t.id(transferId),
    amount: t.field({
      type: 'Decimal',
      description: 'How much, in major units; left out: all that is open.',
    }),
    note: t.string(note),
  }),
});

const ReturnTransferSuccess = successOf('ReturnTransferSuccess', 'The record of it is made.');

builder.mutationField('returnTransfer', (t) =>
  t.field({
    type: ReturnTransferSuccess,
    errors: {},
    authScopes: { permission: 'transfers' },
    description:
      'Makes the record that you sent an exception back to its payer; it moves no money. Of money that the bank took back it says that you have seen it. Permission: `transfers`.',
    args: { input: t.arg({ type: ReturnTransferInput, required: true, description: 'Which, how much.' }) },
    resolve: async (_root, { input: { id, ...rest } }, context) => ({
      transfer: await returnTransfer(context.service, {
        ...deciding(context),
        input: { transferId: id, ...rest },
      }),
    }),
  }),
);

const UnassignTransferInput = builder.inputType('UnassignTransferInput', {
  description: 'What to correct.',
  fields: (t) => ({
    id: t.id(transferId),
    chargeId: t.id({
      description:
        'The charge for which it shall count no longer, `ch_…`; left out: it was not sent back after all.',
    }),
    note: t.string(note),
  }),
});

const UnassignTransferSuccess = successOf('UnassignTransferSuccess', 'The money is open again.');

builder.mutationField('unassignTransfer', (t) =>
  t.field({
    type: UnassignTransferSuccess,
    errors: {},
    authScopes: { permission: 'transfers' },
    description:
      'Corrects what a transfer counts for, also where it was matched by itself. A completed charge stays completed and shows that it has received less. Permission: `transfers`.',
    args: { input: t.arg({ type: UnassignTransferInput, required: true, description: 'What of what.' }) },
    resolve: async (_root, { input: { id, ...rest } }, context) => ({
      transfer: await unassignTransfer(context.service, {
        ...deciding(context),
        input: { transferId: id, ...rest },
      }),
    }),
  }),
);

const PairTransferInput = builder.inputType('PairTransferInput', {
  description: 'Which two tell of one payment.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'The exception that is no money of its own, `tr_…`.' }),
    sameAsId: t.id({ required: true, description: 'The transfer that is the money, `tr_…`.' }),
  }),
});

const PairTransferSuccess = successOf(
  'PairTransferSuccess',
  'The exception is a duplicate and counts nothing.',
);

builder.mutationField('pairTransfer', (t) =>
  t.field({
    type: PairTransferSuccess,
    errors: {},
    authScopes: { permission: 'transfers' },
    description:
      'Says that an exception such as `possible_duplicate` is no money of its own: another transfer of the same account and amount tells of the same payment. Permission: `transfers`.',
    args: { input: t.arg({ type: PairTransferInput, required: true, description: 'Which two.' }) },
    resolve: async (_root, { input: { id, sameAsId } }, context) => ({
      transfer: await pairTransfer(context.service, {
        ...deciding(context),
        input: { transferId: id, sameAsId },
      }),
    }),
  }),
);
