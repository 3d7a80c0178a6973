import { Button } from '@mantine/core';
import { DateRangeFilter, useDateRange } from '../../components/date-range-filter.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { emailFilterField, FilterBar, FilterSearchForm, FilterSelect } from '../../components/filter-bar.tsx';
import { Link } from '../../components/link.tsx';
import { ListCount } from '../../components/list-count.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Paged } from '../../components/paged.tsx';
import { Section } from '../../components/section.tsx';
import { pageInfoFields, useCursor } from '../../components/use-cursor.ts';
import { findChoice, toArray, toFilter, useFilter } from '../../components/use-filter.ts';
import { graphql, type VariablesOf } from '../../graphql/graphql.ts';
import { useLiveUpdates } from '../../graphql/use-live-updates.ts';
import { useCachedQuery } from '../../graphql/use-query-state.ts';
import { ChargePicker } from '../charge/charge-picker.tsx';
import { CurrencyFilter } from '../currency-filter.tsx';
import { ExportButton } from '../export/export-button.tsx';
import { ExportProgress } from '../export/export-progress.tsx';
import { useExport } from '../export/use-export.ts';
import { refundRowFields, refundsUpdated } from './refund-row.ts';
import { RefundTable } from './refund-table.tsx';

/** Lists all refunds, newest first. The current page reloads when a refund changes. */
export default function RefundsPage() {
  const cursor = useCursor();
  const { filter, isFiltered } = useRefundFilter();
  const query = useCachedQuery(refundsQuery, { filter, ...cursor.variables });
  useLiveUpdates(refundsUpdated, {}, query.refresh);
  const exportJob = useExport();
  return (
    <>
      <PageHeader title="Refunds" text="Money returned to customers.">
        <ExportButton exportJob={exportJob} input={{ kind: 'refunds', refundFilter: filter }} />
      </PageHeader>
      <ExportProgress {...exportJob} />
      <RefundFilterBar />
      <Section
        title={isFiltered ? 'Matching refunds' : 'All refunds'}
        aside={<ListCount count={query.data?.refunds.totalCount} noun="refund" />}
        isFlush
      >
        <Loaded query={query} lines={8}>
          {({ refunds }) => (
            <Paged
              page={refunds}
              cursor={cursor}
              empty={
                <EmptyState title={isFiltered ? 'No refunds found' : 'No refunds yet'}>
                  {isFiltered ? (
                    'Try different filters.'
                  ) : (
                    <>
                      Open a completed <Link to="/charges?status=completed">charge</Link> to create a refund.
                    </>
                  )}
                </EmptyState>
              }
            >
              {(rows) => <RefundTable refunds={rows} />}
            </Paged>
          )}
        </Loaded>
      </Section>
    </>
  );
}

type RefundsFilter = NonNullable<VariablesOf<typeof refundsQuery>['filter']>;
type RefundStatusOption = NonNullable<RefundsFilter['statuses']>[number];

const statuses: { value: RefundStatusOption; label: string }[] = [
  { value: 'initiated', label: 'Awaiting details' },
  { value: 'processing', label: 'Ready to pay' },
  { value: 'completed', label: 'Completed' },
  { value: 'cancelled', label: 'Cancelled' },
];

function useRefundFilter(): { filter: RefundsFilter; isFiltered: boolean } {
  const { getFilter } = useFilter();
  const { from, to } = useDateRange();
  return toFilter<RefundsFilter>({
    createdFrom: from,
    createdTo: to,
    customerCurrency: getFilter('currency'),
    statuses: toArray(findChoice(getFilter('status'), statuses)),
    chargeId: getFilter('charge'),
    customerEmail: getFilter('email'),
  });
}

function RefundFilterBar() {
  return (
    <FilterBar>
      <FilterSelect name="status" label="Status" choices={statuses} />
      <CurrencyFilter />
      <DateRangeFilter label="Created" />
      <ChargeFilter />
      <FilterSearchForm fields={[emailFilterField]} />
    </FilterBar>
  );
}

/** Finds the charge by typing, or removes the filter. */
function ChargeFilter() {
  const { getFilter, setFilters } = useFilter();
  if (getFilter('charge') === null)
    return <ChargePicker name="charge" label="Charge" onChoose={({ id }) => setFilters({ charge: id })} />;
  return (
    <Button variant="default" onClick={() => setFilters({ charge: null })}>
      Show all charges
    </Button>
  );
}

const refundsQuery = graphql(
  `
    query Refunds($filter: RefundFilter, $first: Int, $after: String, $last: Int, $before: String) {
      refunds(filter: $filter, first: $first, after: $after, last: $last, before: $before) {
        totalCount
        nodes {
          ...RefundRow
        }
        pageInfo {
          ...PageInfo
        }
      }
    }
  `,
  [refundRowFields, pageInfoFields],
);
