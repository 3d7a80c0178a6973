import type { TableColumn } from '../../components/data-table.tsx';
import { DateRangeFilter, useDateRange } from '../../components/date-range-filter.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { FilterBar, FilterSelect } from '../../components/filter-bar.tsx';
import { Link } from '../../components/link.tsx';
import { ListCount } from '../../components/list-count.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { OrderSelect, useOrder } from '../../components/order-select.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Paged } from '../../components/paged.tsx';
import { Section } from '../../components/section.tsx';
import { useCursor } from '../../components/use-cursor.ts';
import { findChoice, toArray, toFilter, useFilter } from '../../components/use-filter.ts';
import { formatPayer } from '../../format/payer.ts';
import type { VariablesOf } from '../../graphql/graphql.ts';
import { useLiveUpdates } from '../../graphql/use-live-updates.ts';
import { useCachedQuery } from '../../graphql/use-query-state.ts';
import { t } from '../../language/texts.ts';
import { CurrencyFilter } from '../currency-filter.tsx';
import { subscriptionsUpdated } from '../subscription/subscription-row.ts';
import { TestClockHint } from '../test-clock/test-clock-hint.tsx';
import { InvoiceTable } from './invoice-table.tsx';
import { invoicesQuery, type ListedInvoice } from './invoices-query.ts';

type InvoicesFilter = NonNullable<VariablesOf<typeof invoicesQuery>['filter']>;

const statuses: { value: NonNullable<InvoicesFilter['statuses']>[number]; label: string }[] = [
  { value: 'open', label: t.common.invoiceOpen },
  { value: 'paid', label: t.common.paid },
  { value: 'void', label: t.invoice.void },
];
const choices = [...statuses, { value: 'overdue', label: t.common.overdue }];

function useInvoiceFilter(): { filter: InvoicesFilter; isFiltered: boolean } {
  const { getFilter } = useFilter();
  const { from, to } = useDateRange();
  return toFilter<InvoicesFilter>({
    createdFrom: from,
    createdTo: to,
    currency: getFilter('currency'),
    isOverdue: getFilter('status') === 'overdue' || null,
    statuses: toArray(findChoice(getFilter('status'), statuses)),
  });
}

const customerColumn: TableColumn<ListedInvoice> = {
  title: t.common.customer,
  cell: ({ subscription }) => (
    <Link to={`/subscriptions/${subscription.id}`}>{formatPayer(subscription)}</Link>
  ),
};

/** Invoices have no live updates, so the list reloads when a subscription changes. */
export default function InvoicesPage() {
  const cursor = useCursor();
  const order = useOrder();
  const { filter, isFiltered } = useInvoiceFilter();
  const query = useCachedQuery(invoicesQuery, { filter, ...order, ...cursor.variables });
  useLiveUpdates(subscriptionsUpdated, {}, query.refresh);
  return (
    <>
      <PageHeader title={t.common.invoices} text={t.invoice.eachInvoiceRequestsOne} />
      <FilterBar>
        <FilterSelect name="status" label={t.common.status} choices={choices} />
        <CurrencyFilter />
        <DateRangeFilter fromLabel={t.components.createdFrom} />
        <OrderSelect />
      </FilterBar>
      <Section
        title={isFiltered ? t.invoice.matchingInvoices : t.invoice.allInvoices}
        aside={<ListCount count={query.data?.invoices.totalCount} noun={t.invoice.invoiceCount} />}
        isFlush
      >
        <Loaded query={query} lines={8}>
          {({ invoices }) => (
            <Paged
              page={invoices}
              cursor={cursor}
              empty={
                <EmptyState title={isFiltered ? t.invoice.noInvoicesFound : t.invoice.noInvoicesYet}>
                  {isFiltered ? (
                    t.common.tryDifferentFilters
                  ) : (
                    <>
                      {t.invoice.invoicesAreCreatedAutomatically}
                      <TestClockHint />
                    </>
                  )}
                </EmptyState>
              }
            >
              {(rows) => <InvoiceTable invoices={rows} extraColumns={[customerColumn]} />}
            </Paged>
          )}
        </Loaded>
      </Section>
    </>
  );
}
