import { Alert, Button, Grid } from '@mantine/core';
import { useHistoryState } from 'wouter/use-browser-location';
import { fillText } from '../../../language/fill-text.ts';
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
import { formatActorName, formatMethod } from '../../format/labels.ts';
import { formatBankDate } from '../../format/moment.ts';
import { formatSize } from '../../format/size.ts';
import { toSameOriginPath } from '../../graphql/to-same-origin-path.ts';
import { useInterval } from '../../graphql/use-interval.ts';
import { useCachedQuery } from '../../graphql/use-query-state.ts';
import { fillNodes } from '../../language/fill-nodes.tsx';
import { t } from '../../language/texts.ts';
import { useHasPermission } from '../../viewer.ts';
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
          <ObjectNotFound title={t.statement.statementNotFound} />
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
      <BackLink to="/statements">{t.common.statements}</BackLink>
      <PageHeader
        title={statement.fileName}
        objectType={t.statement.statement}
        badge={<StatusBadge status={`statement_${statement.status}`} />}
        text={<CopyText text={statement.id} label={t.components.copyId} />}
      >
        {canDownload && statement.downloadUrl !== null && (
          <Button component="a" href={toSameOriginPath(statement.downloadUrl)} variant="default" download>
            {t.statement.downloadFile}
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
            ? t.statement.nothingIsImportedYet
            : t.statement.theControlFiguresDoNot
        }
      />
      <ReaderNotes notes={statement.notes} />
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, md: 6 }}>
          <Section title={t.statement.result}>
            <ImportOutcome statement={statement} unmatchedCount={unmatched.totalCount} />
          </Section>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 6 }}>
          <Section title={t.common.details}>
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
            <Section title={t.common.needsReview} isFlush>
              <Paged
                page={unmatched}
                cursor={cursor}
                empty={<EmptyState title={t.statement.nothingLeftToReview} />}
              >
                {(transfers) => <TransferTable transfers={transfers} />}
              </Paged>
            </Section>
          </Grid.Col>
        )}
      </Grid>
    </>
  );
}

/** The same file may have been imported under another name. */
function AlreadyImportedNotice({ statement }: { statement: StatementDetails }) {
  const isDuplicate = useHistoryState<StatementPageState>()?.isDuplicate ?? false;
  // After an undo, the import is no longer counted, so the same file can be imported again.
  if (!isDuplicate || statement.status === 'undoing' || statement.status === 'undone') return null;
  return (
    <Alert color="amber" variant="light" role="status" title={t.statement.thisFileWasAlready} mb="lg">
      {fillNodes(t.statement.importedItAsNothing, {
        importedBy: formatActorName(statement.importedBy),
        fileName: statement.fileName,
        moment: <Moment at={statement.createdAt} />,
      })}
    </Alert>
  );
}

function StatementFacts({ statement }: { statement: StatementDetails }) {
  const { receivingAccount: account, entryCount, createdAt, finishedAt } = statement;
  return (
    <Facts
      facts={[
        [t.statement.format, getFormatName(statement.format)],
        [
          t.common.account,
          <Link key="account" to={`/receiving-accounts/${account.id}`}>
            {formatMethod(account.method)} {account.account}
          </Link>,
        ],
        [t.statement.entries, entryCount !== null && formatCount(entryCount)],
        [t.statement.size, formatSize(statement.sizeBytes)],
        [t.statement.importedBy, formatActorName(statement.importedBy)],
        [t.common.requested, <Moment key="requested" at={createdAt} format="long" />],
        [
          t.statement.finished,
          finishedAt !== null && <Moment key="finished" at={finishedAt} format="long" />,
        ],
        ...statement.balances
          .slice(0, balancesMax)
          .map(({ openingBalance, closingBalance, currency, ...span }) => {
            const period = formatDateRange(span.openedOn, span.closedOn);
            const amounts = `${formatAmount(openingBalance, currency)} → ${formatAmount(closingBalance, currency)}`;
            return [
              span.account === null
                ? t.statement.balance
                : fillText(t.statement.balanceOf, { account: span.account }),
              `${amounts} ${period}`.trim(),
            ] as const;
          }),
        [t.statement.confirmedBy, statement.confirmedBy && formatActorName(statement.confirmedBy)],
        [t.statement.undoneBy, statement.undoneBy && formatActorName(statement.undoneBy)],
        [t.common.undoneAt, statement.undoneAt !== null && <Moment at={statement.undoneAt} format="long" />],
        ['SHA-256', <CopyText key="hash" text={statement.sha256} label={t.components.copyHash} />],
      ]}
    />
  );
}

/** A file may contain the statements of many accounts, so the list is limited. */
const balancesMax = 5;

function formatDateRange(openedOn: string | null, closedOn: string | null): string {
  const [from, to] = [openedOn, closedOn].map((day) => (day ? formatBankDate(day) : ''));
  return from && to ? fillText(t.statement.span, { openedOn: from, closedOn: to }) : from || to || '';
}
