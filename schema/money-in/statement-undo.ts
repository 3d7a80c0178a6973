import type { Statement } from '../../prisma/client/client.ts';
import { cancelStatement } from '../../src/domain/money-in/statement/cancel-statement.ts';
import { confirmStatement } from '../../src/domain/money-in/statement/confirm-statement.ts';
import {
  readUndoConsequences,
  type UndoConsequences,
} from '../../src/domain/money-in/statement/undo/read-undo-consequences.ts';
import { canUndo, undoStatement } from '../../src/domain/money-in/statement/undo/undo-statement.ts';
import { builder } from '../kit/builder.ts';
import {
  type GraphqlContext,
  getMerchantScope,
  getMerchantTime,
  requireMerchantCaller,
} from '../kit/graphql-context.ts';
import { successType } from '../kit/success-type.ts';
import { RefundType } from '../payments/refund.ts';
import { StatementType } from './statement.ts';

const blockingRefundsMax = 20;

const countDescriptions: Record<Exclude<keyof UndoConsequences, 'blockingRefundIds'>, string> = {
  transferCount: 'The number of transfers that would be undone.',
  takenOverCount:
    'The number of transfers that another source has reported too. The transfers of that source take over the allocations, so nothing else changes.',
  completedChargeCount:
    'The number of completed charges that would lose money. They stay completed, and each of their transfers becomes the exception `reversed`.',
  openChargeCount: 'The number of charges that would lose part payments.',
  subscriptionCount:
    'The number of subscriptions whose paid charges would lose money. They keep `activeUntil`.',
  cancelledRefundCount:
    'The number of refunds without bank details that would be cancelled, because their charges lose money.',
  payoutCount:
    'The number of completed refunds whose payout a transfer of the statement confirmed. They stay completed without this transfer.',
  returnedCount:
    'The number of transfers of the statement that you have returned to their payers in full or in part.',
  dismissedCount:
    'The number of transfers of the statement that you or a rule dismissed, because they are not customer payments.',
  restoredCount:
    'The number of credits from other sources that would be applied again, because this statement reported their reversal.',
};

const StatementUndoPreview = builder
  .objectRef<UndoConsequences & { statement: Statement }>('StatementUndoPreview')
  .implement({
    description: 'The consequences that undoing a statement would have.',
    fields: (t) => ({
      canUndo: t.boolean({
        description:
          'Whether the statement can be undone now. False if its status does not allow it, or if `blockingRefunds` is not empty.',
        resolve: ({ statement, blockingRefundIds }) => canUndo(statement) && blockingRefundIds.length === 0,
      }),
      transferCount: t.exposeInt('transferCount', { description: countDescriptions.transferCount }),
      takenOverCount: t.exposeInt('takenOverCount', { description: countDescriptions.takenOverCount }),
      completedChargeCount: t.exposeInt('completedChargeCount', {
        description: countDescriptions.completedChargeCount,
      }),
      openChargeCount: t.exposeInt('openChargeCount', { description: countDescriptions.openChargeCount }),
      subscriptionCount: t.exposeInt('subscriptionCount', {
        description: countDescriptions.subscriptionCount,
      }),
      cancelledRefundCount: t.exposeInt('cancelledRefundCount', {
        description: countDescriptions.cancelledRefundCount,
      }),
      payoutCount: t.exposeInt('payoutCount', { description: countDescriptions.payoutCount }),
      returnedCount: t.exposeInt('returnedCount', { description: countDescriptions.returnedCount }),
      dismissedCount: t.exposeInt('dismissedCount', { description: countDescriptions.dismissedCount }),
      restoredCount: t.exposeInt('restoredCount', { description: countDescriptions.restoredCount }),
      blockingRefundCount: t.int({
        description: 'The number of refunds because of which the statement cannot be undone.',
        resolve: ({ blockingRefundIds }) => blockingRefundIds.length,
      }),
      blockingRefunds: t.prismaField({
        type: [RefundType],
        description:
          'The first of these refunds, at most 20. Each is being paid, was paid, or was reopened because of a transfer of the statement.',
        resolve: (query, { blockingRefundIds }, _args, context) =>
          context.service.prisma.refund.findMany({
            ...query,
            where: {
              id: { in: blockingRefundIds.slice(0, blockingRefundsMax) },
              ...getMerchantScope(context),
            },
            orderBy: { id: 'asc' },
          }),
      }),
    }),
  });

builder.queryField('statementUndoPreview', (t) =>
  t.field({
    type: StatementUndoPreview,
    nullable: true,
    description:
      'Returns the consequences of undoing a statement, without changing anything. Null if the statement does not exist.',
    args: { id: t.arg.id({ required: true, description: 'The ID of the statement, `st_…`.' }) },
    resolve: async (_root, { id }, context) => {
      const { prisma } = context.service;
      const statement = await prisma.statement.findFirst({ where: { id, ...getMerchantScope(context) } });
      return statement && { ...(await readUndoConsequences(prisma, statement)), statement };
    },
  }),
);

function decisionContext(context: GraphqlContext) {
  const { actor } = requireMerchantCaller(context);
  const audit = { actor, ipAddress: context.ipAddress, now: context.clock.now() };
  return { ...getMerchantScope(context), audit, now: getMerchantTime(context) };
}

const statementIdArg = { required: true, description: 'The ID of the statement, `st_…`.' } as const;

const CancelStatementInput = builder.inputType('CancelStatementInput', {
  description: 'The import to cancel.',
  fields: (t) => ({ id: t.id(statementIdArg) }),
});

const CancelStatementSuccess = successType('CancelStatementSuccess', {
  description: 'The result of cancelling an import.',
  fields: { statement: { type: StatementType, description: 'The statement, with the status `cancelled`.' } },
});

builder.mutationField('cancelStatement', (t) =>
  t.field({
    type: CancelStatementSuccess,
    errors: {},
    twoFactor: 'never',
    authScopes: { permission: 'transfers' },
    description:
      'Cancels an import that is queued, running or awaiting confirmation. Entries that are already recorded stay recorded; call `undoStatement` to undo them. The mutation fails with `statement_not_found`, or with `statement_not_in_progress` if the import has ended. Requires the permission `transfers`.',
    args: {
      input: t.arg({ type: CancelStatementInput, required: true, description: 'The import to cancel.' }),
    },
    resolve: async (_root, { input: { id } }, context) => ({
      statement: await cancelStatement(context.service, { ...decisionContext(context), id: String(id) }),
    }),
  }),
);

const ConfirmStatementInput = builder.inputType('ConfirmStatementInput', {
  description: 'The import to confirm.',
  fields: (t) => ({ id: t.id(statementIdArg) }),
});

const ConfirmStatementSuccess = successType('ConfirmStatementSuccess', {
  description: 'The result of confirming an import.',
  fields: { statement: { type: StatementType, description: 'The statement, with the status `queued`.' } },
});

builder.mutationField('confirmStatement', (t) =>
  t.field({
    type: ConfirmStatementSuccess,
    errors: {},
    twoFactor: 'live',
    authScopes: { permission: 'transfers' },
    description:
      'Continues an import with the status `awaiting_confirmation`, although it has discrepancies. Read its `discrepancies` first. The mutation fails with `statement_not_found`, or with `statement_not_awaiting_confirmation` if the import has another status. Requires the permission `transfers`.',
    args: {
      input: t.arg({ type: ConfirmStatementInput, required: true, description: 'The import to confirm.' }),
    },
    resolve: async (_root, { input: { id } }, context) => ({
      statement: await confirmStatement(context.service, { ...decisionContext(context), id: String(id) }),
    }),
  }),
);

const UndoStatementInput = builder.inputType('UndoStatementInput', {
  description: 'The statement to undo.',
  fields: (t) => ({ id: t.id(statementIdArg) }),
});

const UndoStatementSuccess = successType('UndoStatementSuccess', {
  description:
    'The result of starting to undo a statement. Query the statement again until its status is `undone` or `failed`.',
  fields: { statement: { type: StatementType, description: 'The statement, with the status `undoing`.' } },
});

builder.mutationField('undoStatement', (t) =>
  t.field({
    type: UndoStatementSuccess,
    errors: {},
    twoFactor: 'live',
    authScopes: { permission: 'transfers' },
    description:
      'Undoes an import as a whole: a worker reverses the allocations of its transfers, which are not counted any more. Completed charges stay completed with a lower amount received. The corrected file can then be imported. Query `statementUndoPreview` first. The mutation fails with `statement_not_found`, with `statement_not_undoable` if nothing was recorded or the status does not allow it, or with `statement_refunded` if refunds depend on the money. Requires the permission `transfers`.',
    args: {
      input: t.arg({ type: UndoStatementInput, required: true, description: 'The statement to undo.' }),
    },
    resolve: async (_root, { input: { id } }, context) => ({
      statement: await undoStatement(context.service, { ...decisionContext(context), id: String(id) }),
    }),
  }),
);
