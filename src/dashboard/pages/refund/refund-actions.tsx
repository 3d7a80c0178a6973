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
      title="Has this refund been paid?"
      {...(isLine && { ...lineButton, name: `Mark as paid: ${amount}, ${refund.payoutReference}` })}
      onConfirm={() => complete({ input: { id: refund.id } })}
    >
      <Text size="sm">
        You sent {amount} with the reference {refund.payoutReference}. This cannot be undone.
      </Text>
    </ConfirmButton>
  );
}

function ReopenButton({ refund, onChanged, isLine = false }: Props) {
  const reopen = useAct(reopenRefundMutation, onChanged);
  return (
    <ConfirmButton
      label="It came back"
      title="Did the money come back?"
      confirm="Ask again"
      variant="default"
      {...(isLine && lineButton)}
      onConfirm={(form) => reopen({ input: { id: refund.id, reason: textOf(form, 'reason') } })}
    >
      <Text size="sm">
        The account is forgotten, and a new link asks where the money should go
        {refund.charge.email !== null && `, mailed to ${refund.charge.email}`}.
      </Text>
      <TextInput
        label="Why it came back"
        name="reason"
        description="The customer reads it"
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
      label="Withdraw"
      title="Withdraw this refund?"
      confirm="Withdraw refund"
      keep="Keep it"
      variant="default"
      {...(isLine && lineButton)}
      isDanger
      onConfirm={() => cancel({ input: { id: refund.id } })}
    >
      <Text size="sm">The customer’s page will say so. The amount can be refunded again.</Text>
    </ConfirmButton>
  );
}
