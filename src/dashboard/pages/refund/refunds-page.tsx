import { Button } from '@mantine/core';
import { DateRangeFilter, useDateRange } from '../../components/date-range-filter.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { FilterBar, FilterPicker, FilterSelect } from '../../components/filter-bar.tsx';
import { Link } from '../../components/link.tsx';
import { ListCount } from '../../components/list-count.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { OrderSelect, useOrder } from '../../components/order-select.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Paged } from '../../components/paged.tsx';
import { Section } from '../../components/section.tsx';
import { pageInfoFields, useCursor } from '../../components/use-cursor.ts';
import { findChoice, toArray, toFilter, useFilter } from '../../components/use-filter.ts';
import { graphql, type VariablesOf } from '../../graphql/graphql.ts';
import { useLiveUpdates } from '../../graphql/use-live-updates.ts';
import { useCachedQuery } from '../../graphql/use-query-state.ts';
import { fillNodes } from '../../language/fill-nodes.tsx';
import { t } from '../../language/texts.ts';
import { AmountFilter, useAmountRange } from '../amount-filter.tsx';
import { ChargePicker } from '../charge/charge-picker.tsx';
import { CurrencyFilter } from '../currency-filter.tsx';
import { CustomerFilter, useCustomerFilter } from '../customer/customer-filter.tsx';
import { ExportButton } from '../export/export-button.tsx';
import { ExportProgress } from '../export/export-progress.tsx';
import { useExport } from '../export/use-export.ts';
import { MethodFilter } from '../method-filter.tsx';
import { AccountFilter } from '../receiving-account/account-filter.tsx';
import { refundRowFields, refundsUpdated } from './refund-row.ts';
import { RefundTable } from './refund-table.tsx';

export default function RefundsPage() {
  const cursor = useCursor();
  const order = useOrder();
  const { filter, isFiltered } = useRefundFilter();
  const query = useCachedQuery(refundsQuery, { filter, ...order, ...cursor.variables });
  useLiveUpdates(refundsUpdated, {}, query.refresh);
  const exportJob = useExport();
  return (
    <>
      <PageHeader title={t.common.refunds} text={t.refund.moneyReturnedToCustomers}>
        <ExportButton exportJob={exportJob} input={{ kind: 'refunds', ...order, refundFilter: filter }} />
      </PageHeader>
      <ExportProgress {...exportJob} />
      <RefundFilterBar />
      <Section
        title={isFiltered ? t.refund.matchingRefunds : t.refund.allRefunds}
        aside={<ListCount count={query.data?.refunds.totalCount} noun={t.common.refundCount} />}
        isFlush
      >
        <Loaded query={query} lines={8}>
          {({ refunds }) => (
            <Paged
              page={refunds}
              cursor={cursor}
              empty={
                <EmptyState title={isFiltered ? t.refund.noRefundsFound : t.refund.noRefundsYet}>
                  {isFiltered
                    ? t.common.tryDifferentFilters
                    : fillNodes(t.refund.openACompletedTo, {
                        link: <Link to="/charges?status=completed">{t.refund.charge}</Link>,
                      })}
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
  { value: 'initiated', label: t.refund.awaitingDetails },
  { value: 'processing', label: t.common.readyToPay },
  { value: 'completed', label: t.common.completed },
  { value: 'cancelled', label: t.common.cancelled },
];

function useRefundFilter(): { filter: RefundsFilter; isFiltered: boolean } {
  const { getFilter } = useFilter();
  const { from, to } = useDateRange();
  const customerAmount = useAmountRange();
  const customer = useCustomerFilter();
  return toFilter<RefundsFilter>({
    createdFrom: from,
    createdTo: to,
    customerCurrency: customerAmount ? null : getFilter('currency'),
    customerAmount,
    method: getFilter('method') as NonNullable<RefundsFilter['method']> | null,
    receivingAccountId: getFilter('account'),
    statuses: toArray(findChoice(getFilter('status'), statuses)),
    chargeId: getFilter('charge'),
    ...customer,
  });
}

function RefundFilterBar() {
  return (
    <FilterBar>
      <FilterSelect name="status" label={t.common.status} choices={statuses} />
      <MethodFilter />
      <AccountFilter />
      <CurrencyFilter />
      <DateRangeFilter fromLabel={t.components.createdFrom} />
      <AmountFilter fromLabel={t.common.amountFrom} />
      <FilterPicker>
        <ChargeFilter />
      </FilterPicker>
      <OrderSelect />
      <CustomerFilter />
    </FilterBar>
  );
}

function ChargeFilter() {
  const { getFilter, setFilters } = useFilter();
  if (getFilter('charge') === null)
    return (
      <ChargePicker
        name="charge"
        label={t.common.charge}
        onChange={(charge) => charge && setFilters({ charge: charge.id })}
      />
    );
  return (
    <Button variant="default" onClick={() => setFilters({ charge: null })}>
      {t.refund.showAllCharges}
    </Button>
  );
}

const refundsQuery = graphql(
  `
    query Refunds(
      $filter: RefundFilter
      $first: Int
      $after: String
      $last: Int
      $before: String
      $reverse: Boolean
    ) {
      refunds(filter: $filter, first: $first, after: $after, last: $last, before: $before, reverse: $reverse) {
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
