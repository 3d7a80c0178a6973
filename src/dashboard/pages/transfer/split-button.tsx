import { Button, Group, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { formatAmount } from '../../format/amount.ts';
import { plainDecimal } from '../../format/written-number.ts';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { useAct } from '../../parts/use-act.ts';
import { splitTransferMutation, type TransferDetails } from './transfer-query.ts';

/** Counts a transfer for several charges at once. */
export function SplitButton({ transfer, onChanged }: { transfer: TransferDetails; onChanged: () => void }) {
  const split = useAct(splitTransferMutation, onChanged);
  const [lines, setLines] = useState(2);
  const run = (form: FormData) => {
    const charges = form.getAll('chargeId').map((id) => String(id).trim());
    const amounts = form.getAll('amount').map((amount) => plainDecimal(String(amount), transfer.currency));
    const parts = charges.map((chargeId, i) => ({ chargeId, amount: amounts[i] || null }));
    return split({ input: { id: transfer.id, parts } });
  };
  return (
    <ConfirmButton
      label="Split"
      title="Split over several charges"
      confirm="Split it"
      variant="default"
      onConfirm={run}
    >
      <Text size="sm">
        {formatAmount(transfer.amountOpen, transfer.currency)} is open. One amount may be left empty: it takes
        what is left.
      </Text>
      {Array.from({ length: lines }, (_, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines are only added at the end.
        <Group key={i} align="flex-end" gap="xs" wrap="nowrap">
          <TextInput
            label={`Charge ${i + 1}`}
            name="chargeId"
            placeholder="ch_…"
            required
            withAsterisk={false}
            flex="2 1 0"
            {...(i === 0 && { 'data-autofocus': true })}
          />
          <TextInput
            label={`Amount (${transfer.currency})`}
            name="amount"
            inputMode="decimal"
            flex="1 0 7.5rem"
          />
        </Group>
      ))}
      <Group>
        <Button variant="default" size="xs" onClick={() => setLines(lines + 1)}>
          One more charge
        </Button>
      </Group>
    </ConfirmButton>
  );
}
