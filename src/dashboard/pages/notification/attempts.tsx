import { Text } from '@mantine/core';
import { fillText } from '../../../language/fill-text.ts';
import { Moment } from '../../components/moment.tsx';
import { RawText } from '../../components/raw-text.tsx';
import { formatMilliseconds } from '../../format/moment.ts';
import { fillNodes } from '../../language/fill-nodes.tsx';
import { t } from '../../language/texts.ts';
import type { AttemptRow } from './attempt-row.ts';
import classes from './attempts.module.css';

export function Attempts(props: { attempts: readonly AttemptRow[]; nextAttemptAt: string | null }) {
  const { attempts, nextAttemptAt } = props;
  return (
    <>
      {attempts.length === 0 && <Text size="sm">{t.notification.noAttemptsYet}</Text>}
      <ol className={classes.attempts}>
        {attempts.map((attempt) => (
          <li key={attempt.id}>
            <Text size="sm">
              {fillNodes(getAttemptText(attempt), {
                number: attempt.number,
                moment: <Moment at={attempt.startedAt} format="long" />,
                status: attempt.responseStatus,
                error: attempt.error,
                duration: formatMilliseconds(attempt.durationMs),
              })}
            </Text>
            {attempt.responseBody && (
              <RawText label={fillText(t.notification.responseToAttempt, { number: attempt.number })}>
                {attempt.responseBody}
              </RawText>
            )}
          </li>
        ))}
      </ol>
      {nextAttemptAt && attempts.length > 0 && (
        <Text size="sm">
          {fillNodes(t.notification.nextAttempt, { moment: <Moment at={nextAttemptAt} format="long" /> })}
        </Text>
      )}
    </>
  );
}

function getAttemptText({ responseStatus, error }: AttemptRow): string {
  if (responseStatus !== null) return t.notification.attemptWithResponse;
  return error === null ? t.notification.attemptWithoutResponse : t.notification.attemptWithError;
}
