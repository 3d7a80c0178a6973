import { Button, Checkbox, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { ConfirmDialog, rowButtonProps } from '../../components/confirm-button.tsx';
import { getText } from '../../components/form.tsx';
import { useMutationAction } from '../../components/use-mutation-action.ts';
import { formatAmount } from '../../format/amount.ts';
import { formatPayer } from '../../format/payer.ts';
import { ChargePicker } from '../charge/charge-picker.tsx';
import type { ChargeRow } from '../charge/charge-row.ts';
import { assignTransferMutation, type TransferDetails } from './transfer-query.ts';

type AssignProps = { transfer: TransferDetails; charge?: ChargeRow; onChanged: () => void };

/** Applies the unallocated amount of a transfer to a charge: `charge` or, if it is missing, one that the user chooses. */
export function AssignDialog(props: AssignProps & { opened: boolean; onClose: () => void }) {
  const { transfer, charge, onChanged, opened, onClose } = props;
  const assign = useMutationAction(assignTransferMutation, onChanged);
  const unallocatedText = formatAmount(transfer.amountUnallocated, transfer.currency);
  const submit = async (form: FormData) => {
    if (!charge && getText(form, 'chargeId') === '') return 'Choose a charge from the list.';
    return assign({
      input: {
        id: transfer.id,
        chargeId: charge?.id ?? getText(form, 'chargeId'),
        acceptShortfall: form.has('acceptShortfall'),
        note: getText(form, 'note') || null,
      },
    });
  };
  return (
    <ConfirmDialog
      title={charge ? 'Assign to this charge?' : 'Assign to a charge'}
      confirmLabel="Assign"
      opened={opened}
      onClose={onClose}
      onConfirm={submit}
    >
      <Text size="sm">
        Apply {unallocatedText} to {charge ? 'this charge' : 'a charge'}.{' '}
        {charge?.status === 'completed'
          ? 'It is already paid, so this becomes an overpayment that you can refund.'
          : 'If that covers it, the charge completes and notifications are sent.'}
      </Text>
      {charge === undefined && (
        <ChargePicker
          name="chargeId"
          label="Charge"
          currency={transfer.currency}
          suggestions={transfer.suggestions.map((suggestion) => suggestion.charge)}
          isFocused
        />
      )}
      {charge?.status !== 'completed' && (
        <Checkbox name="acceptShortfall" label="Accept as full payment, even if it is short" />
      )}
      <TextInput label="Note" name="note" description="Visible to your team" maxLength={500} />
    </ConfirmDialog>
  );
}

export function AssignButton(props: AssignProps) {
  const { charge } = props;
  const [opened, { open, close }] = useDisclosure();
  return (
    <>
      <Button
        onClick={open}
        {...(charge && { ...rowButtonProps, 'aria-label': `Assign to ${formatPayer(charge)}` })}
      >
        Assign
      </Button>
      <AssignDialog {...props} opened={opened} onClose={close} />
    </>
  );
}
