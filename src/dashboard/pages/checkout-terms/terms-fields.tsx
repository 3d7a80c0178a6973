import { Fieldset, Group, SimpleGrid, TextInput } from '@mantine/core';
import { OrderLines } from '../../components/order-lines.tsx';
import { type Faults, faultUnder } from '../../graphql/refusal.ts';
import { CurrencyChoice } from '../currency-choice.tsx';
import { MethodsChoice } from '../methods-choice.tsx';
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

/** What is to be paid, and what the customer's page needs for it: what sessions and checkout links have in common. */
export function TermsFields(props: {
  choices: TermsChoices;
  choose: (change: Partial<TermsChoices>) => void;
  faults: Faults;
}) {
  const { choices, choose, faults } = props;
  return (
    <>
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
        <CurrencyChoice
          currency={choices.currency}
          onChoose={(currency) => choose({ currency })}
          fault={faults.currency}
        />
      </Group>
      <OrderLines
        lines={choices.lines}
        fault={faultUnder(faults, 'orders')}
        description="Shown to customers"
        onChange={(lines) => choose({ lines })}
      />
      <MethodsChoice
        methods={choices.methods}
        onChoose={(methods) => choose({ methods })}
        fault={faultUnder(faults, 'methods') ?? faultUnder(faults, 'paymentMethods')}
      />
      <CustomerFields faults={faults} />
      <TextInput
        label="Your reference"
        error={faults.notifyPayload}
        name="notifyPayload"
        description="Included in notifications"
        maxLength={4096}
      />
      <TextInput
        label="Return URL"
        error={faults.redirectUrl}
        name="redirectUrl"
        type="url"
        description="Opened by the button after payment"
      />
    </>
  );
}

function CustomerFields({ faults }: { faults: Faults }) {
  return (
    <Fieldset legend="Prefill customer details">
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm" verticalSpacing="xs">
        <TextInput label="First name" name="firstName" maxLength={100} error={faults['customer/firstName']} />
        <TextInput label="Last name" name="lastName" maxLength={100} error={faults['customer/lastName']} />
        <TextInput label="Email" name="email" type="email" error={faults['customer/email']} />
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
            error={faultUnder(faults, 'customer/phone') && 'Enter a valid phone number'}
          />
        </Group>
      </SimpleGrid>
    </Fieldset>
  );
}
