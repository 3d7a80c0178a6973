import { DateRangeFilter, useDateRange } from '../../components/date-range-filter.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { FilterBar, FilterSelect } from '../../components/filter-bar.tsx';
import { Link } from '../../components/link.tsx';
import { ListCount } from '../../components/list-count.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { OrderSelect, useOrder } from '../../components/order-select.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Paged } from '../../components/paged.tsx';
import { searchableSelectProps } from '../../components/searchable-select-props.ts';
import { Section } from '../../components/section.tsx';
import { pageInfoFields, useCursor } from '../../components/use-cursor.ts';
import { findChoice, toArray, toFilter, useFilter } from '../../components/use-filter.ts';
import { graphql, type ResultOf, type VariablesOf } from '../../graphql/graphql.ts';
import { useAllPages } from '../../graphql/use-all-pages.ts';
import { useLiveUpdates } from '../../graphql/use-live-updates.ts';
import { useCachedQuery } from '../../graphql/use-query-state.ts';
import { fillNodes } from '../../language/fill-nodes.tsx';
import { t } from '../../language/texts.ts';
import { CurrencyFilter } from '../currency-filter.tsx';
import { CustomerFilter, useCustomerFilter } from '../customer/customer-filter.tsx';
import { planNamesQuery } from '../subscription-plan/plans-query.ts';
import { subscriptionRowFields, subscriptionsUpdated } from './subscription-row.ts';
import { SubscriptionTable } from './subscription-table.tsx';

export default function SubscriptionsPage() {
  const cursor = useCursor();
  const order = useOrder();
  const { filter, isFiltered } = useSubscriptionFilter();
  const query = useCachedQuery(subscriptionsQuery, { filter, ...order, ...cursor.variables });
  useLiveUpdates(subscriptionsUpdated, {}, query.refresh);
  return (
    <>
      <PageHeader title={t.common.subscriptions} text={t.subscription.customersOnRecurringPlans} />
      <SubscriptionFilterBar />
      <Section
        title={isFiltered ? t.subscription.matchingSubscriptions : t.subscription.allSubscriptions}
        aside={
          <ListCount count={query.data?.subscriptions.totalCount} noun={t.subscription.subscriptionCount} />
        }
        isFlush
      >
        <Loaded query={query} lines={8}>
          {({ subscriptions }) => (
            <Paged
              page={subscriptions}
              cursor={cursor}
              empty={
                <EmptyState
                  title={isFiltered ? t.subscription.noSubscriptionsFound : t.subscription.noSubscriptionsYet}
                >
                  {isFiltered
                    ? t.common.tryDifferentFilters
                    : fillNodes(t.subscription.openAAndSend, {
                        link: <Link to="/plans">{t.subscription.plan}</Link>,
                      })}
                </EmptyState>
              }
            >
              {(rows) => <SubscriptionTable subscriptions={rows} />}
            </Paged>
          )}
        </Loaded>
      </Section>
    </>
  );
}

type SubscriptionsFilter = NonNullable<VariablesOf<typeof subscriptionsQuery>['filter']>;
type SubscriptionStatusOption = NonNullable<SubscriptionsFilter['statuses']>[number];

const statuses: { value: SubscriptionStatusOption; label: string }[] = [
  { value: 'active', label: t.common.active },
  { value: 'inactive', label: t.subscription.notActive },
  { value: 'completed', label: t.common.completed },
  { value: 'cancelled', label: t.common.cancelled },
];

function useSubscriptionFilter(): { filter: SubscriptionsFilter; isFiltered: boolean } {
  const { getFilter } = useFilter();
  const { from, to } = useDateRange();
  const customer = useCustomerFilter();
  return toFilter<SubscriptionsFilter>({
    createdFrom: from,
    createdTo: to,
    customerCurrency: getFilter('currency'),
    statuses: toArray(findChoice(getFilter('status'), statuses)),
    subscriptionPlanId: getFilter('plan'),
    ...customer,
  });
}

function SubscriptionFilterBar() {
  return (
    <FilterBar>
      <FilterSelect name="status" label={t.common.status} choices={statuses} />
      <PlanFilter />
      <CurrencyFilter />
      <DateRangeFilter fromLabel={t.components.createdFrom} />
      <OrderSelect />
      <CustomerFilter />
    </FilterBar>
  );
}

const getPlans = (data: ResultOf<typeof planNamesQuery>) => data.subscriptionPlans;

/** Filters by plan. Until the plans are loaded, the selected plan is shown by its ID. */
function PlanFilter() {
  const { data = [] } = useAllPages(planNamesQuery, getPlans);
  const selectedPlanId = useFilter().getFilter('plan');
  const plans = data.map(({ id, name }) => ({ value: id, label: name }));
  const isListed = selectedPlanId === null || plans.some(({ value }) => value === selectedPlanId);
  const choices = isListed ? plans : [...plans, { value: selectedPlanId, label: selectedPlanId }];
  return <FilterSelect name="plan" label={t.common.plan} choices={choices} {...searchableSelectProps} />;
}

const subscriptionsQuery = graphql(
  `
    query Subscriptions(
      $filter: SubscriptionFilter
      $first: Int
      $after: String
      $last: Int
      $before: String
      $reverse: Boolean
    ) {
      subscriptions(filter: $filter, first: $first, after: $after, last: $last, before: $before, reverse: $reverse) {
        totalCount
        nodes {
          ...SubscriptionRow
        }
        pageInfo {
          ...PageInfo
        }
      }
    }
  `,
  [subscriptionRowFields, pageInfoFields],
);
