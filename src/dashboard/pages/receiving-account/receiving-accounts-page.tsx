import { Button, Group } from '@mantine/core';
import { Link as RouterLink } from 'wouter';
import { CopyText } from '../../components/copy-text.tsx';
import { DataTable, type TableColumn } from '../../components/data-table.tsx';
import { DemoBadge } from '../../components/demo-badge.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { FilterBar, FilterSelect } from '../../components/filter-bar.tsx';
import { Link } from '../../components/link.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Paged } from '../../components/paged.tsx';
import { Section } from '../../components/section.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { useCursor } from '../../components/use-cursor.ts';
import { findChoice, toArray, toFilter, useFilter } from '../../components/use-filter.ts';
import type { VariablesOf } from '../../graphql/graphql.ts';
import { useCachedQuery } from '../../graphql/use-query-state.ts';
import { useMode } from '../../use-mode.ts';
import { useHasPermission } from '../../viewer.ts';
import { useMethodName } from '../payment-methods.ts';
import { type ReceivingAccountRow, receivingAccountsQuery } from './receiving-accounts-query.ts';

type ReceivingAccountsFilter = NonNullable<VariablesOf<typeof receivingAccountsQuery>['filter']>;

const statuses: { value: NonNullable<ReceivingAccountsFilter['statuses']>[number]; label: string }[] = [
  { value: 'active', label: 'Active' },
  { value: 'retired', label: 'Deactivated' },
];

export default function ReceivingAccountsPage() {
  const cursor = useCursor();
  const { mode } = useMode();
  const canManage = useHasPermission('manage');
  const status = findChoice(useFilter().getFilter('status'), statuses);
  const { filter, isFiltered } = toFilter<ReceivingAccountsFilter>({ statuses: toArray(status) });
  const query = useCachedQuery(receivingAccountsQuery, { filter, ...cursor.variables });
  const columns = useColumns();
  return (
    <>
      <PageHeader
        title="Receiving accounts"
        text={`The bank accounts and wallets that your customers pay to in ${mode} mode.`}
      >
        {canManage && (
          <Button component={RouterLink} href="/receiving-accounts/new">
            New account
          </Button>
        )}
      </PageHeader>
      <FilterBar>
        <FilterSelect name="status" label="Status" choices={statuses} />
      </FilterBar>
      <Section title={isFiltered ? 'Matching accounts' : 'All accounts'} isFlush>
        <Loaded query={query} lines={6}>
          {({ receivingAccounts }) => (
            <Paged
              page={receivingAccounts}
              cursor={cursor}
              empty={
                isFiltered ? (
                  <EmptyState title="No accounts found">Try a different status.</EmptyState>
                ) : (
                  <EmptyState title="No accounts yet">
                    Customers need an account to pay to.{' '}
                    {canManage ? 'Add the first one.' : 'Only owners can add accounts.'}
                  </EmptyState>
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

function useColumns(): TableColumn<ReceivingAccountRow>[] {
  const methodName = useMethodName();
  return [
    {
      title: 'Method',
      cell: ({ id, method, isDemo }) => (
        <Group gap="xs">
          <Link to={`/receiving-accounts/${id}`} fw={600}>
            {methodName(method)}
          </Link>
          {isDemo && <DemoBadge />}
        </Group>
      ),
    },
    { title: 'Status', cell: ({ status }) => <StatusBadge status={status} /> },
    { title: 'Account', cell: ({ account }) => <CopyText text={account} label="account" /> },
    { title: 'Currency', cell: ({ currency }) => currency },
    { title: 'Holder', cell: ({ accountName }) => accountName },
    { title: 'Bank', isEndAligned: true, cell: ({ bank }) => bank },
  ];
}
