import { Text } from '@mantine/core';
import { Moment } from '../../components/moment.tsx';
import { RawText } from '../../components/raw-text.tsx';
import { formatDuration } from '../../format/moment.ts';
import type { AttemptRow } from './attempt-row.ts';
import classes from './attempts.module.css';

/** Lists the delivery attempts of a notification, and the time of the next one. */
export function Attempts(props: { attempts: readonly AttemptRow[]; nextAttemptAt: string | null }) {
  const { attempts, nextAttemptAt } = props;
  return (
    <>
      {attempts.length === 0 && <Text size="sm">No attempts yet.</Text>}
      <ol className={classes.attempts}>
        {attempts.map((attempt) => (
          <li key={attempt.id}>
            <Text size="sm">
              Attempt {attempt.number}, <Moment at={attempt.startedAt} format="long" />:{' '}
              {attempt.responseStatus === null
                ? (attempt.error ?? 'no response')
                : `HTTP ${attempt.responseStatus}`}{' '}
              after {formatDuration(attempt.durationMs)}
            </Text>
            {attempt.responseBody && (
              <RawText label={`Response to attempt ${attempt.number}`}>{attempt.responseBody}</RawText>
            )}
          </li>
        ))}
      </ol>
      {nextAttemptAt && attempts.length > 0 && (
        <Text size="sm">
          Next attempt: <Moment at={nextAttemptAt} format="long" />
        </Text>
      )}
    </>
  );
}
