import type { Column } from '../../components/data-table.tsx';
import { Empty } from '../../components/empty.tsx';
import { FilterBar, FilterChoice } from '../../components/filter-bar.tsx';
import { Link } from '../../components/link.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Paged } from '../../components/paged.tsx';
import { Section } from '../../components/section.tsx';
import { useCursor } from '../../components/use-cursor.ts';
import { choiceOf, filterOf, useFilter } from '../../components/use-filter.ts';
import { payerText } from '../../format/payer.ts';
import type { VariablesOf } from '../../graphql/graphql.ts';
import { useLive } from '../../graphql/use-live.ts';
import { useRead } from '../../graphql/use-read.ts';
import { subscriptionsUpdated } from '../subscription/subscription-row.ts';
import { InvoiceTable } from './invoice-table.tsx';
import { invoicesQuery, type ListedInvoice } from './invoices-query.ts';

type Filter = NonNullable<VariablesOf<typeof invoicesQuery>['filter']>;

const statuses: { value: NonNullable<Filter['status']>; label: string }[] = [
  { value: 'open', label: 'Open' },
  { value: 'paid', label: 'Paid' },
  { value: 'void', label: 'Void' },
];

const customer: Column<ListedInvoice> = {
  title: 'Customer',
  cell: ({ subscription }) => <Link to={`/subscriptions/${subscription.id}`}>{payerText(subscription)}</Link>,
};

/** All invoices, newest first. They change when their subscription does. */
export default function InvoicesPage() {
  const cursor = useCursor();
  const status = choiceOf(useFilter().read('status'), statuses);
  const { filter, isFiltered } = filterOf<Filter>({ status });
  const read = useRead(invoicesQuery, { filter, ...cursor.variables });
  useLive(subscriptionsUpdated, {}, read.refresh);
  return (
    <>
      <PageHeader title="Invoices" text="Each invoice requests one payment of a subscription." />
      <FilterBar>
        <FilterChoice name="status" label="Status" choices={statuses} />
      </FilterBar>
      <Section title={isFiltered ? 'Matching invoices' : 'All invoices'} flush>
        <Loaded read={read} lines={8}>
          {({ invoices }) => (
            <Paged
              page={invoices}
              cursor={cursor}
              empty={
                <Empty title={isFiltered ? 'No invoices found' : 'No invoices yet'}>
                  {isFiltered
                    ? 'Try different filters.'
                    : 'Invoices are created automatically some days before a payment is due.'}
                </Empty>
              }
            >
              {(rows) => <InvoiceTable invoices={rows} more={[customer]} />}
            </Paged>
          )}
        </Loaded>
      </Section>
    </>
  );
}
