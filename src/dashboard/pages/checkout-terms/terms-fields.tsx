import { Fieldset, Group, MultiSelect, Select, SimpleGrid, TextInput } from '@mantine/core';
import { faultUnder } from '../../graphql/refusal.ts';
import { OrderLines } from '../../parts/order-lines.tsx';
import { useCurrencies } from '../currencies.ts';
import { type PaymentMethod, usePaymentMethods } from '../payment-methods.ts';
import type { TermsChoices } from './read-terms.ts';

/** Those that show what is wrong with them; anything else is said above the form. */
export const termsFields = [
  'amount',
  'currency',
  'orders',
  'methods',
  'paymentMethods',
  'customer',
  'notifyPayload',
  'redirectUrl',
];

type Props = {
  choices: TermsChoices;
  choose: (change: Partial<TermsChoices>) => void;
  /** By the whole path of the field. */
  faults: Record<string, string>;
};

/** What is to be paid, and what the customer's page needs for it. */
export function TermsFields({ choices, choose, faults }: Props) {
  const methods = usePaymentMethods();
  return (
    <>
      <Asked choices={choices} choose={choose} faults={faults} />
      <OrderLines
        lines={choices.lines}
        fault={faultUnder(faults, 'orders')}
        description="Customers see it"
        onChange={(lines) => choose({ lines })}
      />
      <MultiSelect
        label="Payment methods"
        error={faultUnder(faults, 'methods') ?? faultUnder(faults, 'paymentMethods')}
        description="None chosen: all that you can receive on"
        searchable
        clearable
        data={methods.map(({ method, name }) => ({ value: method, label: name }))}
        value={choices.methods}
        onChange={(chosen) => choose({ methods: chosen as PaymentMethod['method'][] })}
      />
      <CustomerFields faults={faults} />
      <TextInput
        label="Your reference"
        error={faults.notifyPayload}
        name="notifyPayload"
        description="Comes back in notifications"
        maxLength={4096}
      />
      <TextInput
        label="Leads back to"
        error={faults.redirectUrl}
        name="redirectUrl"
        type="url"
        description="An address for the button after payment"
      />
    </>
  );
}

function Asked({ choices, choose, faults }: Props) {
  const currencies = useCurrencies(choices.currency);
  return (
    <Group grow align="flex-start" wrap="nowrap">
      <TextInput
        label="Amount"
        error={faults.amount}
        name="amount"
        inputMode="decimal"
        placeholder="128.50"
        required
        withAsterisk={false}
        data-autofocus
      />
      <Select
        label="Currency"
        error={faults.currency}
        searchable
        allowDeselect={false}
        data={currencies}
        value={choices.currency}
        onChange={(currency) => choose({ currency: currency ?? choices.currency })}
        comboboxProps={{ withinPortal: false }}
      />
    </Group>
  );
}

function CustomerFields({ faults }: { faults: Record<string, string> }) {
  return (
    <Fieldset
      legend="Customer, filled in beforehand"
      variant="unstyled"
      p={0}
      styles={{ legend: { fontSize: 'var(--mantine-font-size-sm)', fontWeight: 500 } }}
    >
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm" verticalSpacing="xs">
        <TextInput label="First name" name="firstName" maxLength={100} error={faults['customer/firstName']} />
        <TextInput label="Last name" name="lastName" maxLength={100} error={faults['customer/lastName']} />
        <TextInput label="E-mail" name="email" type="email" error={faults['customer/email']} />
        <Group gap="xs" align="flex-start" wrap="nowrap">
          <TextInput
            label="Code"
            name="phoneCode"
            inputMode="tel"
            placeholder="+852"
            maxLength={5}
            w="5rem"
            error={faultUnder(faults, 'customer/phone') !== undefined}
          />
          <TextInput
            label="Phone"
            name="phone"
            type="tel"
            flex={1}
            error={faultUnder(faults, 'customer/phone') && 'Not a phone number'}
          />
        </Group>
      </SimpleGrid>
    </Fieldset>
  );
}
