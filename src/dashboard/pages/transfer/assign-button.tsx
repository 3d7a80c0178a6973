import { Checkbox, Text, TextInput } from '@mantine/core';
import { ConfirmButton, lineButton } from '../../components/confirm-button.tsx';
import { textOf } from '../../components/form.tsx';
import { useAct } from '../../components/use-act.ts';
import { formatAmount } from '../../format/amount.ts';
import { payerText } from '../../format/payer.ts';
import type { ChargeRow } from '../charge/charge-row.ts';
import { assignTransferMutation, type TransferDetails } from './transfer-query.ts';

/** Counts all that is open of a transfer for one charge: the one given, or one that is named. */
export function AssignButton(props: {
  transfer: TransferDetails;
  charge?: ChargeRow;
  onChanged: () => void;
}) {
  const { transfer, charge, onChanged } = props;
  const assign = useAct(assignTransferMutation, onChanged);
  const open = formatAmount(transfer.amountOpen, transfer.currency);
  const run = (form: FormData) =>
    assign({
      input: {
        id: transfer.id,
        chargeId: charge?.id ?? textOf(form, 'chargeId'),
        acceptShortfall: form.has('acceptShortfall'),
        note: textOf(form, 'note') || null,
      },
    });
  return (
    <ConfirmButton
      label="Assign"
      title={charge ? 'Assign to this charge?' : 'Assign to a charge'}
      confirm="Assign"
      {...(charge && { ...lineButton, name: `Assign to ${payerText(charge)}` })}
      onConfirm={run}
    >
      <Text size="sm">
        Apply {open} to {charge ? 'this charge' : 'a charge'}.{' '}
        {charge?.status === 'completed'
          ? 'It is already paid, so this becomes an overpayment that you can refund.'
          : 'If that covers it, the charge completes and notifications are sent.'}
      </Text>
      {charge === undefined && (
        <TextInput
          label="Charge"
          name="chargeId"
          placeholder="ch_…"
          required
          withAsterisk={false}
          data-autofocus
        />
      )}
      {charge?.status !== 'completed' && (
        <Checkbox name="acceptShortfall" label="Accept as full payment, even if it is short" />
      )}
      <TextInput label="Note" name="note" description="Visible to your team" maxLength={500} />
    </ConfirmButton>
  );
}
