import { Group, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { formatRate } from '../../format/amount.ts';
import { plainRate } from '../../format/written-number.ts';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { textOf } from '../../parts/form.tsx';
import { useAct } from '../../parts/use-act.ts';
import { distanceText } from './rate-distance.ts';
import { type RateRow, removeRateMutation, setRateMutation } from './rates-query.ts';

/** Sets a rate by hand; one that is far from the rate that counts only when asked twice. */
export function SetRate({ rates, onSet }: { rates: readonly RateRow[]; onSet: () => void }) {
  const set = useAct(setRateMutation, onSet);
  const [currency, setCurrency] = useState('');
  const [warned, setWarned] = useState('');
  const present = rates.find((rate) => rate.counts && rate.currency === currency)?.rate;
  const run = async (form: FormData) => {
    const rate = plainRate(textOf(form, 'rate'));
    const distance = present === undefined ? undefined : distanceText(rate, present);
    const asked = `${currency} ${rate} ${present}`;
    if (distance !== undefined && warned !== asked) {
      setWarned(asked);
      return `${distance} Press again to set it all the same.`;
    }
    const refused = await set({ input: { currency, rate } });
    if (refused === undefined) setCurrency('');
    return refused;
  };
  return (
    <ConfirmButton label="Set a rate" title="Set a rate by hand" confirm="Set the rate" onConfirm={run}>
      <Group grow align="flex-start">
        <TextInput
          label="Currency"
          name="currency"
          value={currency}
          onChange={(event) => setCurrency(event.currentTarget.value.trim().toUpperCase())}
          placeholder="HKD"
          maxLength={3}
          autoCapitalize="characters"
          required
          withAsterisk={false}
          data-autofocus
        />
        <TextInput
          label="For one euro"
          name="rate"
          description={present !== undefined && `Now ${formatRate(present)}`}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          placeholder="9.2001"
          inputMode="decimal"
          maxLength={30}
          required
          withAsterisk={false}
        />
      </Group>
      <Text size="sm" c="var(--causeway-muted)">
        It counts from now on for every merchant, until a feed tells a rate of a later date.
      </Text>
    </ConfirmButton>
  );
}

export function RemoveRate({ currency, onRemoved }: { currency: string; onRemoved: () => void }) {
  const remove = useAct(removeRateMutation, onRemoved);
  return (
    <ConfirmButton
      label="Take back"
      title={`Take the rate of ${currency} back?`}
      confirm="Take it back"
      isDanger
      size="xs"
      variant="default"
      onConfirm={() => remove({ input: { currency } })}
    >
      <Text size="sm">The newest rate of the feeds counts then, if there is one.</Text>
    </ConfirmButton>
  );
}
