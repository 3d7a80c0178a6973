import type { ResultOf, VariablesOf } from '../../graphql/graphql.ts';
import { useEvery } from '../../graphql/use-every.ts';
import { emailFilterField, FilterBar, FilterChoice, FilterTexts } from '../../parts/filter-bar.tsx';
import { longChoice } from '../../parts/long-choice.ts';
import { choiceOf, filterOf, onlyOne, useFilter } from '../../parts/use-filter.ts';
import { planNamesQuery } from '../subscription-plan/plans-query.ts';
import type { subscriptionsQuery } from './subscriptions-query.ts';

type Filter = NonNullable<VariablesOf<typeof subscriptionsQuery>['filter']>;
type Status = NonNullable<Filter['status']>[number];

const statuses: { value: Status; label: string }[] = [
  { value: 'active', label: 'Active' },
  { value: 'inactive', label: 'Waiting for a payment' },
  { value: 'completed', label: 'Completed' },
  { value: 'cancelled', label: 'Cancelled' },
];

/** The filter in the page's address, as the API takes it. */
export function useSubscriptionFilter(): { filter: Filter; isFiltered: boolean } {
  const { read } = useFilter();
  return filterOf<Filter>({
    status: onlyOne(choiceOf(read('status'), statuses)),
    subscriptionPlanId: read('plan'),
    customerEmail: read('email'),
  });
}

export function SubscriptionFilterBar() {
  return (
    <FilterBar>
      <FilterChoice name="status" label="Status" choices={statuses} />
      <PlanChoice />
      <FilterTexts fields={[emailFilterField]} />
    </FilterBar>
  );
}

const plansOf = (data: ResultOf<typeof planNamesQuery>) => data.subscriptionPlans;

/** Offers all plans; until they are read, the chosen one stands by its id. */
function PlanChoice() {
  const { data = [] } = useEvery(planNamesQuery, plansOf);
  const chosen = useFilter().read('plan');
  const plans = data.map(({ id, name }) => ({ value: id, label: name }));
  const isListed = chosen === null || plans.some(({ value }) => value === chosen);
  const choices = isListed ? plans : [...plans, { value: chosen, label: chosen }];
  return <FilterChoice name="plan" label="Plan" choices={choices} {...longChoice} />;
}
