import { Alert, Button, Grid } from '@mantine/core';
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
import { type Cursor, useCursor } from '../../components/use-cursor.ts';
import { formatAmount } from '../../format/amount.ts';
import { formatCount } from '../../format/count.ts';
import { isInProgress } from '../../format/is-in-progress.ts';
import { formatActorName } from '../../format/labels.ts';
import { formatSize } from '../../format/size.ts';
import { toSameOriginPath } from '../../graphql/to-same-origin-path.ts';
import { useInterval } from '../../graphql/use-interval.ts';
import { useCachedQuery } from '../../graphql/use-query-state.ts';
import { useHasPermission } from '../../viewer.ts';
import { useMethodName } from '../payment-methods.ts';
import { TransferTable } from '../transfer/transfer-table.tsx';
import { DiscrepancyList } from './discrepancy-list.tsx';
import { getFormatName } from './format-statement.ts';
import { ImportOutcome } from './import-outcome.tsx';
import { PendingEntries } from './pending-entries.tsx';
import { ReaderNotes } from './reader-notes.tsx';
import { StatementActions } from './statement-actions.tsx';
import { type StatementDetails, statementQuery, type UnmatchedTransfers } from './statement-query.ts';
import { importRefreshMs } from './statements-query.ts';
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
      <DiscrepancyList
        discrepancies={statement.discrepancies}
        count={statement.discrepancyCount}
        title={
          statement.status === 'awaiting_confirmation'
            ? 'Nothing is imported yet: the control figures do not add up'
            : 'The control figures do not add up'
        }
      />
      <ReaderNotes notes={statement.notes} />
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
        {canDownload && statement.status === 'completed' && statement.resultCounts.ignored > 0 && (
          <Grid.Col span={12}>
            <PendingEntries statementId={statement.id} />
          </Grid.Col>
        )}
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
        ...statement.balances
          .slice(0, balancesMax)
          .map(({ openingBalance, closingBalance, currency, ...span }) => {
            const period = [span.openedOn, span.closedOn].filter(Boolean).join(' to ');
            const amounts = `${formatAmount(openingBalance, currency)} → ${formatAmount(closingBalance, currency)}`;
            return [`Balance ${span.account ?? ''}`.trim(), `${amounts} ${period}`.trim()] as const;
          }),
        ['Confirmed by', statement.confirmedBy && formatActorName(statement.confirmedBy)],
        ['Undone by', statement.undoneBy && formatActorName(statement.undoneBy)],
        ['Undone', statement.undoneAt !== null && <Moment at={statement.undoneAt} format="long" />],
        ['SHA-256', <CopyText key="hash" text={statement.sha256} label="hash" />],
      ]}
    />
  );
}

/** How many balances are listed; a file may contain the statements of many accounts. */
const balancesMax = 5;
