import { Group } from '@mantine/core';
import { createdColumn } from '../../components/columns.tsx';
import { DataTable, type TableColumn } from '../../components/data-table.tsx';
import { EmailAddress } from '../../components/email-address.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { FilterBar, FilterSearchForm } from '../../components/filter-bar.tsx';
import { Link } from '../../components/link.tsx';
import { ListCount } from '../../components/list-count.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Muted } from '../../components/muted.tsx';
import { OrderSelect, useOrder } from '../../components/order-select.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Paged } from '../../components/paged.tsx';
import { Section } from '../../components/section.tsx';
import { useCursor } from '../../components/use-cursor.ts';
import { useFilter } from '../../components/use-filter.ts';
import { formatPayer } from '../../format/payer.ts';
import { useCachedQuery } from '../../graphql/use-query-state.ts';
import { t } from '../../language/texts.ts';
import { ExportButton } from '../export/export-button.tsx';
import { ExportProgress } from '../export/export-progress.tsx';
import { useExport } from '../export/use-export.ts';
import { type CustomerRow, customerSearchQuery, customersQuery } from './customer-query.ts';

export default function CustomersPage() {
  const { getFilter } = useFilter();
  const text = getFilter('q');
  return (
    <>
      <PageHeader title={t.common.customers} text={t.customer.thePeopleWhoPaid} />
      <FilterBar>
        <FilterSearchForm
          fields={[
            {
              name: 'q',
              label: t.common.search,
              placeholder: t.customer.nameEmailOrPhone,
              type: 'search',
              maxLength: 200,
            },
          ]}
        />
        {text === null && <OrderSelect />}
      </FilterBar>
      {text === null ? <AllCustomers /> : <FoundCustomers text={text} />}
    </>
  );
}

function AllCustomers() {
  const cursor = useCursor();
  const order = useOrder();
  const query = useCachedQuery(customersQuery, { ...order, ...cursor.variables });
  const exportJob = useExport();
  return (
    <>
      <ExportProgress {...exportJob} />
      <Section
        title={t.customer.allCustomers}
        isFlush
        aside={
          <Group gap="sm">
            <ListCount count={query.data?.customers.totalCount} noun={t.common.customerCount} />
            <ExportButton
              exportJob={exportJob}
              input={{ kind: 'customers', customerFilter: { isIdentified: true }, ...order }}
            />
          </Group>
        }
      >
        <Loaded query={query} lines={8}>
          {({ customers }) => (
            <Paged
              page={customers}
              cursor={cursor}
              empty={<EmptyState title={t.customer.noCustomersYet}>{t.customer.aCustomerIsAdded}</EmptyState>}
            >
              {(rows) => <CustomerTable customers={rows} />}
            </Paged>
          )}
        </Loaded>
      </Section>
    </>
  );
}

function FoundCustomers({ text }: { text: string }) {
  const query = useCachedQuery(customerSearchQuery, { text });
  return (
    <Section title={t.customer.matchingCustomers} isFlush>
      <Loaded query={query} lines={8}>
        {({ search }) =>
          search && search.customers.length > 0 ? (
            <CustomerTable customers={search.customers} />
          ) : (
            <EmptyState title={t.customer.noCustomersFound}>{t.customer.tryTheBeginningOf}</EmptyState>
          )
        }
      </Loaded>
    </Section>
  );
}

function CustomerTable({ customers }: { customers: readonly CustomerRow[] }) {
  const columns: TableColumn<CustomerRow>[] = [
    {
      title: t.common.customer,
      cell: (customer) => (
        <Link to={`/customers/${customer.id}`} fw={600}>
          {formatPayer(customer)}
        </Link>
      ),
    },
    {
      title: t.common.email,
      cell: ({ email }) => <Muted>{email && <EmailAddress>{email}</EmailAddress>}</Muted>,
    },
    { title: t.common.phone, cell: ({ phone }) => <Muted>{phone}</Muted> },
    { title: t.common.note, cell: ({ note }) => <Muted>{note && shorten(note)}</Muted> },
    createdColumn(),
  ];
  return <DataTable label={t.common.customers} columns={columns} rows={customers} />;
}

const shorten = (note: string) => (note.length > 60 ? `${note.slice(0, 60)}…` : note);
