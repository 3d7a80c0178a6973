import { Group, Stack, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { FoldedFields } from '../../components/folded-fields.tsx';
import { OrderLines } from '../../components/order-lines.tsx';
import { type FieldErrors, findFieldError } from '../../graphql/errors.ts';
import { t } from '../../language/texts.ts';
import { CurrencySelect } from '../currency-select.tsx';
import { MissingRatesHint } from '../missing-rates.tsx';
import { PaymentMethodsSelect } from '../payment-methods-select.tsx';
import { CustomerFields } from './customer-fields.tsx';
import type { TermsChoices } from './read-terms.ts';

/** The fields that show their own error; other errors appear above the form. */
export const termsFieldPaths = [
  'amount',
  'currency',
  'orders',
  'methods',
  'customer',
  'notifyPayload',
  'redirectUrl',
];

type TermsFieldsProps = {
  choices: TermsChoices;
  onChange: (changes: Partial<TermsChoices>) => void;
  fieldErrors: FieldErrors;
  /** Whether the form asks for the customer's details, which only a page for one customer prefills. */
  hasCustomer?: boolean;
  /** The fields of an amount that is not fixed. */
  amountFields?: ReactNode;
  /** More fields that are rarely used. */
  children?: ReactNode;
};

/** The fields that the forms for sessions and checkout links share. */
export function TermsFields(props: TermsFieldsProps) {
  const { choices, onChange, fieldErrors, amountFields } = props;
  return (
    <>
      <Group grow align="flex-start" wrap="nowrap">
        {amountFields ?? (
          <TextInput
            label={t.common.amount}
            error={fieldErrors.amount}
            name="amount"
            inputMode="decimal"
            placeholder="128.50"
            required
            withAsterisk={false}
            data-autofocus
          />
        )}
        <CurrencySelect
          currency={choices.currency}
          onChoose={(currency) => onChange({ currency })}
          error={fieldErrors.currency}
        />
      </Group>
      <MissingRatesHint currency={choices.currency} />
      <OrderLines
        lines={choices.lines}
        error={findFieldError(fieldErrors, 'orders')}
        description={t.common.shownToCustomers}
        onChange={(lines) => onChange({ lines })}
      />
      <RareFields {...props} />
    </>
  );
}

/** Paths of the fields that are always visible. */
const visibleFields = /^(?:name|amount|customAmount|currency|orders)(?:\/|$)/;

/** The fields that most links and sessions do not need, folded until the user opens them or one is invalid. */
function RareFields(props: TermsFieldsProps) {
  const { choices, onChange, fieldErrors, hasCustomer = true, children } = props;
  const hasError = Object.keys(fieldErrors).some((path) => !visibleFields.test(path));
  return (
    <FoldedFields title={t.checkoutTerms.moreOptions} hasError={hasError}>
      <Stack mt="xs" gap="sm">
        <PaymentMethodsSelect
          methods={choices.methods}
          onChoose={(methods) => onChange({ methods })}
          error={findFieldError(fieldErrors, 'methods')}
        />
        <TextInput
          label={t.checkoutTerms.orderNumberOrReference}
          error={fieldErrors.notifyPayload}
          name="notifyPayload"
          description={t.checkoutTerms.shownOnEachCharge}
          maxLength={4096}
        />
        <TextInput
          label={t.common.returnUrl}
          error={fieldErrors.redirectUrl}
          name="redirectUrl"
          type="url"
          description={t.checkoutTerms.openedByTheButton}
        />
        {children}
        {hasCustomer && <CustomerFields fieldErrors={fieldErrors} />}
      </Stack>
    </FoldedFields>
  );
}
