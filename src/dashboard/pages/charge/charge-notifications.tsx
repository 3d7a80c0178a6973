import { Accordion, Group, Text } from '@mantine/core';
import { formatDuration } from '../../format/moment.ts';
import { Empty } from '../../parts/empty.tsx';
import { Moment } from '../../parts/moment.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import classes from './charge-notifications.module.css';
import type { ChargeDetails } from './charge-query.ts';

type Notification = ChargeDetails['notifications'][number];

/** Whom we told of it, and every try. */
export function ChargeNotifications({ charge }: { charge: ChargeDetails }) {
  if (charge.notifications.length === 0) {
    return (
      <Empty title="Nobody was notified">
        A webhook, or a callback address on the charge, is told when something happens.
      </Empty>
    );
  }
  return (
    <Accordion variant="contained" multiple>
      {charge.notifications.map((notification) => (
        <Accordion.Item key={notification.id} value={notification.id}>
          <Accordion.Control>
            <Group justify="space-between" gap={4} pe="sm">
              <div className={classes.about}>
                <Text size="sm" fw={600}>
                  {notification.event.message}
                </Text>
                <Text size="sm" c="var(--causeway-muted)">
                  {notification.kind === 'webhook' ? 'Webhook' : 'Callback'} {notification.url}
                </Text>
              </div>
              <StatusBadge status={notification.status} />
            </Group>
          </Accordion.Control>
          <Accordion.Panel>
            <Attempts notification={notification} />
          </Accordion.Panel>
        </Accordion.Item>
      ))}
    </Accordion>
  );
}

function Attempts({ notification }: { notification: Notification }) {
  const { attempts, nextAttemptAt } = notification;
  return (
    <>
      {attempts.length === 0 && <Text size="sm">Not tried yet.</Text>}
      <ol className={classes.attempts}>
        {attempts.map((attempt) => (
          <li key={attempt.id}>
            <Text size="sm">
              Try {attempt.number}, <Moment at={attempt.startedAt} form="long" />:{' '}
              {attempt.status === null ? (attempt.error ?? 'no answer') : `answered ${attempt.status}`} after{' '}
              {formatDuration(attempt.durationMs)}
            </Text>
            {attempt.answer && <pre className={classes.answer}>{attempt.answer}</pre>}
          </li>
        ))}
      </ol>
      {nextAttemptAt && attempts.length > 0 && (
        <Text size="sm">
          Next try: <Moment at={nextAttemptAt} form="long" />
        </Text>
      )}
    </>
  );
}
