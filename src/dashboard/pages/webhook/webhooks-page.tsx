import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type ReactNode, useState } from 'react';
import { useMutation } from 'urql';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Empty } from '../../components/empty.tsx';
import { Link } from '../../components/link.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Moment } from '../../components/moment.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Paged } from '../../components/paged.tsx';
import { Refused } from '../../components/refused.tsx';
import { Section } from '../../components/section.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { useAct } from '../../components/use-act.ts';
import { useCursor } from '../../components/use-cursor.ts';
import { WholeWords } from '../../components/whole-words.tsx';
import { counted, formatCount } from '../../format/count.ts';
import { refusalOf } from '../../graphql/refusal.ts';
import { useLive } from '../../graphql/use-live.ts';
import { useRead } from '../../graphql/use-read.ts';
import { useMay } from '../../viewer.ts';
import { notificationsUpdated } from '../notification/notifications-query.ts';
import { WebhookActions } from './webhook-actions.tsx';
import { WebhookForm } from './webhook-form.tsx';
import {
  type AlertRow,
  dismissAlertMutation,
  sendTestMutation,
  type WebhookRow,
  webhooksQuery,
} from './webhooks-query.ts';

/** Addresses that are told of events, and how they do. */
export default function WebhooksPage() {
  const mayManage = useMay('manage');
  const [opened, { open, close }] = useDisclosure();
  const [said, setSaid] = useState<string>();
  const cursor = useCursor();
  const read = useRead(webhooksQuery, cursor.variables);
  const [{ fetching }, sendTest] = useMutation(sendTestMutation);
  useLive(notificationsUpdated, {}, read.refresh);
  const sendAll = async () => {
    const outcome = await sendTest({ input: {} });
    const result = outcome.data?.sendTestNotification;
    const count = result?.__typename === 'SendTestNotificationSuccess' ? result.notifications.length : 0;
    setSaid(
      refusalOf(outcome) ?? `${counted(count, 'test notification is', 'test notifications are')} on the way.`,
    );
  };
  return (
    <>
      <PageHeader title="Webhooks" text="URLs that receive events.">
        {mayManage && (
          <>
            <Button variant="default" onClick={sendAll} loading={fetching}>
              Send webhooks
            </Button>
            <Button onClick={open}>New webhook</Button>
          </>
        )}
      </PageHeader>
      <WebhookForm opened={opened} onClose={close} onSaved={read.refresh} />
      <Text size="sm" role="status" mb={said === undefined ? 0 : 'sm'}>
        {said}
      </Text>
      <Loaded read={read} lines={6}>
        {({ webhooks, alerts }) => (
          <>
            <Alerts alerts={alerts.nodes} count={alerts.totalCount} onDismissed={read.refresh} />
            <Section title="All webhooks" flush>
              <Paged
                page={webhooks}
                cursor={cursor}
                empty={<Empty title="No webhooks yet">Create one and send it a test event.</Empty>}
              >
                {(rows) => <WebhookTable webhooks={rows} onChanged={read.refresh} onSaid={setSaid} />}
              </Paged>
            </Section>
          </>
        )}
      </Loaded>
    </>
  );
}

const titles: Record<AlertRow['kind'], string> = {
  endpoint_failing: 'Notifications are not arriving',
  delivery_failed: 'A notification could not be delivered',
  webhook_disabled: 'A webhook was disabled',
  endpoint_recovered: 'Notifications are arriving again',
  references_low: 'A receiving account has used half of its payment references',
};

/**
 * What owners and developers were mailed about endpoints, until somebody has seen it: the newest, of which there are
 * `count` in all.
 */
function Alerts(props: { alerts: readonly AlertRow[]; count: number; onDismissed: () => void }) {
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
                  {notificationId !== null && <Link to={`/notifications/${notificationId}`}>View</Link>}
                  {receivingAccountId !== null && (
                    <Link to={`/receiving-accounts/${receivingAccountId}`}>View</Link>
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
            {counted(count - alerts.length, 'older alert')} will appear as you dismiss these.
          </Text>
        )}
      </Stack>
    </>
  );
}

type Props = { webhooks: readonly WebhookRow[]; onChanged: () => void; onSaid: (text: string) => void };

function WebhookTable({ webhooks, onChanged, onSaid }: Props) {
  const mayManage = useMay('manage');
  const columns: Column<WebhookRow>[] = [
    {
      title: 'URL',
      cell: ({ id, url }) => <Link to={`/notifications?webhook=${id}`}>{url}</Link>,
    },
    { title: 'Status', cell: (webhook) => <State webhook={webhook} /> },
    {
      title: 'Events',
      cell: (webhook) => <WholeWords>{hearsOf(webhook)}</WholeWords>,
    },
    {
      title: 'Queue',
      end: true,
      cell: ({ waiting }) => <WholeWords>{`${formatCount(waiting)}\u00a0waiting`}</WholeWords>,
    },
    ...(mayManage
      ? [
          {
            title: 'Actions',
            end: true,
            buttons: true,
            cell: (webhook: WebhookRow) => (
              <WebhookActions webhook={webhook} onChanged={onChanged} onSaid={onSaid} />
            ),
          },
        ]
      : []),
  ];
  return <DataTable label="Webhooks" columns={columns} rows={webhooks} />;
}

function State({ webhook }: { webhook: WebhookRow }) {
  const { disabledAt, disabledReason, failingSince } = webhook;
  if (disabledAt !== null) return <WithNote status="off" note={disabledReason} />;
  if (failingSince === null) return <StatusBadge status="working" />;
  return (
    <WithNote
      status="failing"
      note={
        <>
          since <Moment at={failingSince} />
        </>
      }
    />
  );
}

function WithNote({ status, note }: { status: string; note: ReactNode }) {
  return (
    <>
      <StatusBadge status={status} />
      <Text size="xs" c="var(--causeway-muted)" mt={2}>
        {note}
      </Text>
    </>
  );
}

function hearsOf({ version, messages }: WebhookRow): string {
  return messages.length > 0 ? messages.join(', ') : `All events of version ${version}`;
}
