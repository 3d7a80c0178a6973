import { Group, Text, TextInput } from '@mantine/core';
import { ConfirmButton, rowButtonProps } from '../../components/confirm-button.tsx';
import { getText } from '../../components/form.tsx';
import { useMutationAction } from '../../components/use-mutation-action.ts';
import { formatAmount } from '../../format/amount.ts';
import { useMode } from '../../use-mode.ts';
import { useHasPermission } from '../../viewer.ts';
import {
  cancelRefundMutation,
  completeRefundMutation,
  type RefundDetails,
  reopenRefundMutation,
  undoRefundCompletionMutation,
} from './refund-query.ts';
import type { RefundRow } from './refund-row.ts';

type RefundActionsProps = {
  refund: Pick<RefundRow, 'id' | 'status' | 'customerAmount' | 'customerCurrency' | 'payoutReference'> & {
    charge: { email: string | null };
    /** The bank transfer that returned the payout, if there is one. */
    unresolvedReturnTransfer?: { id: string } | null;
    /** When it was undone that the refund was marked as paid. */
    completionUndoneAt?: string | null;
    payouts?: RefundDetails['payouts'];
  };
  onChanged: () => void;
  /** Whether the buttons are in a list row. */
  isInRow?: boolean;
};

/** The actions that the status of a refund allows: mark as paid, request details again, cancel. */
export function RefundActions(props: RefundActionsProps) {
  const { refund } = props;
  const { mode } = useMode();
  const canRefund = useHasPermission('refund');
  const canPay = useHasPermission('transfers');
  const { status } = refund;
  // In the sandbox, a refund can be completed immediately, because no money moves.
  const isPayable = status === 'processing' || (status === 'initiated' && mode === 'sandbox');
  const isReopenable =
    status === 'processing' || (status === 'completed' && refund.unresolvedReturnTransfer != null);
  return (
    <Group gap="sm">
      {canPay && isPayable && <CompleteRefundButton {...props} />}
      {canPay && isReopenable && <ReopenButton {...props} />}
      {canPay && canUndoCompletion(refund) && <UndoCompletionButton {...props} />}
      {canRefund && status === 'initiated' && <CancelButton {...props} />}
    </Group>
  );
}

/** Returns whether the refund was marked as paid manually, no bank transfer confirms it, and it was not undone before. */
function canUndoCompletion({ status, completionUndoneAt, payouts }: RefundActionsProps['refund']): boolean {
  const isUnconfirmed = payouts?.some(({ transfer, returnTransfer }) => !transfer && !returnTransfer);
  return status === 'completed' && completionUndoneAt === null && isUnconfirmed === true;
}

function UndoCompletionButton({ refund, onChanged }: RefundActionsProps) {
  const undo = useMutationAction(undoRefundCompletionMutation, onChanged);
  return (
    <ConfirmButton
      label="Not paid"
      title="Was this refund not paid?"
      confirmLabel="Mark as not paid"
      variant="default"
      onConfirm={() => undo({ input: { id: refund.id } })}
    >
      <Text size="sm">
        For a refund that was marked as paid by mistake, or that your bank rejected. It is ready to be paid
        again, to the same bank details. You can do this once.
      </Text>
    </ConfirmButton>
  );
}

export function CompleteRefundButton({ refund, onChanged, isInRow = false }: RefundActionsProps) {
  const amount = formatAmount(refund.customerAmount, refund.customerCurrency);
  const complete = useMutationAction(completeRefundMutation, onChanged);
  return (
    <ConfirmButton
      label="Mark as paid"
      title="Mark this refund as paid?"
      {...(isInRow && { ...rowButtonProps, name: `Mark as paid: ${amount}, ${refund.payoutReference}` })}
      onConfirm={() => complete({ input: { id: refund.id } })}
    >
      <Text size="sm">
        Confirm that you sent {amount} with the reference {refund.payoutReference}. You can undo this once,
        until a bank transfer confirms it.
      </Text>
    </ConfirmButton>
  );
}

function ReopenButton({ refund, onChanged, isInRow = false }: RefundActionsProps) {
  const reopen = useMutationAction(reopenRefundMutation, onChanged);
  return (
    <ConfirmButton
      label="Payout returned"
      title="Payout returned?"
      confirmLabel="Request new details"
      variant="default"
      {...(isInRow && rowButtonProps)}
      onConfirm={(form) => reopen({ input: { id: refund.id, reason: getText(form, 'reason') } })}
    >
      <Text size="sm">
        The bank details are deleted, and the customer enters new ones with a new link
        {refund.charge.email !== null && `, emailed to ${refund.charge.email}`}.
      </Text>
      <TextInput
        label="Reason for the return"
        name="reason"
        description="Shown to the customer"
        placeholder="The account is closed"
        maxLength={300}
        required
        withAsterisk={false}
        data-autofocus
      />
    </ConfirmButton>
  );
}

function CancelButton({ refund, onChanged, isInRow = false }: RefundActionsProps) {
  const cancel = useMutationAction(cancelRefundMutation, onChanged);
  return (
    <ConfirmButton
      label="Cancel refund"
      title="Cancel this refund?"
      cancelLabel="Keep refund"
      variant="default"
      {...(isInRow && rowButtonProps)}
      isDanger
      onConfirm={() => cancel({ input: { id: refund.id } })}
    >
      <Text size="sm">
        The customer’s page will show that the refund was cancelled. The amount can be refunded again.
      </Text>
    </ConfirmButton>
  );
}
