import type { TableColumn } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { FilterBar, FilterSelect } from '../../components/filter-bar.tsx';
import { Link } from '../../components/link.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Paged } from '../../components/paged.tsx';
import { Section } from '../../components/section.tsx';
import { useCursor } from '../../components/use-cursor.ts';
import { findChoice, toArray, toFilter, useFilter } from '../../components/use-filter.ts';
import { formatPayer } from '../../format/payer.ts';
import type { VariablesOf } from '../../graphql/graphql.ts';
import { useLiveUpdates } from '../../graphql/use-live-updates.ts';
import { useCachedQuery } from '../../graphql/use-query-state.ts';
import { subscriptionsUpdated } from '../subscription/subscription-row.ts';
import { InvoiceTable } from './invoice-table.tsx';
import { invoicesQuery, type ListedInvoice } from './invoices-query.ts';

type InvoicesFilter = NonNullable<VariablesOf<typeof invoicesQuery>['filter']>;

const statuses: { value: NonNullable<InvoicesFilter['statuses']>[number]; label: string }[] = [
  { value: 'open', label: 'Open' },
  { value: 'paid', label: 'Paid' },
  { value: 'void', label: 'Void' },
];

const customerColumn: TableColumn<ListedInvoice> = {
  title: 'Customer',
  cell: ({ subscription }) => (
    <Link to={`/subscriptions/${subscription.id}`}>{formatPayer(subscription)}</Link>
  ),
};

/** Lists all invoices, newest first. Invoices have no live updates, so the list reloads when a subscription changes. */
export default function InvoicesPage() {
  const cursor = useCursor();
  const status = findChoice(useFilter().getFilter('status'), statuses);
  const { filter, isFiltered } = toFilter<InvoicesFilter>({ statuses: toArray(status) });
  const query = useCachedQuery(invoicesQuery, { filter, ...cursor.variables });
  useLiveUpdates(subscriptionsUpdated, {}, query.refresh);
  return (
    <>
      <PageHeader title="Invoices" text="Each invoice requests one payment of a subscription." />
      <FilterBar>
        <FilterSelect name="status" label="Status" choices={statuses} />
      </FilterBar>
      <Section title={isFiltered ? 'Matching invoices' : 'All invoices'} isFlush>
        <Loaded query={query} lines={8}>
          {({ invoices }) => (
            <Paged
              page={invoices}
              cursor={cursor}
              empty={
                <EmptyState title={isFiltered ? 'No invoices found' : 'No invoices yet'}>
                  {isFiltered
                    ? 'Try different filters.'
                    : 'Invoices are created automatically a few days before a payment is due.'}
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
