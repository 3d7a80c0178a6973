import { useQuery } from 'urql';
import type { VariablesOf } from '../../graphql/graphql.ts';
import { useLive } from '../../graphql/use-live.ts';
import type { Column } from '../../parts/data-table.tsx';
import { Empty } from '../../parts/empty.tsx';
import { FilterBar, FilterChoice } from '../../parts/filter-bar.tsx';
import { Link } from '../../parts/link.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { Pager } from '../../parts/pager.tsx';
import { Section } from '../../parts/section.tsx';
import { useCursor } from '../../parts/use-cursor.ts';
import { choiceOf, useFilter } from '../../parts/use-filter.ts';
import { payerText } from '../charge/charge-row.ts';
import { subscriptionsUpdated } from '../subscription/subscription-row.ts';
import { InvoiceTable } from './invoice-table.tsx';
import { invoicesQuery, type ListedInvoice } from './invoices-query.ts';

type Status = NonNullable<NonNullable<VariablesOf<typeof invoicesQuery>['filter']>['status']>;

const statuses: { value: Status; label: string }[] = [
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
  const variables = { filter: status ? { status } : {}, ...cursor.variables };
  const [{ data, error }, reload] = useQuery({ query: invoicesQuery, variables });
  const refresh = () => reload({ requestPolicy: 'network-only' });
  useLive(subscriptionsUpdated, {}, refresh);
  return (
    <>
      <PageHeader title="Invoices" text="Each asks for one payment of a subscription." />
      <FilterBar>
        <FilterChoice name="status" label="Status" choices={statuses} />
      </FilterBar>
      <Section title={status ? 'Matching invoices' : 'All invoices'} flush>
        <Loaded data={data} error={error} onRetry={refresh} lines={8}>
          {({ invoices: { nodes, pageInfo } }) => (
            <>
              {nodes.length > 0 && <InvoiceTable invoices={nodes} more={[customer]} />}
              {nodes.length === 0 && (
                <Empty title={status ? 'No invoice matches' : 'No invoices yet'}>
                  {status
                    ? 'Choose another status.'
                    : 'They are made by themselves, some days before a payment is due.'}
                </Empty>
              )}
              <Pager cursor={cursor} pageInfo={pageInfo} />
            </>
          )}
        </Loaded>
      </Section>
    </>
  );
}
