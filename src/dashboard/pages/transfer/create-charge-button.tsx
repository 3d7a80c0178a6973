import { Group, Text, TextInput } from '@mantine/core';
import { fillText } from '../../../language/fill-text.ts';
import { orderNameFields } from '../../../language/format-name.ts';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { getText } from '../../components/form.tsx';
import { useMutationAction } from '../../components/use-mutation-action.ts';
import { formatAmount } from '../../format/amount.ts';
import { language, t } from '../../language/texts.ts';
import { createChargeForTransferMutation, type TransferDetails } from './transfer-query.ts';

/** Creates a completed charge for a transfer that paid a sale without a charge. */
export function CreateChargeButton(props: { transfer: TransferDetails; onChanged: () => void }) {
  const { transfer, onChanged } = props;
  const create = useMutationAction(createChargeForTransferMutation, onChanged);
  const payer = splitName(transfer.payerName ?? '');
  const submit = (form: FormData) => {
    const read = (name: string) => getText(form, name) || null;
    const fields = { firstName: read('firstName'), lastName: read('lastName'), orderName: read('orderName') };
    const input = { id: transfer.id, email: read('email'), ...fields, note: read('note') };
    return create({ input });
  };
  return (
    <ConfirmButton
      label={t.transfer.createCharge}
      title={t.transfer.createAChargeFor}
      variant="default"
      onConfirm={submit}
    >
      <Text size="sm">
        {fillText(t.transfer.forASaleWithout, {
          amountUnallocated: formatAmount(transfer.amountUnallocated, transfer.currency),
        })}
      </Text>
      <TextInput
        label={t.transfer.emailOfTheCustomer}
        description={t.transfer.withoutAnEmail}
        name="email"
        type="email"
        data-autofocus
      />
      <Group grow align="flex-start">
        {orderNameFields(language).map((name) => (
          <TextInput
            key={name}
            label={t.transfer[name]}
            name={name}
            defaultValue={payer[name]}
            maxLength={100}
          />
        ))}
      </Group>
      <TextInput
        label={t.transfer.sold}
        name="orderName"
        placeholder={t.transfer.giftBoxOrderBy}
        maxLength={500}
      />
      <TextInput label={t.common.note} name="note" description={t.common.visibleToYourTeam} maxLength={500} />
    </ConfirmButton>
  );
}

/** Banks report names in one piece. The user can correct the split. */
function splitName(name: string): { firstName: string; lastName: string } {
  const words = name.trim().split(/\s+/);
  return { firstName: words.slice(0, -1).join(' '), lastName: words.at(-1) ?? '' };
}
