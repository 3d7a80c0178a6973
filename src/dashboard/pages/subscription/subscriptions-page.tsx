import { type Column, DataTable } from '../../components/data-table.tsx';
import { Empty } from '../../components/empty.tsx';
import { emailFilterField, FilterBar, FilterChoice, FilterTexts } from '../../components/filter-bar.tsx';
import { Link } from '../../components/link.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { longChoice } from '../../components/long-choice.ts';
import { Moment } from '../../components/moment.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Paged } from '../../components/paged.tsx';
import { Quiet } from '../../components/quiet.tsx';
import { Section } from '../../components/section.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { pageInfoFields, useCursor } from '../../components/use-cursor.ts';
import { choiceOf, filterOf, onlyOne, useFilter } from '../../components/use-filter.ts';
import { payerText } from '../../format/payer.ts';
import { graphql, type ResultOf, type VariablesOf } from '../../graphql/graphql.ts';
import { useEvery } from '../../graphql/use-every.ts';
import { useLive } from '../../graphql/use-live.ts';
import { useRead } from '../../graphql/use-read.ts';
import { recurringText } from '../subscription-plan/plan-row.ts';
import { planNamesQuery } from '../subscription-plan/plans-query.ts';
import {
  lookOf,
  progressText,
  type SubscriptionRow,
  subscriptionRow,
  subscriptionsUpdated,
} from './subscription-row.ts';

/** All subscriptions, newest first. The page that is shown is read again whenever one changes. */
export default function SubscriptionsPage() {
  const cursor = useCursor();
  const { filter, isFiltered } = useSubscriptionFilter();
  const read = useRead(subscriptionsQuery, { filter, ...cursor.variables });
  useLive(subscriptionsUpdated, {}, read.refresh);
  return (
    <>
      <PageHeader title="Subscriptions" text="Customers on recurring plans." />
      <SubscriptionFilterBar />
      <Section title={isFiltered ? 'Matching subscriptions' : 'All subscriptions'} flush>
        <Loaded read={read} lines={8}>
          {({ subscriptions }) => (
            <Paged
              page={subscriptions}
              cursor={cursor}
              empty={
                <Empty title={isFiltered ? 'No subscriptions found' : 'No subscriptions yet'}>
                  {isFiltered ? (
                    'Try a different status or plan, or clear the email.'
                  ) : (
                    <>
                      Open a <Link to="/plans">plan</Link> and send its link to a customer.
                    </>
                  )}
                </Empty>
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

const columns: Column<SubscriptionRow>[] = [
  {
    title: 'Customer',
    cell: (subscription) => (
      <Link to={`/subscriptions/${subscription.id}`} fw={600}>
        {payerText(subscription)}
      </Link>
    ),
  },
  { title: 'Status', cell: (subscription) => <StatusBadge status={lookOf(subscription)} /> },
  {
    title: 'Plan',
    cell: ({ plan }) => (
      <Link to={`/plans/${plan.id}`} lineClamp={2}>
        {plan.name}
      </Link>
    ),
  },
  { title: 'Price', end: true, cell: ({ plan }) => recurringText(plan) },
  { title: 'Payments', end: true, cell: progressText },
  {
    title: 'Next payment',
    end: true,
    cell: ({ nextPayment }) => (
      <Quiet>{nextPayment === null ? 'None' : <Moment at={nextPayment} form="day" />}</Quiet>
    ),
  },
];

function SubscriptionTable({ subscriptions }: { subscriptions: readonly SubscriptionRow[] }) {
  return <DataTable label="Subscriptions" columns={columns} rows={subscriptions} />;
}

type Filter = NonNullable<VariablesOf<typeof subscriptionsQuery>['filter']>;
type Status = NonNullable<Filter['status']>[number];

const statuses: { value: Status; label: string }[] = [
  { value: 'active', label: 'Active' },
  { value: 'inactive', label: 'Awaiting payment' },
  { value: 'completed', label: 'Completed' },
  { value: 'cancelled', label: 'Cancelled' },
];

/** The filter in the page's address, as the API takes it. */
function useSubscriptionFilter(): { filter: Filter; isFiltered: boolean } {
  const { read } = useFilter();
  return filterOf<Filter>({
    status: onlyOne(choiceOf(read('status'), statuses)),
    subscriptionPlanId: read('plan'),
    customerEmail: read('email'),
  });
}

function SubscriptionFilterBar() {
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

/** One page of the list. */
const subscriptionsQuery = graphql(
  `
    query Subscriptions(
      $filter: SubscriptionFilter
      $first: Int
      $after: String
      $last: Int
      $before: String
    ) {
      subscriptions(filter: $filter, first: $first, after: $after, last: $last, before: $before) {
        nodes {
          ...SubscriptionRow
        }
        pageInfo {
          ...PageInfo
        }
      }
    }
  `,
  [subscriptionRow, pageInfoFields],
);
