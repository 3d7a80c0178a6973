import { type ButtonProps, Group, Text, TextInput } from '@mantine/core';
import { useMutation } from 'urql';
import { formatAmount } from '../../format/amount.ts';
import { refusalOf } from '../../graphql/refusal.ts';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
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
  size?: ButtonProps['size'];
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
      {mayPay && isPayable && <CompleteButton {...props} />}
      {mayPay && isReopenable && <ReopenButton {...props} />}
      {mayRefund && status === 'initiated' && <CancelButton {...props} />}
    </Group>
  );
}

export function CompleteButton({ refund, onChanged, size }: Props) {
  const [, complete] = useMutation(completeRefundMutation);
  const run = async () => {
    const refused = refusalOf(await complete({ id: refund.id }));
    onChanged();
    return refused;
  };
  return (
    <ConfirmButton label="Mark as paid" title="Has this refund been paid?" size={size} onConfirm={run}>
      <Text size="sm">
        You sent {formatAmount(refund.customerAmount, refund.customerCurrency)} with the reference{' '}
        {refund.payoutReference}. This cannot be undone.
      </Text>
    </ConfirmButton>
  );
}

function ReopenButton({ refund, onChanged, size }: Props) {
  const [, reopen] = useMutation(reopenRefundMutation);
  const run = async (form: FormData) => {
    const reason = String(form.get('reason')).trim();
    const refused = refusalOf(await reopen({ id: refund.id, reason }));
    onChanged();
    return refused;
  };
  return (
    <ConfirmButton
      label="It came back"
      title="Did the money come back?"
      confirm="Ask again"
      variant="default"
      size={size}
      onConfirm={run}
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

function CancelButton({ refund, onChanged, size }: Props) {
  const [, cancel] = useMutation(cancelRefundMutation);
  const run = async () => {
    const refused = refusalOf(await cancel({ id: refund.id }));
    onChanged();
    return refused;
  };
  return (
    <ConfirmButton
      label="Withdraw"
      title="Withdraw this refund?"
      confirm="Withdraw refund"
      keep="Keep it"
      variant="default"
      size={size}
      isDanger
      onConfirm={run}
    >
      <Text size="sm">The customer’s page will say so. The amount can be refunded again.</Text>
    </ConfirmButton>
  );
}
