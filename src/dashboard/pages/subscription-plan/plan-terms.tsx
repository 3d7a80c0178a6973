import { Fieldset, Group, NumberInput, Select, SimpleGrid, Stack, Switch, TextInput } from '@mantine/core';
import { writtenAmount } from '../../format/amount.ts';
import { CurrencyChoice } from '../currency-choice.tsx';
import { MethodsChoice } from '../methods-choice.tsx';
import type { PlanChoices } from './plan-input.ts';
import type { Period, PlanRow } from './plan-row.ts';

const periods: { value: Period; label: string }[] = [
  { value: 'days', label: 'days' },
  { value: 'months', label: 'months' },
  { value: 'years', label: 'years' },
];

type Props = {
  shown: PlanRow | undefined;
  choices: PlanChoices;
  choose: (change: Partial<PlanChoices>) => void;
  faults: Record<string, string>;
};

/** The terms of a plan, which change until somebody has enrolled. */
export function PlanTerms(props: Props) {
  const { shown, choices, choose, faults } = props;
  return (
    <Fieldset aria-label="Terms">
      <Stack>
        <Recurring {...props} />
        <Initial {...props} />
        <SimpleGrid cols={{ base: 1, xs: 3 }}>
          <NumberInput
            label="Payments"
            description="Leave empty to renew until cancelled"
            name="numPayments"
            min={1}
            max={10_000}
            allowDecimal={false}
            defaultValue={shown?.numPayments ?? ''}
            error={faults.numPayments}
          />
          <NumberInput
            label="Create invoice"
            description="Days before the due date"
            name="invoiceNotice"
            min={0}
            max={400}
            allowDecimal={false}
            defaultValue={shown?.invoiceNotice ?? 2}
            error={faults.invoiceNotice}
          />
          <NumberInput
            label="Grace period"
            description="Days until the subscription is paused"
            name="gracePeriod"
            min={0}
            max={400}
            allowDecimal={false}
            defaultValue={shown?.gracePeriod ?? 1}
            error={faults.gracePeriod}
          />
        </SimpleGrid>
        <MethodsChoice
          methods={choices.methods}
          onChoose={(methods) => choose({ methods })}
          fault={faults.methods}
        />
        <Switch
          label="Email invoices and reminders to customers"
          checked={choices.sendEmail}
          onChange={(event) => choose({ sendEmail: event.currentTarget.checked })}
        />
      </Stack>
    </Fieldset>
  );
}

function Recurring({ shown, choices, choose, faults }: Props) {
  const amount = shown && writtenAmount(shown.recurringPayment.amount, shown.currency);
  return (
    <SimpleGrid cols={{ base: 2, xs: 4 }}>
      <TextInput
        label="Amount"
        name="amount"
        inputMode="decimal"
        placeholder="128.50"
        required
        withAsterisk={false}
        defaultValue={amount}
        error={faults['recurringPayment/amount']}
      />
      <CurrencyChoice
        currency={choices.currency}
        onChoose={(currency) => choose({ currency })}
        fault={faults.currency}
      />
      <NumberInput
        label="Every"
        name="count"
        min={1}
        max={400}
        allowDecimal={false}
        defaultValue={shown?.recurringPayment.count ?? 1}
        error={faults['recurringPayment/count']}
      />
      <Select
        label="Period"
        allowDeselect={false}
        data={periods}
        value={choices.period}
        onChange={(value) => choose({ period: (value as Period | null) ?? choices.period })}
        error={faults['recurringPayment/period']}
      />
    </SimpleGrid>
  );
}

function Initial({ shown, choices, choose, faults }: Props) {
  const initial = shown?.initialPayment;
  return (
    <Group grow align="flex-start" preventGrowOverflow={false}>
      <TextInput
        label="First payment"
        description="Leave empty for the regular price, 0 for free"
        name="initialAmount"
        inputMode="decimal"
        defaultValue={initial?.amount != null && shown ? writtenAmount(initial.amount, shown.currency) : ''}
        error={faults['initialPayment/amount'] ?? faults.initialPayment}
        flex="1 1 12rem"
      />
      <NumberInput
        label="First period"
        description="Leave empty for the regular period"
        name="initialCount"
        min={1}
        max={400}
        allowDecimal={false}
        defaultValue={initial?.count ?? ''}
        error={faults['initialPayment/count']}
        flex="1 1 8rem"
      />
      <Select
        label="Unit"
        description="Of the first period"
        aria-label="Unit of the first period"
        allowDeselect={false}
        data={periods}
        value={choices.initialPeriod}
        onChange={(value) => choose({ initialPeriod: (value as Period | null) ?? choices.initialPeriod })}
        error={faults['initialPayment/period']}
        flex="1 1 8rem"
      />
    </Group>
  );
}
