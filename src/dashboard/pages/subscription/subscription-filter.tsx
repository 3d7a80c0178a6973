import { useQuery } from 'urql';
import type { VariablesOf } from '../../graphql/graphql.ts';
import { FilterBar, FilterChoice, FilterTexts } from '../../parts/filter-bar.tsx';
import { choiceOf, useFilter } from '../../parts/use-filter.ts';
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
  const status = choiceOf(read('status'), statuses);
  const subscriptionPlanId = read('plan');
  const customerEmail = read('email');
  const filter = {
    ...(status && { status: [status] }),
    ...(subscriptionPlanId && { subscriptionPlanId }),
    ...(customerEmail && { customerEmail }),
  };
  return { filter, isFiltered: Object.keys(filter).length > 0 };
}

export function SubscriptionFilterBar() {
  return (
    <FilterBar>
      <FilterChoice name="status" label="Status" choices={statuses} />
      <PlanChoice />
      <FilterTexts
        fields={[
          {
            name: 'email',
            label: 'E-mail',
            type: 'search',
            inputMode: 'email',
            placeholder: 'The whole address',
          },
        ]}
      />
    </FilterBar>
  );
}

/** Offers the newest plans; an older one, come to by a link, stays by its id. */
function PlanChoice() {
  const [{ data }] = useQuery({ query: planNamesQuery });
  const chosen = useFilter().read('plan');
  const plans = (data?.subscriptionPlans.nodes ?? []).map(({ id, name }) => ({ value: id, label: name }));
  const isListed = chosen === null || plans.some(({ value }) => value === chosen);
  const choices = isListed ? plans : [...plans, { value: chosen, label: chosen }];
  return <FilterChoice name="plan" label="Plan" choices={choices} searchable />;
}
