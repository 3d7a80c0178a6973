import { Group, Text, TextInput } from '@mantine/core';
import { ConfirmButton, lineButton } from '../../components/confirm-button.tsx';
import { textOf } from '../../components/form.tsx';
import { useAct } from '../../components/use-act.ts';
import { formatAmount } from '../../format/amount.ts';
import { useMode } from '../../use-mode.ts';
import { useMay } from '../../viewer.ts';
import { cancelRefundMutation, completeRefundMutation, reopenRefundMutation } from './refund-query.ts';
import type { RefundRow } from './refund-row.ts';

type Props = {
  refund: Pick<RefundRow, 'id' | 'status' | 'customerAmount' | 'customerCurrency' | 'payoutReference'> & {
    charge: { email: string | null };
    /** The bank's line that brought the money back, where there is one. */
    returnedPayout?: { id: string } | null;
  };
  onChanged: () => void;
  /** Whether it is a line of a list that they stand in. */
  isLine?: boolean;
};

/** What can be done with a refund as it stands: confirm that it was paid, ask again, withdraw it. */
export function RefundActions(props: Props) {
  const { refund } = props;
  const { mode } = useMode();
  const mayRefund = useMay('refund');
  const mayPay = useMay('transfers');
  const { status } = refund;
  // In the sandbox nobody waits for the money: a refund can be completed at once.
  const isPayable = status === 'processing' || (status === 'initiated' && mode === 'sandbox');
  const isReopenable = status === 'processing' || (status === 'completed' && refund.returnedPayout != null);
  return (
    <Group gap="sm">
      {mayPay && isPayable && <CompleteRefundButton {...props} />}
      {mayPay && isReopenable && <ReopenButton {...props} />}
      {mayRefund && status === 'initiated' && <CancelButton {...props} />}
    </Group>
  );
}

export function CompleteRefundButton({ refund, onChanged, isLine = false }: Props) {
  const amount = formatAmount(refund.customerAmount, refund.customerCurrency);
  const complete = useAct(completeRefundMutation, onChanged);
  return (
    <ConfirmButton
      label="Mark as paid"
      title="Mark this refund as paid?"
      {...(isLine && { ...lineButton, name: `Mark as paid: ${amount}, ${refund.payoutReference}` })}
      onConfirm={() => complete({ input: { id: refund.id } })}
    >
      <Text size="sm">
        Confirm that you sent {amount} with the reference {refund.payoutReference}. This cannot be undone.
      </Text>
    </ConfirmButton>
  );
}

function ReopenButton({ refund, onChanged, isLine = false }: Props) {
  const reopen = useAct(reopenRefundMutation, onChanged);
  return (
    <ConfirmButton
      label="Payout returned"
      title="Payout returned?"
      confirm="Request new details"
      variant="default"
      {...(isLine && lineButton)}
      onConfirm={(form) => reopen({ input: { id: refund.id, reason: textOf(form, 'reason') } })}
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

function CancelButton({ refund, onChanged, isLine = false }: Props) {
  const cancel = useAct(cancelRefundMutation, onChanged);
  return (
    <ConfirmButton
      label="Cancel refund"
      title="Cancel this refund?"
      keep="Keep refund"
      variant="default"
      {...(isLine && lineButton)}
      isDanger
      onConfirm={() => cancel({ input: { id: refund.id } })}
    >
      <Text size="sm">
        The customer’s page will show that the refund was cancelled. The amount can be refunded again.
      </Text>
    </ConfirmButton>
  );
}
