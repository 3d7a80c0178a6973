import { Group, Text, TextInput } from '@mantine/core';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { getText } from '../../components/form.tsx';
import { useMutationAction } from '../../components/use-mutation-action.ts';
import { formatAmount } from '../../format/amount.ts';
import { createChargeForTransferMutation, type TransferDetails } from './transfer-query.ts';

/** Creates a completed charge for a transfer that paid a sale without a charge. */
export function CreateChargeButton(props: { transfer: TransferDetails; onChanged: () => void }) {
  const { transfer, onChanged } = props;
  const create = useMutationAction(createChargeForTransferMutation, onChanged);
  const [firstName, lastName] = splitName(transfer.payerName ?? '');
  const submit = (form: FormData) => {
    const read = (name: string) => getText(form, name) || null;
    const fields = { firstName: read('firstName'), lastName: read('lastName'), orderName: read('orderName') };
    const input = { id: transfer.id, email: getText(form, 'email'), ...fields, note: read('note') };
    return create({ input });
  };
  return (
    <ConfirmButton
      label="Create charge"
      title="Create a charge for this transfer"
      variant="default"
      onConfirm={submit}
    >
      <Text size="sm">
        For a sale without a charge, such as an order by phone. The charge is for{' '}
        {formatAmount(transfer.amountUnallocated, transfer.currency)}, is completed at once, and sends its
        notifications.
      </Text>
      <TextInput
        label="Email of the customer"
        name="email"
        type="email"
        required
        withAsterisk={false}
        data-autofocus
      />
      <Group grow align="flex-start">
        <TextInput label="First name" name="firstName" defaultValue={firstName} maxLength={100} />
        <TextInput label="Last name" name="lastName" defaultValue={lastName} maxLength={100} />
      </Group>
      <TextInput label="Sold" name="orderName" placeholder="Gift box, order by phone" maxLength={500} />
      <TextInput label="Note" name="note" description="Visible to your team" maxLength={500} />
    </ConfirmButton>
  );
}

/** Banks report names in one piece. The user can correct the split. */
function splitName(name: string): [first: string, last: string] {
  const words = name.trim().split(/\s+/);
  return [words.slice(0, -1).join(' '), words.at(-1) ?? ''];
}
