import { Button, Checkbox, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { fillText } from '../../../language/fill-text.ts';
import { ConfirmDialog, rowButtonProps } from '../../components/confirm-button.tsx';
import { getText } from '../../components/form.tsx';
import { useMutationAction } from '../../components/use-mutation-action.ts';
import { formatAmount, isNegative, isZero, sumDecimals } from '../../format/amount.ts';
import { formatPayer } from '../../format/payer.ts';
import { t } from '../../language/texts.ts';
import { ChargePicker } from '../charge/charge-picker.tsx';
import { type ChargeRow, getRemainingAmount } from '../charge/charge-row.ts';
import { assignTransferMutation, type TransferDetails } from './transfer-query.ts';

type AssignProps = { transfer: TransferDetails; charge?: ChargeRow; onChanged: () => void };

/** Without `charge`, the user chooses one. */
export function AssignDialog(props: AssignProps & { opened: boolean; onClose: () => void }) {
  const { transfer, charge, onChanged, opened, onClose } = props;
  const assign = useMutationAction(assignTransferMutation, onChanged);
  const submit = async (form: FormData) => {
    if (!charge && getText(form, 'chargeId') === '') return t.transfer.chooseAChargeFrom;
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
      title={charge ? t.transfer.assignToThisCharge : t.transfer.assignToACharge}
      confirmLabel={t.transfer.assign}
      opened={opened}
      onClose={onClose}
      onConfirm={submit}
    >
      <AssignFields {...props} />
    </ConfirmDialog>
  );
}

function AssignFields({ transfer, charge }: AssignProps) {
  const [chosen, setChosen] = useState(charge ?? getTopSuggestion(transfer) ?? null);
  const isPaid = chosen?.status === 'completed';
  return (
    <>
      <Text size="sm">
        {fillText(charge ? t.transfer.applyToThisCharge : t.transfer.applyToACharge, {
          amount: formatAmount(transfer.amountUnallocated, transfer.currency),
          outcome: getOutcome(transfer, chosen),
        })}
      </Text>
      {charge === undefined && (
        <ChargePicker
          name="chargeId"
          label={t.common.charge}
          currency={transfer.currency}
          suggestions={transfer.suggestions.map((suggestion) => suggestion.charge)}
          initialItem={getTopSuggestion(transfer)}
          isFocused
          onChange={setChosen}
        />
      )}
      {!isPaid && <Checkbox name="acceptShortfall" label={t.transfer.acceptAsFullPayment} />}
      <TextInput label={t.common.note} name="note" description={t.common.visibleToYourTeam} maxLength={500} />
    </>
  );
}

/** Returns what happens to the chosen charge. */
function getOutcome({ amountUnallocated, currency }: TransferDetails, charge: ChargeRow | null): string {
  if (charge?.status === 'completed') return t.transfer.itIsAlreadyPaid;
  const remaining = charge ? getRemainingAmount(charge) : amountUnallocated;
  const excess = sumDecimals([amountUnallocated, `-${remaining}`]);
  if (isZero(excess) || isNegative(excess)) return t.transfer.ifThatCoversIt;
  return fillText(t.transfer.onlyPartIsUnpaid, {
    remaining: formatAmount(remaining, currency),
    excess: formatAmount(excess, currency),
  });
}

/** Returns the first suggested charge in the currency, unless nothing distinguishes it from the second. */
function getTopSuggestion({ suggestions, currency }: TransferDetails): ChargeRow | undefined {
  const [first, second] = suggestions.filter(({ charge }) => charge.customerCurrency === currency);
  return first && String(first.reasons) !== String(second?.reasons) ? first.charge : undefined;
}

export function AssignButton(props: AssignProps) {
  const { charge } = props;
  const [opened, { open, close }] = useDisclosure();
  return (
    <>
      <Button
        onClick={open}
        {...(charge && {
          ...rowButtonProps,
          'aria-label': fillText(t.transfer.assignTo, { charge: formatPayer(charge) }),
        })}
      >
        {t.transfer.assign}
      </Button>
      <AssignDialog {...props} opened={opened} onClose={close} />
    </>
  );
}
