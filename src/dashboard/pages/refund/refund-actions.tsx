import { Group, Text, TextInput } from '@mantine/core';
import { fillText } from '../../../language/fill-text.ts';
import { ConfirmButton, rowButtonProps } from '../../components/confirm-button.tsx';
import { getText } from '../../components/form.tsx';
import { isMailDelivered } from '../../components/mail-notice.tsx';
import { useMutationAction } from '../../components/use-mutation-action.ts';
import { formatAmount } from '../../format/amount.ts';
import { fillNodes } from '../../language/fill-nodes.tsx';
import { t } from '../../language/texts.ts';
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
  refund: Pick<
    RefundRow,
    'id' | 'status' | 'customerAmount' | 'customerCurrency' | 'payoutReference' | 'payoutExportedAt'
  > & {
    charge: { email: string | null };
    /** The bank transfer that returned the payout, if there is one. */
    unresolvedReturnTransfer?: { id: string } | null;
    /** The time at which marking the refund as paid was undone. */
    completionUndoneAt?: string | null;
    payouts?: RefundDetails['payouts'];
  };
  onChanged: () => void;
  /** Whether the buttons are in a list row. */
  isInRow?: boolean;
};

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
      {canRefund && canCancel(refund) && <CancelButton {...props} />}
    </Group>
  );
}

function canCancel({ status, payoutExportedAt }: RefundActionsProps['refund']): boolean {
  return status === 'initiated' || (status === 'processing' && payoutExportedAt === null);
}

/**
 * Returns whether the refund was marked as paid manually, no bank transfer confirms it, and it was not undone
 * before.
 */
function canUndoCompletion({ status, completionUndoneAt, payouts }: RefundActionsProps['refund']): boolean {
  const isUnconfirmed = payouts?.some(({ transfer, returnTransfer }) => !transfer && !returnTransfer);
  return status === 'completed' && completionUndoneAt === null && isUnconfirmed === true;
}

function UndoCompletionButton({ refund, onChanged }: RefundActionsProps) {
  const undo = useMutationAction(undoRefundCompletionMutation, onChanged);
  return (
    <ConfirmButton
      label={t.refund.notPaid}
      title={t.refund.wasThisRefundNot}
      confirmLabel={t.refund.markAsNotPaid}
      variant="default"
      onConfirm={() => undo({ input: { id: refund.id } })}
    >
      <Text size="sm">{t.refund.forARefundThat}</Text>
    </ConfirmButton>
  );
}

export function CompleteRefundButton({ refund, onChanged, isInRow = false }: RefundActionsProps) {
  const amount = formatAmount(refund.customerAmount, refund.customerCurrency);
  const complete = useMutationAction(completeRefundMutation, onChanged);
  return (
    <ConfirmButton
      label={t.refund.markAsPaid}
      title={t.refund.markThisRefundAs}
      {...(isInRow && {
        ...rowButtonProps,
        name: fillText(t.refund.markAsPaidName, { amount, payoutReference: refund.payoutReference ?? '' }),
      })}
      onConfirm={() => complete({ input: { id: refund.id } })}
    >
      <Text size="sm">
        {fillNodes(t.refund.confirmThatYouSent, { amount, payoutReference: refund.payoutReference })}
      </Text>
    </ConfirmButton>
  );
}

function ReopenButton({ refund, onChanged, isInRow = false }: RefundActionsProps) {
  const reopen = useMutationAction(reopenRefundMutation, onChanged);
  return (
    <ConfirmButton
      label={t.refund.requestNewDetails}
      title={t.refund.payoutReturnedTitle}
      confirmLabel={t.refund.requestNewDetails}
      variant="default"
      {...(isInRow && rowButtonProps)}
      onConfirm={(form) => reopen({ input: { id: refund.id, reason: getText(form, 'reason') } })}
    >
      <Text size="sm">
        {refund.charge.email !== null && isMailDelivered
          ? fillText(t.refund.theBankDetailsAreEmailed, { email: refund.charge.email })
          : t.refund.theBankDetailsAre}
      </Text>
      <TextInput
        label={t.refund.reasonForTheReturn}
        name="reason"
        description={t.refund.shownToTheCustomer}
        placeholder={t.refund.theAccountIsClosed}
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
      label={t.refund.cancelRefund}
      title={t.refund.cancelThisRefund}
      cancelLabel={t.refund.keepRefund}
      variant="default"
      {...(isInRow && rowButtonProps)}
      isDanger
      onConfirm={() => cancel({ input: { id: refund.id } })}
    >
      {refund.status === 'processing' && <Text size="sm">{t.refund.cancelOnlyIfYou}</Text>}
      <Text size="sm">{t.refund.theCustomersPageWill}</Text>
    </ConfirmButton>
  );
}
