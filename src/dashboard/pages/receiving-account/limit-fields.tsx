import { NumberInput, SimpleGrid, TextInput } from '@mantine/core';
import { amountOf, numberOf } from '../../components/form.tsx';
import { writtenAmount } from '../../format/amount.ts';
import type { Faults } from '../../graphql/refusal.ts';
import type { AccountDetails } from './receiving-accounts-query.ts';

type Limits = Pick<AccountDetails, 'minAmount' | 'maxAmount' | 'windowMinutes' | 'weight'>;

/** Their paths. */
export const limitFields = ['minAmount', 'maxAmount', 'windowMinutes', 'weight'];

/** The fields of an account's limits and share; left empty, those of the method hold. */
export function LimitFields(props: { currency: string; limits?: Limits; faults: Faults }) {
  const { currency, limits, faults } = props;
  const written = (amount: string | null | undefined) =>
    amount == null ? '' : writtenAmount(amount, currency);
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }}>
      <TextInput
        label={`Minimum amount (${currency})`}
        name="minAmount"
        inputMode="decimal"
        placeholder="Method default"
        defaultValue={written(limits?.minAmount)}
        error={faults.minAmount}
      />
      <TextInput
        label={`Maximum amount (${currency})`}
        name="maxAmount"
        inputMode="decimal"
        placeholder="Method default"
        defaultValue={written(limits?.maxAmount)}
        error={faults.maxAmount}
      />
      <NumberInput
        label="Payment window (minutes)"
        description="How long a charge waits for payment"
        name="windowMinutes"
        min={5}
        max={43_200}
        placeholder="From settings"
        defaultValue={limits?.windowMinutes ?? ''}
        error={faults.windowMinutes}
      />
      <NumberInput
        label="Traffic weight"
        description="Relative to your other accounts for the method"
        name="weight"
        min={1}
        max={100}
        defaultValue={limits?.weight ?? 1}
        error={faults.weight}
      />
    </SimpleGrid>
  );
}

/** What is in the fields, as the API takes it; nothing in one: none of its own. Error: `Unclear`. */
export function readLimits(form: FormData, currency: string) {
  const amount = (name: string) => amountOf(form, name, currency) || null;
  return {
    minAmount: amount('minAmount'),
    maxAmount: amount('maxAmount'),
    windowMinutes: numberOf(form, 'windowMinutes'),
    weight: numberOf(form, 'weight'),
  };
}
