import { Button, Stack } from '@mantine/core';
import { Link as RouterLink } from 'wouter';
import { DataTable, type TableColumn } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Link } from '../../components/link.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Moment } from '../../components/moment.tsx';
import { Muted } from '../../components/muted.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Paged } from '../../components/paged.tsx';
import { Section } from '../../components/section.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { useCursor } from '../../components/use-cursor.ts';
import { WholeWords } from '../../components/whole-words.tsx';
import { isInProgress } from '../../format/is-in-progress.ts';
import { formatActorName } from '../../format/labels.ts';
import { useInterval } from '../../graphql/use-interval.ts';
import { useCachedQuery } from '../../graphql/use-query-state.ts';
import { useHasPermission } from '../../viewer.ts';
import { useMethodName } from '../payment-methods.ts';
import { formatResults, formatStatementError, getFormatName } from './format-statement.ts';
import { importRefreshMs, type StatementRow, statementsQuery } from './statements-query.ts';

export default function StatementsPage() {
  const cursor = useCursor();
  const canImport = useHasPermission('transfers');
  const query = useCachedQuery(statementsQuery, cursor.variables);
  useInterval(query.data?.statements.nodes.some(isInProgress) ? importRefreshMs : null, query.refresh);
  const columns = useColumns();
  return (
    <>
      <PageHeader title="Statements" text="Import bank statements to match payments.">
        {canImport && (
          <Button component={RouterLink} href="/statements/new">
            Import statement
          </Button>
        )}
      </PageHeader>
      <Section title="Imported files" isFlush>
        <Loaded query={query} lines={8}>
          {({ statements }) => (
            <Paged
              page={statements}
              cursor={cursor}
              empty={
                <EmptyState title="No statements yet">
                  Import a camt.053, camt.054, MT940, CSV or Excel file from your bank. Its entries are
                  matched to your charges. You can import a file, or parts of it, again; nothing is counted
                  twice.
                </EmptyState>
              }
            >
              {(rows) => <DataTable label="Statements" columns={columns} rows={rows} />}
            </Paged>
          )}
        </Loaded>
      </Section>
    </>
  );
}

function useColumns(): TableColumn<StatementRow>[] {
  const methodName = useMethodName();
  return [
    {
      title: 'File',
      cell: ({ id, fileName, format }) => (
        <Stack gap={0} miw="9rem" align="flex-start">
          <Link to={`/statements/${id}`} fw={600}>
            {fileName}
          </Link>
          <Muted>{getFormatName(format)}</Muted>
        </Stack>
      ),
    },
    { title: 'Status', cell: ({ status }) => <StatusBadge status={`statement_${status}`} /> },
    {
      title: 'Account',
      cell: ({ receivingAccount: { method, account } }) => (
        <Muted>
          <WholeWords>
            {methodName(method)} {account}
          </WholeWords>
        </Muted>
      ),
    },
    {
      title: 'Result',
      cell: (statement) => <Muted>{formatOutcome(statement)}</Muted>,
    },
    {
      title: 'Imported',
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
  if (statement.status === 'awaiting_confirmation') return 'Control figures do not add up';
  if (statement.status === 'undoing') return 'Being undone';
  if (statement.status === 'undone') return 'No longer counted';
  if (isInProgress(statement)) return `${Math.floor(statement.progress * 100)} %`;
  return formatResults(statement);
}
