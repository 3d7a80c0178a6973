import { Alert, Stack, TextInput } from '@mantine/core';
import { useMutation } from 'urql';
import { fillText } from '../../../language/fill-text.ts';
import { Dialog } from '../../components/dialog.tsx';
import { FoldedFields } from '../../components/folded-fields.tsx';
import { Form, SubmitButton } from '../../components/form.tsx';
import { OrderLines } from '../../components/order-lines.tsx';
import { useChanges } from '../../components/use-changes.ts';
import { type FormState, useFormState } from '../../components/use-form-state.ts';
import { t } from '../../language/texts.ts';
import { usePriceChoices } from '../currency-select.tsx';
import { readPlanDescription, readPlanTerms, toPlanChoices } from './plan-input.ts';
import type { PlanRow } from './plan-row.ts';
import { AdvancedTerms, PlanTerms } from './plan-terms.tsx';
import { createPlanMutation, updatePlanMutation } from './plans-query.ts';
import { TaxFields } from './tax-fields.tsx';

/** The fields that show their own error. */
const fieldPaths = [
  'name',
  'orders',
  'currency',
  'recurringPayment/amount',
  'recurringPayment/count',
  'recurringPayment/period',
  'initialPayment',
  'numPayments',
  'invoiceNoticeDays',
  'gracePeriodDays',
  'methods',
  'tax/name',
  'tax/rate',
];

/** Paths of the fields that are always visible. */
const visibleFields = /^(?:name|currency|methods|recurringPayment)(?:\/|$)/;

const hasAdvancedError = (fieldErrors: FormState['fieldErrors']) =>
  Object.keys(fieldErrors).some((path) => !visibleFields.test(path));

function hasAdvancedValues(plan: PlanRow | undefined): boolean {
  if (!plan) return false;
  const { initialPayment, numPayments, tax, orders } = plan;
  return initialPayment !== null || numPayments !== null || tax !== null || orders.length > 0;
}

type PlanFormProps = {
  opened: boolean;
  /** The plan to edit; without it, a new plan is created. */
  plan?: PlanRow;
  /** The plan from which the initial values of a new plan are copied. */
  templatePlan?: PlanRow;
  onClose: () => void;
  onSaved: (plan: PlanRow) => void;
};

export function PlanForm({ opened, plan, templatePlan, onClose, onSaved }: PlanFormProps) {
  const handleSaved = (savedPlan: PlanRow) => {
    onClose();
    onSaved(savedPlan);
  };
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      title={plan ? t.subscriptionPlan.editPlan : t.subscriptionPlan.newPlan}
      size="lg"
    >
      <PlanFields plan={plan} templatePlan={templatePlan} onSaved={handleSaved} />
    </Dialog>
  );
}

type PlanFieldsProps = {
  plan: PlanRow | undefined;
  templatePlan: PlanRow | undefined;
  onSaved: (plan: PlanRow) => void;
};

function PlanFields({ plan, templatePlan, onSaved }: PlanFieldsProps) {
  const initialPlan = plan ?? templatePlan;
  const [creating, create] = useMutation(createPlanMutation);
  const [updating, update] = useMutation(updatePlanMutation);
  const [choices, updateChoices] = usePriceChoices(() => toPlanChoices(initialPlan));
  const formState = useFormState(fieldPaths);
  const { fieldErrors, getFieldError } = formState;
  const areTermsFixed = plan !== undefined && plan.subscriptionCount > 0;

  const { getChanges } = useChanges(formState.formRef, (form) => ({
    ...readPlanDescription(form, choices),
    ...(areTermsFixed ? {} : readPlanTerms(form, choices)),
  }));
  const save = async (form: FormData) => {
    if (plan) {
      const changes = formState.read(() => getChanges(form));
      return changes && update({ input: { id: plan.id, ...changes } });
    }
    const input = formState.read(() => ({
      ...readPlanDescription(form, choices),
      ...readPlanTerms(form, choices),
    }));
    return input && create({ input });
  };
  const submit = async (form: FormData) => {
    const response = await save(form);
    if (!response) return;
    formState.handleResult(response);
    const [result] = Object.values(response.data ?? {});
    if (result && 'subscriptionPlan' in result) onSaved(result.subscriptionPlan);
  };

  return (
    <Form state={formState} onSubmit={submit}>
      <TextInput
        label={t.common.name}
        description={t.common.shownToCustomers}
        name="name"
        maxLength={200}
        required
        withAsterisk={false}
        defaultValue={
          templatePlan ? fillText(t.subscriptionPlan.copyOf, { name: templatePlan.name }) : plan?.name
        }
        error={fieldErrors.name}
        data-autofocus
      />
      {areTermsFixed ? (
        <Alert color="amber" variant="light">
          {t.subscriptionPlan.customersHaveEnrolledSo}
        </Alert>
      ) : (
        <PlanTerms
          initialPlan={initialPlan}
          choices={choices}
          onChange={updateChoices}
          fieldErrors={fieldErrors}
        />
      )}
      <FoldedFields
        title={t.checkoutTerms.moreOptions}
        hasError={hasAdvancedError(fieldErrors)}
        isInitiallyOpen={hasAdvancedValues(initialPlan)}
      >
        <Stack mt="xs">
          {!areTermsFixed && (
            <AdvancedTerms
              initialPlan={initialPlan}
              choices={choices}
              onChange={updateChoices}
              fieldErrors={fieldErrors}
            />
          )}
          <TaxFields
            plan={initialPlan}
            isInclusive={choices.isTaxInclusive}
            onChange={(isTaxInclusive) => updateChoices({ isTaxInclusive })}
            getFieldError={getFieldError}
          />
          <OrderLines
            lines={choices.lines}
            description={t.subscriptionPlan.shownOnTheCustomers}
            error={getFieldError('orders')}
            onChange={(lines) => updateChoices({ lines })}
          />
        </Stack>
      </FoldedFields>
      <SubmitButton isBusy={creating.fetching || updating.fetching}>
        {plan ? t.common.save : t.subscriptionPlan.createPlan}
      </SubmitButton>
    </Form>
  );
}
