import { Alert, Progress, Stack, Text } from '@mantine/core';
import { formatCount, pluralize } from '../../format/count.ts';
import { isInProgress } from '../../format/is-in-progress.ts';
import { formatResults, formatStatementError } from './format-statement.ts';
import type { StatementDetails } from './statement-query.ts';

/** Shows the progress and the result of an import, or of its undo. */
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
    return (
      <Text size="sm">
        Compare the differences with your bank. Then import the file anyway, or cancel the import.
      </Text>
    );
  }
  if (error && recordedCount === 0) {
    return (
      <Alert color="red" variant="light" role="alert" title="Nothing from this file was imported">
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
          {recordedCount > 0 && 'Recorded entries stay recorded until you undo the import.'}
        </Alert>
      )}
      <Text fw={600}>{formatResults(statement)}</Text>
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
