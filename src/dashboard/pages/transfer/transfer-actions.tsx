import { Button, Group, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { parseAmount } from '../../../kit/typed-number.ts';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { getAmount, getText } from '../../components/form.tsx';
import { useMutationAction } from '../../components/use-mutation-action.ts';
import { formatAmount, isZero, toFieldAmount } from '../../format/amount.ts';
import { useHasPermission } from '../../viewer.ts';
import { ChargePicker } from '../charge/charge-picker.tsx';
import { AssignButton } from './assign-button.tsx';
import { CreateChargeButton } from './create-charge-button.tsx';
import { DismissButton } from './dismiss-button.tsx';
import { TransferPicker } from './transfer-picker.tsx';
import {
  markAsDuplicateMutation,
  returnTransferMutation,
  splitTransferMutation,
  type TransferDetails,
} from './transfer-query.ts';

type TransferActionsProps = { transfer: TransferDetails; onChanged: () => void };

/** The actions on a transfer that needs review. */
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

/** The page that adds an ignore rule for transfers like this one. */
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
    <ConfirmButton label="Mark as returned" title="Returned to payer?" variant="default" onConfirm={submit}>
      <Text size="sm">
        Send the money from your bank first. This only records the return; it does not move money.
      </Text>
      <TextInput
        label={`Amount (${currency})`}
        description={`${formatAmount(amountUnallocated, currency)} is unallocated`}
        name="amount"
        inputMode="decimal"
        defaultValue={toFieldAmount(amountUnallocated, currency)}
        required
        withAsterisk={false}
        data-autofocus
      />
      <TextInput label="Note" name="note" placeholder="Reference of the return payment" maxLength={500} />
    </ConfirmButton>
  );
}

/** Dismisses a transfer without an unallocated amount: one that the bank has reversed, or an outgoing one. */
function AcknowledgeButton({ transfer, onChanged }: TransferActionsProps) {
  const returnTransfer = useMutationAction(returnTransferMutation, onChanged);
  return (
    <ConfirmButton
      label="Acknowledge"
      title="Dismiss this transfer?"
      confirmLabel="Dismiss"
      onConfirm={() => returnTransfer({ input: { id: transfer.id } })}
    >
      <Text size="sm">{describeDismissal(transfer)}</Text>
    </ConfirmButton>
  );
}

function describeDismissal({ direction, undoneAt }: TransferDetails): string {
  if (undoneAt !== null)
    return 'The statement that reported this money was undone. If its charge was fulfilled, settle it with the customer.';
  return direction === 'credit'
    ? 'The money has left your account again. If its charge was fulfilled, settle it with the customer.'
    : 'It stays in the list as an outgoing transfer and is not applied to anything.';
}

function MarkAsDuplicateButton({ transfer, onChanged }: TransferActionsProps) {
  const markAsDuplicate = useMutationAction(markAsDuplicateMutation, onChanged);
  return (
    <ConfirmButton
      label="Mark as duplicate"
      title="Mark as duplicate?"
      variant="default"
      onConfirm={async (form) => {
        const duplicateOfId = getText(form, 'duplicateOfId');
        if (duplicateOfId === '') return 'Choose the original transfer from the list.';
        return markAsDuplicate({ input: { id: transfer.id, duplicateOfId } });
      }}
    >
      <Text size="sm">
        If another source already reported this payment, choose that transfer. This transfer will not be
        applied to anything.
      </Text>
      <TransferPicker name="duplicateOfId" transfer={transfer} />
    </ConfirmButton>
  );
}

/** Applies a transfer to several charges at once. */
function SplitButton({ transfer, onChanged }: { transfer: TransferDetails; onChanged: () => void }) {
  const split = useMutationAction(splitTransferMutation, onChanged);
  const [lineCount, setLineCount] = useState(2);
  const submit = async (form: FormData) => {
    const charges = form.getAll('chargeId').map((id) => String(id).trim());
    if (charges.includes('')) return 'Choose each charge from the list.';
    const amounts = form.getAll('amount').map((amount) => parseAmount(String(amount), transfer.currency));
    const parts = charges.map((chargeId, i) => ({ chargeId, amount: amounts[i] || null }));
    return split({ input: { id: transfer.id, parts } });
  };
  return (
    <ConfirmButton label="Split" title="Split across charges" variant="default" onConfirm={submit}>
      <Text size="sm">
        {formatAmount(transfer.amountUnallocated, transfer.currency)} is unallocated. You can leave one amount
        empty; it takes the remainder.
      </Text>
      {Array.from({ length: lineCount }, (_, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines are only added at the end.
        <Group key={i} align="flex-end" gap="xs" wrap="nowrap">
          <div style={{ flex: '2 1 0', minWidth: 0 }}>
            <ChargePicker
              name="chargeId"
              label={`Charge ${i + 1}`}
              currency={transfer.currency}
              suggestions={transfer.suggestions.map((suggestion) => suggestion.charge)}
              isFocused={i === 0}
            />
          </div>
          <TextInput
            label={`Amount (${transfer.currency})`}
            name="amount"
            inputMode="decimal"
            flex="1 0 7.5rem"
          />
        </Group>
      ))}
      <Group>
        <Button variant="default" size="xs" onClick={() => setLineCount(lineCount + 1)}>
          Add charge
        </Button>
      </Group>
    </ConfirmButton>
  );
}
