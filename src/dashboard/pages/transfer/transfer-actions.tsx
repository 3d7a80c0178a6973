import { Button, Group, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { parseAmount } from '../../../kit/typed-number.ts';
import { fillText } from '../../../language/fill-text.ts';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { getAmount, getText } from '../../components/form.tsx';
import { useMutationAction } from '../../components/use-mutation-action.ts';
import { formatAmount, isZero, toFieldAmount } from '../../format/amount.ts';
import { t } from '../../language/texts.ts';
import { useHasPermission } from '../../viewer.ts';
import { ChargePicker } from '../charge/charge-picker.tsx';
import { AssignButton } from './assign-button.tsx';
import { CreateChargeButton } from './create-charge-button.tsx';
import { DismissButton } from './dismiss-button.tsx';
import { MarkAsDuplicateButton } from './mark-as-duplicate-button.tsx';
import { returnTransferMutation, splitTransferMutation, type TransferDetails } from './transfer-query.ts';

type TransferActionsProps = { transfer: TransferDetails; onChanged: () => void };

export function TransferActions(props: TransferActionsProps) {
  const { transfer } = props;
  const canManageTransfers = useHasPermission('transfers');
  if (!canManageTransfers) return null;
  if (isZero(transfer.amountUnallocated)) {
    return (
      <Group gap="sm">
        <AcknowledgeButton {...props} />
        {transfer.direction === 'debit' && <MarkAsDuplicateButton {...props} />}
      </Group>
    );
  }
  return (
    <Group gap="sm">
      <AssignButton {...props} />
      <SplitButton {...props} />
      <CreateChargeButton {...props} />
      <ReturnButton {...props} />
      {transfer.allocations.length === 0 && <MarkAsDuplicateButton {...props} />}
      {transfer.amountUnallocated === transfer.amount && (
        <DismissButton ids={[transfer.id]} rulePath={getRulePath(transfer)} onChanged={props.onChanged} />
      )}
    </Group>
  );
}

/** Returns the path of the page that adds an ignore rule for transfers like this one. */
export function getRulePath({
  receivingAccount,
  reference,
  payerName,
}: Pick<TransferDetails, 'receivingAccount' | 'reference' | 'payerName'>): string {
  const text = (reference || payerName || '').slice(0, 100);
  return `/review/rules?${new URLSearchParams({ account: receivingAccount.id, text })}`;
}

function ReturnButton({ transfer, onChanged }: TransferActionsProps) {
  const returnTransfer = useMutationAction(returnTransferMutation, onChanged);
  const { id, amountUnallocated, currency } = transfer;
  const submit = (form: FormData) => {
    const amount = getAmount(form, 'amount', currency);
    return returnTransfer({ input: { id, amount, note: getText(form, 'note') || null } });
  };
  return (
    <ConfirmButton
      label={t.transfer.markAsReturned}
      title={t.transfer.returnedToPayerTitle}
      variant="default"
      onConfirm={submit}
    >
      <Text size="sm">{t.transfer.sendTheMoneyFrom}</Text>
      <TextInput
        label={fillText(t.transfer.amount, { currency })}
        description={fillText(t.transfer.isUnallocated, {
          amountUnallocated: formatAmount(amountUnallocated, currency),
        })}
        name="amount"
        inputMode="decimal"
        defaultValue={toFieldAmount(amountUnallocated, currency)}
        onFocus={(event) => event.currentTarget.select()}
        required
        withAsterisk={false}
        data-autofocus
      />
      <TextInput
        label={t.common.note}
        name="note"
        placeholder={t.transfer.referenceOfTheReturn}
        maxLength={500}
      />
    </ConfirmButton>
  );
}

/** Dismisses a transfer without an unallocated amount: one that the bank has reversed, or an outgoing one. */
function AcknowledgeButton({ transfer, onChanged }: TransferActionsProps) {
  const returnTransfer = useMutationAction(returnTransferMutation, onChanged);
  return (
    <ConfirmButton
      label={t.transfer.acknowledge}
      title={t.transfer.dismissThisTransfer}
      confirmLabel={t.transfer.acknowledge}
      onConfirm={() => returnTransfer({ input: { id: transfer.id } })}
    >
      <Text size="sm">{describeDismissal(transfer)}</Text>
    </ConfirmButton>
  );
}

function describeDismissal({ direction, undoneAt }: TransferDetails): string {
  if (undoneAt !== null) return t.transfer.theStatementThatReported;
  return direction === 'credit' ? t.transfer.theMoneyHasLeft : t.transfer.itStaysInThe;
}

function SplitButton({ transfer, onChanged }: { transfer: TransferDetails; onChanged: () => void }) {
  const split = useMutationAction(splitTransferMutation, onChanged);
  const [lineCount, setLineCount] = useState(2);
  const submit = async (form: FormData) => {
    const charges = form.getAll('chargeId').map((id) => String(id).trim());
    if (charges.includes('')) return t.transfer.chooseEachChargeFrom;
    const amounts = form.getAll('amount').map((amount) => parseAmount(String(amount), transfer.currency));
    const parts = charges.map((chargeId, i) => ({ chargeId, amount: amounts[i] || null }));
    return split({ input: { id: transfer.id, parts } });
  };
  return (
    <ConfirmButton
      label={t.transfer.split}
      title={t.transfer.splitAcrossCharges}
      variant="default"
      onConfirm={submit}
    >
      <Text size="sm">
        {fillText(t.transfer.isUnallocatedYouCan, {
          amountUnallocated: formatAmount(transfer.amountUnallocated, transfer.currency),
        })}
      </Text>
      {Array.from({ length: lineCount }, (_, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines are only added at the end.
        <Group key={i} align="flex-end" gap="xs" wrap="nowrap">
          <div style={{ flex: '2 1 0', minWidth: 0 }}>
            <ChargePicker
              name="chargeId"
              label={fillText(t.transfer.charge, { i: i + 1 })}
              currency={transfer.currency}
              suggestions={transfer.suggestions.map((suggestion) => suggestion.charge)}
              isFocused={i === 0}
            />
          </div>
          <TextInput
            label={fillText(t.transfer.amount, { currency: transfer.currency })}
            name="amount"
            inputMode="decimal"
            flex="1 0 7.5rem"
          />
        </Group>
      ))}
      <Group>
        <Button variant="default" size="xs" onClick={() => setLineCount(lineCount + 1)}>
          {t.transfer.addCharge}
        </Button>
      </Group>
    </ConfirmButton>
  );
}
