import { Button, Group } from '@mantine/core';
import { Link as Route } from 'wouter';
import { CopyText } from '../../components/copy-text.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { DemoBadge } from '../../components/demo-badge.tsx';
import { Empty } from '../../components/empty.tsx';
import { FilterBar, FilterChoice } from '../../components/filter-bar.tsx';
import { Link } from '../../components/link.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Paged } from '../../components/paged.tsx';
import { Section } from '../../components/section.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { useCursor } from '../../components/use-cursor.ts';
import { choiceOf, filterOf, useFilter } from '../../components/use-filter.ts';
import type { VariablesOf } from '../../graphql/graphql.ts';
import { useRead } from '../../graphql/use-read.ts';
import { useMode } from '../../use-mode.ts';
import { useMay } from '../../viewer.ts';
import { useMethodName } from '../payment-methods.ts';
import { type AccountRow, receivingAccountsQuery } from './receiving-accounts-query.ts';

type Filter = NonNullable<VariablesOf<typeof receivingAccountsQuery>['filter']>;

const statuses: { value: NonNullable<Filter['status']>; label: string }[] = [
  { value: 'active', label: 'Active' },
  { value: 'retired', label: 'Deactivated' },
];

/** Where the merchant's customers pay to. */
export default function ReceivingAccountsPage() {
  const cursor = useCursor();
  const { mode } = useMode();
  const mayManage = useMay('manage');
  const status = choiceOf(useFilter().read('status'), statuses);
  const { filter, isFiltered } = filterOf<Filter>({ status });
  const read = useRead(receivingAccountsQuery, { filter, ...cursor.variables });
  const columns = useColumns();
  return (
    <>
      <PageHeader
        title="Receiving accounts"
        text={`The bank accounts and wallets that your customers pay to in ${mode} mode.`}
      >
        {mayManage && (
          <Button component={Route} href="/receiving-accounts/new">
            New account
          </Button>
        )}
      </PageHeader>
      <FilterBar>
        <FilterChoice name="status" label="Status" choices={statuses} />
      </FilterBar>
      <Section title={isFiltered ? 'Matching accounts' : 'All accounts'} flush>
        <Loaded read={read} lines={6}>
          {({ receivingAccounts }) => (
            <Paged
              page={receivingAccounts}
              cursor={cursor}
              empty={
                isFiltered ? (
                  <Empty title="No accounts found">Try a different status.</Empty>
                ) : (
                  <Empty title="No accounts yet">
                    Customers need an account to pay to.{' '}
                    {mayManage ? 'Add the first one.' : 'Only owners can add accounts.'}
                  </Empty>
                )
              }
            >
              {(rows) => <DataTable label="Receiving accounts" columns={columns} rows={rows} />}
            </Paged>
          )}
        </Loaded>
      </Section>
    </>
  );
}

function useColumns(): Column<AccountRow>[] {
  const methodName = useMethodName();
  return [
    {
      title: 'Method',
      cell: ({ id, method, demo }) => (
        <Group gap="xs">
          <Link to={`/receiving-accounts/${id}`} fw={600}>
            {methodName(method)}
          </Link>
          {demo && <DemoBadge />}
        </Group>
      ),
    },
    { title: 'Status', cell: ({ status }) => <StatusBadge status={status} /> },
    { title: 'Account', cell: ({ account }) => <CopyText text={account} what="account" /> },
    { title: 'Currency', cell: ({ currency }) => currency },
    { title: 'Holder', cell: ({ holder }) => holder },
    { title: 'Bank', end: true, cell: ({ bank }) => bank },
  ];
}
