import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type ReactNode, useState } from 'react';
import { useMutation } from 'urql';
import { DataTable, type TableColumn } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorAlert } from '../../components/error-alert.tsx';
import { Link } from '../../components/link.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Moment } from '../../components/moment.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Paged } from '../../components/paged.tsx';
import { Section } from '../../components/section.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { useCursor } from '../../components/use-cursor.ts';
import { useMutationAction } from '../../components/use-mutation-action.ts';
import { WholeWords } from '../../components/whole-words.tsx';
import { formatCount, pluralize } from '../../format/count.ts';
import { getErrorMessage } from '../../graphql/errors.ts';
import { useLiveUpdates } from '../../graphql/use-live-updates.ts';
import { useCachedQuery } from '../../graphql/use-query-state.ts';
import { useHasPermission } from '../../viewer.ts';
import { notificationsUpdated } from '../notification/notifications-query.ts';
import { WebhookActions } from './webhook-actions.tsx';
import { WebhookForm } from './webhook-form.tsx';
import {
  type AlertRow,
  dismissAlertMutation,
  formatVersion,
  sendTestMutation,
  type WebhookRow,
  webhooksQuery,
} from './webhooks-query.ts';

/** Lists the webhooks with their delivery status, and the alerts. */
export default function WebhooksPage() {
  const canManage = useHasPermission('manage');
  const [opened, { open, close }] = useDisclosure();
  const [statusText, setStatusText] = useState<string>();
  const cursor = useCursor();
  const query = useCachedQuery(webhooksQuery, cursor.variables);
  const [{ fetching }, sendTest] = useMutation(sendTestMutation);
  useLiveUpdates(notificationsUpdated, {}, query.refresh);
  const sendAll = async () => {
    const response = await sendTest({ input: {} });
    const result = response.data?.sendTestNotification;
    const count = result?.__typename === 'SendTestNotificationSuccess' ? result.notifications.length : 0;
    setStatusText(
      getErrorMessage(response) ??
        `${pluralize(count, 'test notification is', 'test notifications are')} on the way.`,
    );
  };
  return (
    <>
      <PageHeader
        title="Webhooks"
        text="URLs that receive events. “Send test to all” sends each enabled webhook a test notification."
      >
        {canManage && (
          <>
            <Button variant="default" onClick={sendAll} loading={fetching}>
              Send test to all
            </Button>
            <Button onClick={open}>New webhook</Button>
          </>
        )}
      </PageHeader>
      <WebhookForm opened={opened} onClose={close} onSaved={query.refresh} />
      <Text size="sm" role="status" mb={statusText === undefined ? 0 : 'sm'}>
        {statusText}
      </Text>
      <Loaded query={query} lines={6}>
        {({ webhooks, alerts }) => (
          <>
            <Alerts alerts={alerts.nodes} count={alerts.totalCount} onDismissed={query.refresh} />
            <Section title="All webhooks" isFlush>
              <Paged
                page={webhooks}
                cursor={cursor}
                empty={<EmptyState title="No webhooks yet">Create one and send it a test event.</EmptyState>}
              >
                {(rows) => (
                  <WebhookTable webhooks={rows} onChanged={query.refresh} onResult={setStatusText} />
                )}
              </Paged>
            </Section>
          </>
        )}
      </Loaded>
    </>
  );
}

const alertTitles: Record<AlertRow['kind'], string> = {
  endpoint_failing: 'Notifications are not arriving',
  delivery_failed: 'A notification could not be delivered',
  webhook_disabled: 'A webhook was disabled',
  endpoint_recovered: 'Notifications are arriving again',
  feed_failing: 'A bank feed is failing',
  feed_late: 'A bank feed is silent',
  references_low: 'A receiving account has used half of its payment references',
};

/**
 * Shows the alerts that were emailed to owners and developers, until a user dismisses them. `alerts` contains
 * the newest alerts; `count` is the number of all alerts.
 */
function Alerts(props: { alerts: readonly AlertRow[]; count: number; onDismissed: () => void }) {
  const { alerts, count, onDismissed } = props;
  const canWrite = useHasPermission('write');
  const dismiss = useMutationAction(dismissAlertMutation, onDismissed);
  const [error, setError] = useState<string>();
  if (alerts.length === 0) return null;
  return (
    <>
      <ErrorAlert text={error} />
      <Stack component="ul" gap="xs" p={0} m={0} mb="lg" aria-label="Alerts" style={{ listStyle: 'none' }}>
        {alerts.map(({ id, kind, url, detail, notification, receivingAccount, bankFeed, createdAt }) => (
          <li key={id}>
            <Alert
              variant="light"
              color={kind === 'endpoint_recovered' ? 'teal' : 'red'}
              title={alertTitles[kind]}
            >
              <Group justify="space-between" align="flex-end" gap="xs">
                <Text size="sm">
                  {receivingAccount === null && bankFeed === null
                    ? `${url}: `
                    : bankFeed
                      ? `${bankFeed.name}: `
                      : ''}
                  {detail}, <Moment at={createdAt} />
                </Text>
                <Group gap="xs">
                  {notification && <Link to={`/notifications/${notification.id}`}>View</Link>}
                  {receivingAccount && <Link to={`/receiving-accounts/${receivingAccount.id}`}>View</Link>}
                  {bankFeed && <Link to={`/bank-feeds/${bankFeed.id}`}>View</Link>}
                  {canWrite && (
                    <Button
                      size="compact-sm"
                      variant="default"
                      onClick={async () => setError(await dismiss({ input: { id } }))}
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
            {pluralize(count - alerts.length, 'older alert')} will appear as you dismiss these.
          </Text>
        )}
      </Stack>
    </>
  );
}

type WebhookTableProps = {
  webhooks: readonly WebhookRow[];
  onChanged: () => void;
  onResult: (text: string) => void;
};

function WebhookTable({ webhooks, onChanged, onResult }: WebhookTableProps) {
  const canManage = useHasPermission('manage');
  const columns: TableColumn<WebhookRow>[] = [
    {
      title: 'URL',
      cell: ({ id, url }) => <Link to={`/notifications?webhook=${id}`}>{url}</Link>,
    },
    { title: 'Status', cell: (webhook) => <WebhookStatus webhook={webhook} /> },
    {
      title: 'Events',
      cell: (webhook) => <WholeWords>{formatEventTypes(webhook)}</WholeWords>,
    },
    {
      title: 'Queue',
      isEndAligned: true,
      cell: ({ pendingNotificationCount }) => (
        <WholeWords>{`${formatCount(pendingNotificationCount)}\u00a0waiting`}</WholeWords>
      ),
    },
    ...(canManage
      ? [
          {
            title: 'Actions',
            isEndAligned: true,
            hasButtons: true,
            cell: (webhook: WebhookRow) => (
              <WebhookActions webhook={webhook} onChanged={onChanged} onResult={onResult} />
            ),
          },
        ]
      : []),
  ];
  return <DataTable label="Webhooks" columns={columns} rows={webhooks} />;
}

const disabledReasonTexts: Record<NonNullable<WebhookRow['disabledReason']>, string> = {
  manual: 'Disabled manually',
  endpoint_gone: 'The endpoint responded with 410 Gone',
  delivery_failures: 'All deliveries failed for 5 days',
};

function WebhookStatus({ webhook }: { webhook: WebhookRow }) {
  const { disabledAt, disabledReason, failingSince } = webhook;
  if (disabledAt !== null)
    return <StatusWithNote status="off" note={disabledReason && disabledReasonTexts[disabledReason]} />;
  if (failingSince === null) return <StatusBadge status="working" />;
  return (
    <StatusWithNote
      status="failing"
      note={
        <>
          since <Moment at={failingSince} />
        </>
      }
    />
  );
}

function StatusWithNote({ status, note }: { status: string; note: ReactNode }) {
  return (
    <>
      <StatusBadge status={status} />
      <Text size="xs" c="var(--causeway-muted)" mt={2}>
        {note}
      </Text>
    </>
  );
}

function formatEventTypes({ notificationVersion, eventTypes }: WebhookRow): string {
  return eventTypes.length > 0
    ? eventTypes.join(', ')
    : `All events of version ${formatVersion(notificationVersion)}`;
}
