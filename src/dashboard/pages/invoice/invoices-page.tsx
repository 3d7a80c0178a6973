import { payerText } from '../../format/payer.ts';
import type { VariablesOf } from '../../graphql/graphql.ts';
import { useLive } from '../../graphql/use-live.ts';
import { useRead } from '../../graphql/use-read.ts';
import type { Column } from '../../parts/data-table.tsx';
import { Empty } from '../../parts/empty.tsx';
import { FilterBar, FilterChoice } from '../../parts/filter-bar.tsx';
import { Link } from '../../parts/link.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { Paged } from '../../parts/paged.tsx';
import { Section } from '../../parts/section.tsx';
import { useCursor } from '../../parts/use-cursor.ts';
import { choiceOf, filterOf, useFilter } from '../../parts/use-filter.ts';
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
      <PageHeader title="Invoices" text="Each asks for one payment of a subscription." />
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
                <Empty title={isFiltered ? 'No invoice matches' : 'No invoices yet'}>
                  {isFiltered
                    ? 'Choose another status.'
                    : 'They are made by themselves, some days before a payment is due.'}
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
