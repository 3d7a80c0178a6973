import { Group, Text, TextInput } from '@mantine/core';
import { formatAmount, isZero, writtenAmount } from '../../format/amount.ts';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { amountOf, textOf } from '../../parts/form.tsx';
import { useAct } from '../../parts/use-act.ts';
import { useMay } from '../../viewer.ts';
import { AssignButton } from './assign-button.tsx';
import { SplitButton } from './split-button.tsx';
import { pairTransferMutation, returnTransferMutation, type TransferDetails } from './transfer-query.ts';

type Props = { transfer: TransferDetails; onChanged: () => void };

/** What can be decided about money that waits. */
export function TransferActions(props: Props) {
  const { transfer } = props;
  const mayTransfer = useMay('transfers');
  if (!mayTransfer) return null;
  if (isZero(transfer.amountOpen)) {
    return (
      <Group gap="sm">
        <SeenButton {...props} />
        {transfer.direction === 'debit' && <PairButton {...props} />}
      </Group>
    );
  }
  return (
    <Group gap="sm">
      <AssignButton {...props} />
      <SplitButton {...props} />
      <ReturnButton {...props} />
      {transfer.allocations.length === 0 && <PairButton {...props} />}
    </Group>
  );
}

function ReturnButton({ transfer, onChanged }: Props) {
  const giveBack = useAct(returnTransferMutation, onChanged);
  const { id, amountOpen, currency } = transfer;
  const run = (form: FormData) => {
    const amount = amountOf(form, 'amount', currency);
    return giveBack({ input: { id, amount, note: textOf(form, 'note') || null } });
  };
  return (
    <ConfirmButton label="Sent back" title="Did you send it back?" variant="default" onConfirm={run}>
      <Text size="sm">
        Send the money from your bank first. This keeps the record of it; no money is moved from here.
      </Text>
      <TextInput
        label={`Amount (${currency})`}
        description={`${formatAmount(amountOpen, currency)} is open`}
        name="amount"
        inputMode="decimal"
        defaultValue={writtenAmount(amountOpen, currency)}
        required
        withAsterisk={false}
        data-autofocus
      />
      <TextInput label="Note" name="note" placeholder="Reference of your payment" maxLength={500} />
    </ConfirmButton>
  );
}

/** The bank has taken the money away, or it went out: there is nothing to assign. */
function SeenButton({ transfer, onChanged }: Props) {
  const giveBack = useAct(returnTransferMutation, onChanged);
  return (
    <ConfirmButton
      label="Seen"
      title="Put this aside?"
      confirm="Put aside"
      onConfirm={() => giveBack({ input: { id: transfer.id } })}
    >
      <Text size="sm">
        {transfer.direction === 'credit'
          ? 'The money has left your account again. Settle it with the customer where its charge was fulfilled.'
          : 'It stays in the list as money that went out, and counts for nothing.'}
      </Text>
    </ConfirmButton>
  );
}

function PairButton({ transfer, onChanged }: Props) {
  const pair = useAct(pairTransferMutation, onChanged);
  return (
    <ConfirmButton
      label="Told twice"
      title="Is it the same money?"
      confirm="It is the same"
      variant="default"
      onConfirm={(form) => pair({ input: { id: transfer.id, sameAsId: textOf(form, 'sameAsId') } })}
    >
      <Text size="sm">
        When another source told of this very payment, name its transfer: this one will count for nothing.
      </Text>
      <TextInput
        label="The other transfer"
        name="sameAsId"
        placeholder="tr_…"
        required
        withAsterisk={false}
        data-autofocus
      />
    </ConfirmButton>
  );
}
