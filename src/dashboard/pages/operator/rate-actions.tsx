import { Group, Text, TextInput } from '@mantine/core';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { textOf } from '../../parts/form.tsx';
import { useAct } from '../../parts/use-act.ts';
import { removeRateMutation, setRateMutation } from './rates-query.ts';

export function SetRate({ onSet }: { onSet: () => void }) {
  const set = useAct(setRateMutation, onSet);
  return (
    <ConfirmButton
      label="Set a rate"
      title="Set a rate by hand"
      confirm="Set the rate"
      onConfirm={(form) =>
        set({
          input: {
            currency: textOf(form, 'currency').toUpperCase(),
            rate: textOf(form, 'rate').replace(',', '.'),
          },
        })
      }
    >
      <Group grow align="flex-start">
        <TextInput
          label="Currency"
          name="currency"
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
