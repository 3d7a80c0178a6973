import { Button, Group, Text } from '@mantine/core';
import { Link as RouterLink } from 'wouter';
import { fillText } from '../../../language/fill-text.ts';
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
import { formatMethod } from '../../format/labels.ts';
import type { VariablesOf } from '../../graphql/graphql.ts';
import { useCachedQuery } from '../../graphql/use-query-state.ts';
import { t } from '../../language/texts.ts';
import { useMode } from '../../use-mode.ts';
import { useHasPermission } from '../../viewer.ts';
import { MissingRatesAlert } from '../missing-rates.tsx';
import { DemoAccountsAlert } from './demo-accounts-alert.tsx';
import { type ReceivingAccountRow, receivingAccountsQuery } from './receiving-accounts-query.ts';

type ReceivingAccountsFilter = NonNullable<VariablesOf<typeof receivingAccountsQuery>['filter']>;

const statuses: { value: NonNullable<ReceivingAccountsFilter['statuses']>[number]; label: string }[] = [
  { value: 'active', label: t.common.active },
  { value: 'retired', label: t.common.deactivated },
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
        title={t.common.receivingAccounts}
        text={mode === 'live' ? t.receivingAccount.liveAccountsHint : t.receivingAccount.sandboxAccountsHint}
      >
        {canManage && (
          <Button component={RouterLink} href="/receiving-accounts/new">
            {t.receivingAccount.newAccount}
          </Button>
        )}
      </PageHeader>
      <DemoAccountsAlert onChanged={query.refresh} />
      <MissingRatesAlert />
      <FilterBar>
        <FilterSelect name="status" label={t.common.status} choices={statuses} />
      </FilterBar>
      <Section
        title={isFiltered ? t.receivingAccount.matchingAccounts : t.receivingAccount.allAccounts}
        isFlush
      >
        <Loaded query={query} lines={6}>
          {({ receivingAccounts }) => (
            <Paged
              page={receivingAccounts}
              cursor={cursor}
              empty={
                isFiltered ? (
                  <EmptyState title={t.receivingAccount.noAccountsFound}>
                    {t.receivingAccount.tryADifferentStatus}
                  </EmptyState>
                ) : (
                  <EmptyState title={t.receivingAccount.noAccountsYet}>
                    {fillText(t.receivingAccount.customersNeedAnAccount, {
                      nextStep: canManage ? t.receivingAccount.addTheFirstOne : t.receivingAccount.askAnOwner,
                    })}
                  </EmptyState>
                )
              }
            >
              {(rows) => <DataTable label={t.common.receivingAccounts} columns={columns} rows={rows} />}
            </Paged>
          )}
        </Loaded>
      </Section>
    </>
  );
}

function useColumns(): TableColumn<ReceivingAccountRow>[] {
  return [
    {
      title: t.common.method,
      cell: ({ id, method, isDemo }) => (
        <Group gap="xs">
          <Link to={`/receiving-accounts/${id}`} fw={600}>
            {formatMethod(method)}
          </Link>
          {isDemo && <DemoBadge />}
        </Group>
      ),
    },
    { title: t.common.status, cell: ({ status }) => <StatusBadge status={status} /> },
    {
      title: t.common.account,
      cell: ({ account, sameBankAccounts }) => (
        <>
          <CopyText text={account} label={t.components.copyAccount} />
          {sameBankAccounts.map((other) => (
            <Text key={other.id} size="xs" c="var(--causeway-muted)">
              {fillText(t.receivingAccount.sameBankAccountAsThe, {
                account: `${formatMethod(other.method)} ${other.account}`,
              })}
            </Text>
          ))}
        </>
      ),
    },
    { title: t.common.currency, cell: ({ currency }) => currency },
    { title: t.receivingAccount.holder, cell: ({ accountName }) => accountName },
    { title: t.common.bank, cell: ({ bank }) => bank },
  ];
}
