import { Button, Stack } from '@mantine/core';
import { Link as RouterLink } from 'wouter';
import { DataTable, type TableColumn } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { FilterBar, FilterSelect } from '../../components/filter-bar.tsx';
import { Link } from '../../components/link.tsx';
import { ListCount } from '../../components/list-count.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Moment } from '../../components/moment.tsx';
import { Muted } from '../../components/muted.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Paged } from '../../components/paged.tsx';
import { Section } from '../../components/section.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { useCursor } from '../../components/use-cursor.ts';
import { findChoice, toArray, toFilter, useFilter } from '../../components/use-filter.ts';
import { WholeWords } from '../../components/whole-words.tsx';
import { isInProgress } from '../../format/is-in-progress.ts';
import { formatActorName, formatMethod } from '../../format/labels.ts';
import type { VariablesOf } from '../../graphql/graphql.ts';
import { useInterval } from '../../graphql/use-interval.ts';
import { useCachedQuery } from '../../graphql/use-query-state.ts';
import { t } from '../../language/texts.ts';
import { useHasPermission } from '../../viewer.ts';
import { AccountFilter } from '../receiving-account/account-filter.tsx';
import { formatResults, formatStatementError, getFormatName } from './format-statement.ts';
import { importRefreshMs, type StatementRow, statementsQuery } from './statements-query.ts';

export default function StatementsPage() {
  const cursor = useCursor();
  const canImport = useHasPermission('transfers');
  const { filter, isFiltered } = useStatementFilter();
  const query = useCachedQuery(statementsQuery, { filter, ...cursor.variables });
  useInterval(query.data?.statements.nodes.some(isInProgress) ? importRefreshMs : null, query.refresh);
  const columns = useColumns();
  return (
    <>
      <PageHeader title={t.common.statements} text={t.statement.importBankStatementsTo}>
        {canImport && (
          <Button component={RouterLink} href="/statements/new">
            {t.statement.importStatement}
          </Button>
        )}
      </PageHeader>
      <FilterBar>
        <FilterSelect name="status" label={t.common.status} choices={statuses} />
        <AccountFilter />
      </FilterBar>
      <Section
        title={t.statement.importedFiles}
        aside={<ListCount count={query.data?.statements.totalCount} noun={t.statement.statementCount} />}
        isFlush
      >
        <Loaded query={query} lines={8}>
          {({ statements }) => (
            <Paged
              page={statements}
              cursor={cursor}
              empty={
                <EmptyState title={isFiltered ? t.statement.noStatementsFound : t.statement.noStatementsYet}>
                  {isFiltered ? t.common.tryDifferentFilters : t.statement.importACamt053}
                </EmptyState>
              }
            >
              {(rows) => <DataTable label={t.common.statements} columns={columns} rows={rows} />}
            </Paged>
          )}
        </Loaded>
      </Section>
    </>
  );
}

type StatementsFilter = NonNullable<VariablesOf<typeof statementsQuery>['filter']>;
type StatementStatusOption = NonNullable<StatementsFilter['statuses']>[number];

const statuses: { value: StatementStatusOption; label: string }[] = [
  { value: 'awaiting_confirmation', label: t.components.needsConfirmation },
  { value: 'completed', label: t.components.imported },
  { value: 'failed', label: t.common.failed },
  { value: 'cancelled', label: t.common.cancelled },
  { value: 'undone', label: t.common.undone },
];

function useStatementFilter(): { filter: StatementsFilter; isFiltered: boolean } {
  const { getFilter } = useFilter();
  return toFilter<StatementsFilter>({
    statuses: toArray(findChoice(getFilter('status'), statuses)),
    receivingAccountId: getFilter('account'),
  });
}

function useColumns(): TableColumn<StatementRow>[] {
  return [
    {
      title: t.common.file,
      cell: ({ id, fileName, format }) => (
        <Stack gap={0} miw="9rem" align="flex-start">
          <Link to={`/statements/${id}`} fw={600}>
            {fileName}
          </Link>
          <Muted>{getFormatName(format)}</Muted>
        </Stack>
      ),
    },
    { title: t.common.status, cell: ({ status }) => <StatusBadge status={`statement_${status}`} /> },
    {
      title: t.common.account,
      cell: ({ receivingAccount: { method, account } }) => (
        <Muted>
          <WholeWords>
            {formatMethod(method)} {account}
          </WholeWords>
        </Muted>
      ),
    },
    {
      title: t.statement.result,
      cell: (statement) => <Muted>{formatOutcome(statement)}</Muted>,
    },
    {
      title: t.statement.imported,
      isEndAligned: true,
      cell: ({ createdAt, importedBy }) => (
        <Muted>
          <Moment at={createdAt} />
          <br />
          <WholeWords>{formatActorName(importedBy)}</WholeWords>
        </Muted>
      ),
    },
  ];
}

function formatOutcome(statement: StatementRow): string {
  if (statement.error) return formatStatementError(statement.error);
  if (statement.status === 'awaiting_confirmation') return t.statement.controlFiguresDoNot;
  if (statement.status === 'undoing') return t.statement.beingUndone;
  if (statement.status === 'undone') return t.statement.noLongerCounted;
  if (isInProgress(statement)) return `${Math.floor(statement.progress * 100)} %`;
  return formatResults(statement);
}
