import { Accordion, Group, Text } from '@mantine/core';
import { Empty } from '../../parts/empty.tsx';
import { Link } from '../../parts/link.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { Attempts } from '../notification/attempts.tsx';
import type { ChargeDetails } from './charge-query.ts';

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
              <div style={{ flex: '1 1 14rem' }}>
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
            <Attempts attempts={notification.attempts} nextAttemptAt={notification.nextAttemptAt} />
            <Link to={`/notifications/${notification.id}`} size="sm">
              Show notification
            </Link>
          </Accordion.Panel>
        </Accordion.Item>
      ))}
    </Accordion>
  );
}
