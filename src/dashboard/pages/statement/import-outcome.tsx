import { Alert, Progress, Stack, Text } from '@mantine/core';
import { Link } from '../../components/link.tsx';
import { formatCount, pluralize } from '../../format/count.ts';
import { isInProgress } from '../../format/is-in-progress.ts';
import { t } from '../../language/texts.ts';
import { formatResults, formatStatementError } from './format-statement.ts';
import type { StatementDetails } from './statement-query.ts';

export function ImportOutcome({
  statement,
  unmatchedCount,
}: {
  statement: StatementDetails;
  unmatchedCount: number;
}) {
  const { error, entryCount, recordedCount, resultCounts, progress, status, transfers } = statement;
  if (status === 'undoing' || status === 'undone')
    return <UndoOutcome statement={statement} transferCount={transfers.totalCount} />;
  if (status === 'awaiting_confirmation') {
    return <Text size="sm">{t.statement.compareTheDifferencesWith}</Text>;
  }
  if (error && recordedCount === 0) {
    return (
      <Alert color="red" variant="light" role="alert" title={t.statement.nothingFromThisFile}>
        {formatStatementError(error)}
      </Alert>
    );
  }
  if (isInProgress(statement)) {
    const percent = Math.floor(progress * 100);
    return (
      <Stack gap="xs">
        <Progress value={percent} aria-label={t.statement.progressOfTheImport} animated />
        <Text size="sm" role="status">
          {entryCount === null
            ? t.statement.checkingTheWholeFile
            : pluralize(entryCount, t.statement.ofEntriesRecorded, {
                recordedCount: formatCount(recordedCount),
              })}
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
          {t.statement.theImportWasCancelled}
          {recordedCount > 0 && ` ${t.statement.recordedEntriesStayRecorded}`}
        </Alert>
      )}
      <Text fw={600}>{formatResults(statement)}</Text>
      <Text size="sm" c="var(--causeway-muted)">
        {resultCounts.exception === 0 ? t.statement.nothingNeedsReview : formatUnmatchedCount(unmatchedCount)}
      </Text>
      {transfers.totalCount > 0 && (
        <Text size="sm">
          <Link to={`/transfers?statement=${statement.id}`}>{t.statement.viewAllTransfersOf}</Link>
        </Text>
      )}
    </Stack>
  );
}

function UndoOutcome({ statement, transferCount }: { statement: StatementDetails; transferCount: number }) {
  const { status, undoneCount } = statement;
  if (status === 'undone') {
    return (
      <Alert color="gray" variant="light" title={t.statement.thisImportWasUndone}>
        {pluralize(undoneCount, t.statement.undoneTransferCount)}
      </Alert>
    );
  }
  const percent = transferCount === 0 ? 100 : Math.floor((100 * undoneCount) / transferCount);
  return (
    <Stack gap="xs">
      <Progress value={percent} aria-label={t.statement.progressOfTheUndo} animated />
      <Text size="sm" role="status">
        {pluralize(transferCount, t.statement.ofUndone, { undoneCount: formatCount(undoneCount) })}
      </Text>
    </Stack>
  );
}

/** Describes an import that stopped because of an error of the service, not of the file. */
function formatStopped(recordedCount: number, entryCount: number | null): string {
  return entryCount === null
    ? pluralize(recordedCount, t.statement.stoppedAfterEntries)
    : pluralize(entryCount, t.statement.stoppedAfterOfEntries, { recordedCount: formatCount(recordedCount) });
}

function formatUnmatchedCount(count: number): string {
  if (count === 0) return t.statement.allTransfersThatCould;
  return pluralize(count, t.statement.unmatchedTransferCount);
}
