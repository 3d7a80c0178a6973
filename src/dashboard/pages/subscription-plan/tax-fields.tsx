import { Checkbox, Group, Stack, TextInput } from '@mantine/core';
import type { FormState } from '../../components/use-form-state.ts';
import { t } from '../../language/texts.ts';
import type { PlanRow } from './plan-row.ts';
import { wrapperOrder } from './plan-terms.tsx';

/** If the name and the rate are empty, the plan has no tax. */
export function TaxFields(props: {
  plan: PlanRow | undefined;
  isInclusive: boolean;
  onChange: (isInclusive: boolean) => void;
  getFieldError: FormState['getFieldError'];
}) {
  const { plan, isInclusive, onChange, getFieldError } = props;
  return (
    <Stack gap="xs">
      <Group grow align="flex-start">
        <TextInput
          label={t.subscriptionPlan.tax}
          description={t.subscriptionPlan.shownOnInvoicesLeave}
          placeholder={t.subscriptionPlan.gst}
          name="tax.name"
          inputWrapperOrder={wrapperOrder}
          maxLength={30}
          defaultValue={plan?.tax?.name}
          error={getFieldError('tax/name')}
        />
        <TextInput
          label={t.subscriptionPlan.taxRate}
          description={t.subscriptionPlan.aChangeAppliesFrom}
          placeholder="9"
          name="tax.rate"
          inputWrapperOrder={wrapperOrder}
          inputMode="decimal"
          defaultValue={plan?.tax?.rate}
          error={getFieldError('tax/rate')}
        />
      </Group>
      <Checkbox
        label={t.subscriptionPlan.pricesIncludeThisTax}
        checked={isInclusive}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
    </Stack>
  );
}
