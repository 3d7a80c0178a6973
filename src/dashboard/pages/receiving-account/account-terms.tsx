import { NumberInput, SimpleGrid, TextInput } from '@mantine/core';
import { plainDecimal, writtenAmount } from '../../format/amount.ts';
import type { AccountDetails } from './receiving-accounts-query.ts';

type Terms = Pick<AccountDetails, 'minAmount' | 'maxAmount' | 'windowMinutes' | 'weight'>;

/** The fields of an account's limits and share; left empty, those of the method hold. */
export function TermsFields(props: {
  currency: string;
  terms?: Terms | undefined;
  faults: Record<string, string>;
}) {
  const { currency, terms, faults } = props;
  const written = (amount: string | null | undefined) =>
    amount == null ? '' : writtenAmount(amount, currency);
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }}>
      <TextInput
        label={`Smallest amount (${currency})`}
        name="minAmount"
        inputMode="decimal"
        placeholder="As the method"
        defaultValue={written(terms?.minAmount)}
        error={faults.minAmount}
      />
      <TextInput
        label={`Largest amount (${currency})`}
        name="maxAmount"
        inputMode="decimal"
        placeholder="As the method"
        defaultValue={written(terms?.maxAmount)}
        error={faults.maxAmount}
      />
      <NumberInput
        label="Payment window, minutes"
        description="How long a charge waits for its money"
        name="windowMinutes"
        min={5}
        max={43_200}
        placeholder="As your settings"
        defaultValue={terms?.windowMinutes ?? ''}
        error={faults.windowMinutes}
      />
      <NumberInput
        label="Weight"
        description="Its share among your accounts for the method"
        name="weight"
        min={1}
        max={100}
        defaultValue={terms?.weight ?? 1}
        error={faults.weight}
      />
    </SimpleGrid>
  );
}

/** What is in the fields, as the API takes it; nothing in one: none of its own. */
export function readTerms(form: FormData) {
  const text = (name: string) => String(form.get(name) ?? '').trim();
  const amount = (name: string) => (text(name) === '' ? null : plainDecimal(text(name)));
  return {
    minAmount: amount('minAmount'),
    maxAmount: amount('maxAmount'),
    windowMinutes: wholeOrNull(text('windowMinutes')),
    weight: wholeOrNull(text('weight')),
  };
}

/** What is no number at all, which the API could not read; it judges the rest. */
export function unreadableTerms(form: FormData): Record<string, string> {
  const { minAmount, maxAmount } = readTerms(form);
  const wrong = Object.entries({ minAmount, maxAmount }).filter(
    ([, amount]) => amount !== null && !/^-?\d{1,30}(\.\d{1,30})?$/.test(amount),
  );
  return Object.fromEntries(wrong.map(([name]) => [name, 'Must be an amount such as 12.50']));
}

export function wholeOrNull(text: string): number | null {
  return text === '' ? null : Number(text);
}
