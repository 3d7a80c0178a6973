import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { counted } from '../../format/count.ts';
import { Link } from '../../parts/link.tsx';
import { Moment } from '../../parts/moment.tsx';
import { Refused } from '../../parts/refused.tsx';
import { useAct } from '../../parts/use-act.ts';
import { useMay } from '../../viewer.ts';
import { type AlertRow, dismissAlertMutation } from './webhooks-query.ts';

const titles: Record<AlertRow['kind'], string> = {
  endpoint_failing: 'Notifications are not arriving',
  delivery_failed: 'A notification was given up',
  webhook_disabled: 'A webhook was switched off',
  endpoint_recovered: 'Notifications arrive again',
  references_low: 'A receiving account has used half of its payment references',
};

/**
 * What owners and developers were mailed about endpoints, until somebody has seen it: the newest, of which there are
 * `count` in all.
 */
export function Alerts(props: { alerts: readonly AlertRow[]; count: number; onDismissed: () => void }) {
  const { alerts, count, onDismissed } = props;
  const mayWrite = useMay('write');
  const dismiss = useAct(dismissAlertMutation, onDismissed);
  const [refusal, setRefusal] = useState<string>();
  if (alerts.length === 0) return null;
  return (
    <>
      <Refused text={refusal} />
      <Stack component="ul" gap="xs" p={0} m={0} mb="lg" aria-label="Alerts" style={{ listStyle: 'none' }}>
        {alerts.map(({ id, kind, url, detail, notificationId, receivingAccountId, createdAt }) => (
          <li key={id}>
            <Alert
              variant="light"
              color={kind === 'endpoint_recovered' ? 'teal' : 'red'}
              title={titles[kind]}
            >
              <Group justify="space-between" align="flex-end" gap="xs">
                <Text size="sm">
                  {receivingAccountId === null ? `${url}: ` : ''}
                  {detail}, <Moment at={createdAt} />
                </Text>
                <Group gap="xs">
                  {notificationId !== null && <Link to={`/notifications/${notificationId}`}>Show</Link>}
                  {receivingAccountId !== null && (
                    <Link to={`/receiving-accounts/${receivingAccountId}`}>Show</Link>
                  )}
                  {mayWrite && (
                    <Button
                      size="compact-sm"
                      variant="default"
                      onClick={async () => setRefusal(await dismiss({ input: { id } }))}
                    >
                      Dismiss
                    </Button>
                  )}
                </Group>
              </Group>
            </Alert>
          </li>
        ))}
        {count > alerts.length && (
          <Text component="li" size="sm" c="var(--causeway-muted)">
            {counted(count - alerts.length, 'older alert')} will follow as you dismiss these.
          </Text>
        )}
      </Stack>
    </>
  );
}
