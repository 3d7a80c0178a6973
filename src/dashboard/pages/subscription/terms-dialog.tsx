import { Alert, Select, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useMutation } from 'urql';
import { fillText } from '../../../language/fill-text.ts';
import { Dialog } from '../../components/dialog.tsx';
import { Form, getAmount, SubmitButton } from '../../components/form.tsx';
import { searchableSelectProps } from '../../components/searchable-select-props.ts';
import { useFormState } from '../../components/use-form-state.ts';
import { toFieldAmount } from '../../format/amount.ts';
import type { ResultOf } from '../../graphql/graphql.ts';
import { useAllPages } from '../../graphql/use-all-pages.ts';
import { t } from '../../language/texts.ts';
import { planPricesQuery } from '../subscription-plan/plans-query.ts';
import { customerEmailHint } from './customer-email-hint.ts';
import { changeTermsMutation, type SubscriptionDetails } from './subscription-query.ts';

type TermsDialogProps = {
  subscription: SubscriptionDetails;
  opened: boolean;
  onClose: () => void;
  onChanged: () => void;
};

export function TermsDialog({ subscription, opened, onClose, onChanged }: TermsDialogProps) {
  const finish = () => {
    onClose();
    onChanged();
  };
  return (
    <Dialog opened={opened} onClose={onClose} title={t.subscription.changePlanOrPrice}>
      <TermsForm subscription={subscription} onChanged={finish} />
    </Dialog>
  );
}

const getPlans = (data: ResultOf<typeof planPricesQuery>) => data.subscriptionPlans;

function TermsForm({ subscription, onChanged }: Pick<TermsDialogProps, 'subscription' | 'onChanged'>) {
  const [{ fetching }, change] = useMutation(changeTermsMutation);
  const formState = useFormState(['subscriptionPlanId', 'amount']);
  const { getFieldError } = formState;
  const { subscriptionPlan, price } = subscription;
  const { currency } = subscriptionPlan;
  const [planId, setPlanId] = useState(subscriptionPlan.id);
  const [amount, setAmount] = useState(toFieldAmount(price, currency));
  const { data: plans = [] } = useAllPages(planPricesQuery, getPlans);
  const possiblePlans = plans.filter(
    (plan) => plan.id === subscriptionPlan.id || (plan.status === 'active' && plan.currency === currency),
  );
  const choosePlan = (id: string | null) => {
    const plan = possiblePlans.find((possible) => possible.id === id);
    if (!plan) return;
    setPlanId(plan.id);
    setAmount(toFieldAmount(plan.recurringPayment.amount, currency));
  };
  const submit = async (form: FormData) => {
    const input = formState.read(() => ({
      id: subscription.id,
      subscriptionPlanId: planId,
      amount: getAmount(form, 'amount', currency),
    }));
    if (!input) return;
    const response = await change({ input });
    formState.handleResult(response);
    const result = response.data?.changeSubscriptionTerms;
    if (result && 'subscription' in result) onChanged();
  };
  return (
    <Form state={formState} onSubmit={submit}>
      <Alert color="amber" variant="light">
        {fillText(t.subscription.theChangeAppliesFrom, { emailHint: customerEmailHint })}
      </Alert>
      <Select
        label={t.common.plan}
        data-autofocus
        // Open options would cover the price.
        openOnFocus={false}
        data={possiblePlans.map(({ id, name }) => ({ value: id, label: name }))}
        value={planId}
        onChange={choosePlan}
        allowDeselect={false}
        error={getFieldError('subscriptionPlanId')}
        {...searchableSelectProps}
      />
      <TextInput
        label={fillText(t.subscription.priceEachTime, { currency })}
        description={t.subscription.withOrWithoutTax}
        name="amount"
        inputMode="decimal"
        required
        withAsterisk={false}
        value={amount}
        onChange={(event) => setAmount(event.currentTarget.value)}
        error={getFieldError('amount')}
      />
      <SubmitButton isBusy={fetching}>{t.subscription.changeTerms}</SubmitButton>
    </Form>
  );
}
