import type { VariablesOf } from '../../graphql/graphql.ts';
import { useRead } from '../../graphql/use-read.ts';
import { emailFilterField, FilterBar, FilterChoice, FilterTexts } from '../../parts/filter-bar.tsx';
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

/** Offers the newest plans; an older one, come to by a link, stays by its id. */
function PlanChoice() {
  const { data } = useRead(planNamesQuery);
  const chosen = useFilter().read('plan');
  const plans = (data?.subscriptionPlans.nodes ?? []).map(({ id, name }) => ({ value: id, label: name }));
  const isListed = chosen === null || plans.some(({ value }) => value === chosen);
  const choices = isListed ? plans : [...plans, { value: chosen, label: chosen }];
  return <FilterChoice name="plan" label="Plan" choices={choices} searchable />;
}
