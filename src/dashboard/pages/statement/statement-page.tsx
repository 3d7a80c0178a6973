import { Alert, Button, Grid, Progress, Stack, Text } from '@mantine/core';
import { useHistoryState } from 'wouter/use-browser-location';
import { BackLink } from '../../components/back-link.tsx';
import { CopyText } from '../../components/copy-text.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Facts } from '../../components/facts.tsx';
import { Link } from '../../components/link.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Moment } from '../../components/moment.tsx';
import { ObjectNotFound } from '../../components/object-not-found.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Paged } from '../../components/paged.tsx';
import { Section } from '../../components/section.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { type Cursor, pageInfoFields, useCursor } from '../../components/use-cursor.ts';
import { formatCount, pluralize } from '../../format/count.ts';
import { isInProgress } from '../../format/is-in-progress.ts';
import { formatActorName } from '../../format/labels.ts';
import { formatSize } from '../../format/size.ts';
import { graphql, type ResultOf } from '../../graphql/graphql.ts';
import { toSameOriginPath } from '../../graphql/to-same-origin-path.ts';
import { useInterval } from '../../graphql/use-interval.ts';
import { useCachedQuery } from '../../graphql/use-query-state.ts';
import { useHasPermission } from '../../viewer.ts';
import { useMethodName } from '../payment-methods.ts';
import { transferRowFields } from '../transfer/transfer-row.ts';
import { TransferTable } from '../transfer/transfer-table.tsx';
import { formatResults, formatStatementError, getFormatName } from './format-statement.ts';
import { StatementActions } from './statement-actions.tsx';
import { importRefreshMs, statementRowFields } from './statements-query.ts';
import type { StatementPageState } from './use-statement-import.ts';

/** Shows the import of a statement file: progress, results and transfers that need review. */
export default function StatementPage({ id }: { id: string }) {
  const cursor = useCursor();
  const query = useCachedQuery(statementQuery, { id, ...cursor.variables });
  const { statement: loadedStatement } = query.data ?? {};
  useInterval(loadedStatement && isInProgress(loadedStatement) ? importRefreshMs : null, query.refresh);
  return (
    <Loaded query={query} lines={10}>
      {({ statement, transfers }) =>
        statement ? (
          <Details statement={statement} unmatched={transfers} cursor={cursor} onChanged={query.refresh} />
        ) : (
          <ObjectNotFound objectType="statement" />
        )
      }
    </Loaded>
  );
}

type StatementDetailsProps = {
  statement: StatementDetails;
  unmatched: UnmatchedTransfers;
  cursor: Cursor;
  onChanged: () => void;
};

function Details({ statement, unmatched, cursor, onChanged }: StatementDetailsProps) {
  const canDownload = useHasPermission('transfers');
  return (
    <>
      <BackLink to="/statements">Statements</BackLink>
      <PageHeader
        title={statement.fileName}
        objectType="Statement"
        badge={<StatusBadge status={`statement_${statement.status}`} />}
        text={<CopyText text={statement.id} label="statement id" />}
      >
        {canDownload && statement.downloadUrl !== null && (
          <Button component="a" href={toSameOriginPath(statement.downloadUrl)} variant="default" download>
            Download file
          </Button>
        )}
        <StatementActions statement={statement} onChanged={onChanged} />
      </PageHeader>
      <AlreadyImportedNotice statement={statement} />
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, md: 6 }}>
          <Section title="Result">
            <ImportOutcome statement={statement} unmatchedCount={unmatched.totalCount} />
          </Section>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 6 }}>
          <Section title="Details">
            <StatementFacts statement={statement} />
          </Section>
        </Grid.Col>
        {unmatched.totalCount > 0 && (
          <Grid.Col span={12}>
            <Section title="Needs review" isFlush>
              <Paged page={unmatched} cursor={cursor} empty={<EmptyState title="Nothing left to review" />}>
                {(transfers) => <TransferTable transfers={transfers} />}
              </Paged>
            </Section>
          </Grid.Col>
        )}
      </Grid>
    </>
  );
}

/** Says that the selected file was already imported, perhaps under another name. */
function AlreadyImportedNotice({ statement }: { statement: StatementDetails }) {
  const isDuplicate = useHistoryState<StatementPageState>()?.isDuplicate ?? false;
  if (!isDuplicate) return null;
  return (
    <Alert color="amber" variant="light" role="status" title="This file was already imported" mb="lg">
      {formatActorName(statement.importedBy)} imported it as {statement.fileName},{' '}
      <Moment at={statement.createdAt} />. Nothing was imported again. This is the result of that import.
    </Alert>
  );
}

function ImportOutcome({
  statement,
  unmatchedCount,
}: {
  statement: StatementDetails;
  unmatchedCount: number;
}) {
  const { error, entryCount, recordedCount, resultCounts, progress, status, transfers } = statement;
  if (status === 'undoing' || status === 'undone')
    return <UndoOutcome statement={statement} transferCount={transfers.totalCount} />;
  if (error && recordedCount === 0) {
    return (
      <Alert color="red" variant="light" role="alert" title="Nothing of this file was imported">
        {formatStatementError(error)}
      </Alert>
    );
  }
  if (isInProgress(statement)) {
    const percent = Math.floor(progress * 100);
    return (
      <Stack gap="xs">
        <Progress value={percent} aria-label="Progress of the import" animated />
        <Text size="sm" role="status">
          {entryCount === null
            ? 'Checking the whole file first. Nothing is imported from an invalid file.'
            : `${formatCount(recordedCount)} of ${formatCount(entryCount)} entries recorded.`}
        </Text>
      </Stack>
    );
  }
  return (
    <Stack gap="xs">
      {error && (
        <Alert color="red" variant="light" role="alert" title={formatStopped(recordedCount, entryCount)}>
          {formatStatementError(error)}
        </Alert>
      )}
      {status === 'cancelled' && (
        <Alert color="amber" variant="light" title={formatStopped(recordedCount, entryCount)}>
          The import was cancelled.{' '}
          {recordedCount > 0 && 'What was recorded before stays recorded until you undo the import.'}
        </Alert>
      )}
      <Text fw={600}>{formatResults(resultCounts)}</Text>
      <Text size="sm" c="var(--causeway-muted)">
        {resultCounts.exception === 0 ? 'Nothing needs review.' : formatUnmatchedCount(unmatchedCount)}
      </Text>
    </Stack>
  );
}

function UndoOutcome({ statement, transferCount }: { statement: StatementDetails; transferCount: number }) {
  const { status, undoneCount } = statement;
  if (status === 'undone') {
    return (
      <Alert color="gray" variant="light" title="This import was undone">
        {pluralize(undoneCount, 'transfer')} no longer {undoneCount === 1 ? 'counts' : 'count'}. Import the
        corrected file when you have it.
      </Alert>
    );
  }
  const percent = transferCount === 0 ? 100 : Math.floor((100 * undoneCount) / transferCount);
  return (
    <Stack gap="xs">
      <Progress value={percent} aria-label="Progress of the undo" animated />
      <Text size="sm" role="status">
        {formatCount(undoneCount)} of {pluralize(transferCount, 'transfer')} undone.
      </Text>
    </Stack>
  );
}

/** Describes an import that stopped because of an error of the service, not of the file. */
function formatStopped(recordedCount: number, entryCount: number | null): string {
  const ofTotal = entryCount === null ? '' : ` of ${formatCount(entryCount)}`;
  return `Stopped after ${formatCount(recordedCount)}${ofTotal} entries`;
}

/** Describes how many unmatched transfers still need review. */
function formatUnmatchedCount(count: number): string {
  if (count === 0) return 'All transfers that could not be matched automatically have been handled.';
  if (count === 1) return '1 transfer could not be matched automatically. Review it below.';
  return `${formatCount(count)} transfers could not be matched automatically. Review them below.`;
}

function StatementFacts({ statement }: { statement: StatementDetails }) {
  const methodName = useMethodName();
  const { receivingAccount: account, entryCount, createdAt, finishedAt } = statement;
  return (
    <Facts
      facts={[
        ['Format', getFormatName(statement.format)],
        [
          'Account',
          <Link key="account" to={`/receiving-accounts/${account.id}`}>
            {methodName(account.method)} {account.account}
          </Link>,
        ],
        ['Entries', entryCount !== null && formatCount(entryCount)],
        ['Size', formatSize(statement.sizeBytes)],
        ['Imported by', formatActorName(statement.importedBy)],
        ['Requested', <Moment key="requested" at={createdAt} format="long" />],
        ['Finished', finishedAt !== null && <Moment key="finished" at={finishedAt} format="long" />],
        ['Undone by', statement.undoneBy && formatActorName(statement.undoneBy)],
        ['Undone', statement.undoneAt !== null && <Moment at={statement.undoneAt} format="long" />],
        ['SHA-256', <CopyText key="hash" text={statement.sha256} label="hash" />],
      ]}
    />
  );
}

/** Loads a statement with a page of its transfers that need review. */
const statementQuery = graphql(
  `
    query Statement($id: ID!, $first: Int, $after: String, $last: Int, $before: String) {
      statement(id: $id) {
        ...StatementRow
        sizeBytes
        sha256
        downloadUrl
        recordedCount
        undoneCount
        undoneAt
        undoneBy {
          kind
          name
        }
        transfers(first: 1) {
          totalCount
        }
        finishedAt
      }
      transfers(
        filter: { statementId: $id, statuses: [exception] }
        first: $first
        after: $after
        last: $last
        before: $before
      ) {
        totalCount
        nodes {
          ...TransferRow
        }
        pageInfo {
          ...PageInfo
        }
      }
    }
  `,
  [statementRowFields, transferRowFields, pageInfoFields],
);

type StatementQueryData = ResultOf<typeof statementQuery>;
type StatementDetails = NonNullable<StatementQueryData['statement']>;
type UnmatchedTransfers = StatementQueryData['transfers'];
