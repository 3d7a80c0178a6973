import { Alert, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useMutation } from 'urql';
import { Dialog } from '../../components/dialog.tsx';
import { Form, Submit } from '../../components/form.tsx';
import { OrderLines } from '../../components/order-lines.tsx';
import { useOutcome } from '../../components/use-outcome.ts';
import { choicesOf, type PlanChoices, readTerms, readTexts } from './plan-input.ts';
import type { PlanRow } from './plan-row.ts';
import { PlanTerms } from './plan-terms.tsx';
import { createPlanMutation, updatePlanMutation } from './plans-query.ts';

/** Those that show what is wrong with them. */
const fields = [
  'name',
  'orders',
  'currency',
  'recurringPayment/amount',
  'recurringPayment/count',
  'recurringPayment/period',
  'initialPayment',
  'numPayments',
  'invoiceNotice',
  'gracePeriod',
  'methods',
];

type Props = {
  opened: boolean;
  /** The plan to change; a new one is made without. */
  plan?: PlanRow;
  /** How a new plan begins. */
  template?: PlanRow;
  onClose: () => void;
  onSaved: (plan: PlanRow) => void;
};

/** The dialog that makes a plan or changes one. */
export function PlanForm({ opened, plan, template, onClose, onSaved }: Props) {
  const saved = (made: PlanRow) => {
    onClose();
    onSaved(made);
  };
  return (
    <Dialog opened={opened} onClose={onClose} title={plan ? 'Edit plan' : 'New plan'} size="lg">
      <PlanFields plan={plan} template={template} onSaved={saved} />
    </Dialog>
  );
}

type FieldsProps = {
  plan: PlanRow | undefined;
  template: PlanRow | undefined;
  onSaved: (plan: PlanRow) => void;
};

function PlanFields({ plan, template, onSaved }: FieldsProps) {
  const shown = plan ?? template;
  const [creating, create] = useMutation(createPlanMutation);
  const [updating, update] = useMutation(updatePlanMutation);
  const [choices, setChoices] = useState<PlanChoices>(() => choicesOf(shown));
  const outcome = useOutcome(fields);
  const { faults, faultOf } = outcome;
  const isFixed = plan !== undefined && plan.numSubscriptions > 0;
  const choose = (change: Partial<PlanChoices>) => setChoices((current) => ({ ...current, ...change }));

  const save = async (form: FormData) => {
    if (plan) {
      const input = outcome.read(() => ({
        id: plan.id,
        ...readTexts(form, choices),
        ...(isFixed ? {} : readTerms(form, choices)),
      }));
      return input && update({ input });
    }
    const input = outcome.read(() => ({ ...readTexts(form, choices), ...readTerms(form, choices) }));
    return input && create({ input });
  };
  const submit = async (form: FormData) => {
    const answer = await save(form);
    if (!answer) return;
    outcome.take(answer);
    const [result] = Object.values(answer.data ?? {});
    if (result && 'subscriptionPlan' in result) onSaved(result.subscriptionPlan);
  };

  return (
    <Form outcome={outcome} onSubmit={submit}>
      <TextInput
        label="Name"
        description="Shown to customers"
        name="name"
        maxLength={200}
        required
        withAsterisk={false}
        defaultValue={template ? `${template.name} (copy)` : plan?.name}
        error={faults.name}
        data-autofocus
      />
      {isFixed ? (
        <Alert color="amber" variant="light">
          Customers have enrolled, so the terms can no longer change. To offer other terms, copy the plan.
        </Alert>
      ) : (
        <PlanTerms shown={shown} choices={choices} choose={choose} faults={faults} />
      )}
      <OrderLines
        lines={choices.lines}
        description="Shown on the customer’s page and the invoice"
        fault={faultOf('orders')}
        onChange={(lines) => choose({ lines })}
      />
      <Submit isBusy={creating.fetching || updating.fetching}>{plan ? 'Save' : 'Create plan'}</Submit>
    </Form>
  );
}
