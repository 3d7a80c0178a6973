import {
  Fieldset,
  Group,
  type InputWrapperProps,
  NumberInput,
  Select,
  SimpleGrid,
  Stack,
  Switch,
  TextInput,
} from '@mantine/core';
import { isMailDelivered } from '../../components/mail-notice.tsx';
import { toFieldAmount } from '../../format/amount.ts';
import { t } from '../../language/texts.ts';
import { CurrencySelect } from '../currency-select.tsx';
import { MissingRatesHint } from '../missing-rates.tsx';
import { PaymentMethodsSelect } from '../payment-methods-select.tsx';
import type { PlanChoices } from './plan-input.ts';
import type { PlanPeriod, PlanRow } from './plan-row.ts';

const periods: { value: PlanPeriod; label: string }[] = [
  { value: 'days', label: t.subscriptionPlan.days },
  { value: 'months', label: t.subscriptionPlan.months },
  { value: 'years', label: t.subscriptionPlan.years },
];

/** Descriptions are below the fields, because above them their different lengths would misalign the fields. */
export const wrapperOrder: NonNullable<InputWrapperProps['inputWrapperOrder']> = [
  'label',
  'input',
  'description',
  'error',
];

type PlanTermsProps = {
  initialPlan: PlanRow | undefined;
  choices: PlanChoices;
  onChange: (changes: Partial<PlanChoices>) => void;
  fieldErrors: Record<string, string>;
};

/** The terms are fixed after the first enrolment. */
export function PlanTerms(props: PlanTermsProps) {
  const { choices, onChange, fieldErrors } = props;
  return (
    <Fieldset aria-label={t.subscriptionPlan.terms}>
      <Stack>
        <RecurringPaymentFields {...props} />
        <MissingRatesHint currency={choices.currency} />
        <PaymentMethodsSelect
          methods={choices.methods}
          onChoose={(methods) => onChange({ methods })}
          error={fieldErrors.methods}
        />
        <Switch
          label={t.subscriptionPlan.emailInvoicesAndReminders}
          description={isMailDelivered ? null : t.subscriptionPlan.nothingIsSentYet}
          checked={choices.sendEmail}
          onChange={(event) => onChange({ sendEmail: event.currentTarget.checked })}
        />
      </Stack>
    </Fieldset>
  );
}

/** The terms that most plans do not need. */
export function AdvancedTerms(props: PlanTermsProps) {
  const { initialPlan, fieldErrors } = props;
  return (
    <>
      <InitialPaymentFields {...props} />
      <SimpleGrid cols={{ base: 1, xs: 3 }}>
        <NumberInput
          label={t.subscriptionPlan.numberOfPayments}
          description={t.subscriptionPlan.leaveEmptyToRenew}
          name="numPayments"
          inputWrapperOrder={wrapperOrder}
          min={1}
          max={10_000}
          allowDecimal={false}
          defaultValue={initialPlan?.numPayments ?? ''}
          error={fieldErrors.numPayments}
        />
        <NumberInput
          label={t.subscriptionPlan.createInvoice}
          description={t.subscriptionPlan.daysBeforeTheDue}
          name="invoiceNoticeDays"
          inputWrapperOrder={wrapperOrder}
          min={0}
          max={400}
          allowDecimal={false}
          defaultValue={initialPlan?.invoiceNoticeDays ?? 2}
          error={fieldErrors.invoiceNoticeDays}
        />
        <NumberInput
          label={t.subscriptionPlan.gracePeriod}
          description={t.subscriptionPlan.daysUntilTheSubscription}
          name="gracePeriodDays"
          inputWrapperOrder={wrapperOrder}
          min={0}
          max={400}
          allowDecimal={false}
          defaultValue={initialPlan?.gracePeriodDays ?? 1}
          error={fieldErrors.gracePeriodDays}
        />
      </SimpleGrid>
    </>
  );
}

function RecurringPaymentFields({ initialPlan, choices, onChange, fieldErrors }: PlanTermsProps) {
  const amount = initialPlan && toFieldAmount(initialPlan.recurringPayment.amount, initialPlan.currency);
  return (
    <SimpleGrid cols={{ base: 2, xs: 4 }}>
      <TextInput
        label={t.common.amount}
        name="recurringPayment.amount"
        inputMode="decimal"
        placeholder="128.50"
        required
        withAsterisk={false}
        defaultValue={amount}
        error={fieldErrors['recurringPayment/amount']}
      />
      <CurrencySelect
        currency={choices.currency}
        onChoose={(currency) => onChange({ currency })}
        error={fieldErrors.currency}
      />
      <NumberInput
        label={t.subscriptionPlan.billedEvery}
        name="recurringPayment.count"
        min={1}
        max={400}
        allowDecimal={false}
        defaultValue={initialPlan?.recurringPayment.count ?? 1}
        error={fieldErrors['recurringPayment/count']}
      />
      <Select
        label={t.common.period}
        allowDeselect={false}
        data={periods}
        value={choices.period}
        onChange={(value) => onChange({ period: (value as PlanPeriod | null) ?? choices.period })}
        error={fieldErrors['recurringPayment/period']}
      />
    </SimpleGrid>
  );
}

function InitialPaymentFields({ initialPlan, choices, onChange, fieldErrors }: PlanTermsProps) {
  const initialPayment = initialPlan?.initialPayment;
  return (
    <Group grow align="flex-start" preventGrowOverflow={false}>
      <TextInput
        label={t.subscriptionPlan.firstPayment}
        description={t.subscriptionPlan.leaveEmptyForThe}
        name="initialPayment.amount"
        inputWrapperOrder={wrapperOrder}
        inputMode="decimal"
        defaultValue={
          initialPayment?.amount != null && initialPlan
            ? toFieldAmount(initialPayment.amount, initialPlan.currency)
            : ''
        }
        error={fieldErrors['initialPayment/amount'] ?? fieldErrors.initialPayment}
        flex="1 1 12rem"
      />
      <NumberInput
        label={t.subscriptionPlan.firstPeriod}
        description={t.subscriptionPlan.leaveEmptyForTheRegular}
        name="initialPayment.count"
        inputWrapperOrder={wrapperOrder}
        min={1}
        max={400}
        allowDecimal={false}
        defaultValue={initialPayment?.count ?? ''}
        error={fieldErrors['initialPayment/count']}
        flex="1 1 8rem"
      />
      <Select
        label={t.subscriptionPlan.firstPeriodUnit}
        inputWrapperOrder={wrapperOrder}
        description={t.subscriptionPlan.daysMonthsOrYears}
        allowDeselect={false}
        data={periods}
        value={choices.initialPeriod}
        onChange={(value) =>
          onChange({ initialPeriod: (value as PlanPeriod | null) ?? choices.initialPeriod })
        }
        error={fieldErrors['initialPayment/period']}
        flex="1 1 8rem"
      />
    </Group>
  );
}
