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
        {open} will count for {charge ? 'it' : 'the charge'}.{' '}
        {charge?.status === 'completed'
          ? 'It has been paid: this will be an excess that can be refunded.'
          : 'When that is enough it completes, and you are notified as usual.'}
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
        <Checkbox name="acceptShortfall" label="Take it as payment in full, though it is less than asked" />
      )}
      <TextInput label="Note" name="note" description="For yourself and your colleagues" maxLength={500} />
    </ConfirmButton>
  );
}
