import { Alert, Button, Group, Select, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type ReactNode, useState } from 'react';
import { useMutation } from 'urql';
import { fillText } from '../../../language/fill-text.ts';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { DataTable, type TableColumn } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorAlert } from '../../components/error-alert.tsx';
import { Link } from '../../components/link.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Moment } from '../../components/moment.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Paged } from '../../components/paged.tsx';
import { Section } from '../../components/section.tsx';
import { type BadgeStatus, StatusBadge } from '../../components/status-badge.tsx';
import { TwoLines } from '../../components/two-lines.tsx';
import { useCursor } from '../../components/use-cursor.ts';
import { useMutationAction } from '../../components/use-mutation-action.ts';
import { WholeWords } from '../../components/whole-words.tsx';
import { formatCount, pluralize } from '../../format/count.ts';
import { formatEvent } from '../../format/labels.ts';
import { formatList } from '../../format/list.ts';
import { getErrorMessage } from '../../graphql/errors.ts';
import { useLiveUpdates } from '../../graphql/use-live-updates.ts';
import { useCachedQuery } from '../../graphql/use-query-state.ts';
import { fillNodes } from '../../language/fill-nodes.tsx';
import { t } from '../../language/texts.ts';
import { useMode } from '../../use-mode.ts';
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

export default function WebhooksPage() {
  const canManage = useHasPermission('manage');
  const [opened, { open, close }] = useDisclosure();
  const [statusText, setStatusText] = useState<string>();
  const cursor = useCursor();
  const query = useCachedQuery(webhooksQuery, cursor.variables);
  useLiveUpdates(notificationsUpdated, {}, query.refresh);
  return (
    <>
      <PageHeader title={t.common.webhooks} text={t.webhook.urlsThatReceiveEvents}>
        {canManage && (
          <>
            <SendTestButton webhooks={query.data?.webhooks.nodes ?? []} onSent={setStatusText} />
            <Button onClick={open}>{t.webhook.newWebhook}</Button>
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
            <Section title={t.webhook.allWebhooks} isFlush>
              <Paged
                page={webhooks}
                cursor={cursor}
                empty={<EmptyState title={t.webhook.noWebhooksYet}>{t.webhook.createOneAndSend}</EmptyState>}
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

const everyWebhook = 'all';

function SendTestButton(props: { webhooks: readonly WebhookRow[]; onSent: (text: string) => void }) {
  const { webhooks, onSent } = props;
  const { mode } = useMode();
  const [, sendTest] = useMutation(sendTestMutation);
  const [target, setTarget] = useState(everyWebhook);
  const enabledWebhooks = webhooks.filter(({ disabledAt }) => disabledAt === null);
  const send = async () => {
    const response = await sendTest({ input: target === everyWebhook ? {} : { webhookId: target } });
    const result = response.data?.sendTestNotification;
    const errorMessage = getErrorMessage(response);
    if (result?.__typename === 'SendTestNotificationSuccess') {
      const count = result.notifications.length;
      onSent(pluralize(count, t.webhook.testNotificationCount));
    }
    return errorMessage;
  };
  return (
    <ConfirmButton
      label={t.webhook.sendTestMenu}
      title={t.webhook.sendATestNotification}
      confirmLabel={t.webhook.sendTest}
      variant="default"
      onConfirm={send}
    >
      <Text size="sm">
        {mode === 'live' && `${t.webhook.yourLiveEndpointsReceive} `}
        {fillNodes(t.webhook.itCarriesTheHeader, { header: <code>webhook-test: true</code> })}
      </Text>
      <Select
        label={t.webhook.sendTo}
        allowDeselect={false}
        data={[
          { value: everyWebhook, label: t.webhook.allEnabledWebhooks },
          ...enabledWebhooks.map((webhook) => ({ value: webhook.id, label: formatWebhook(webhook) })),
        ]}
        value={target}
        onChange={(value) => value && setTarget(value)}
        comboboxProps={{ withinPortal: false }}
      />
    </ConfirmButton>
  );
}

function formatWebhook({ name, url }: Pick<WebhookRow, 'name' | 'url'>): string {
  return name === null ? url : `${name} (${url})`;
}

const alertTitles: Record<AlertRow['kind'], string> = {
  endpoint_failing: t.webhook.notificationsAreNotArriving,
  delivery_failed: t.webhook.aNotificationCouldNot,
  webhook_disabled: t.webhook.aWebhookWasDisabled,
  endpoint_recovered: t.webhook.notificationsAreArrivingAgain,
  feed_failing: t.webhook.aBankFeedIs,
  feed_late: t.webhook.aBankFeedIsSilent,
  references_low: t.webhook.aReceivingAccountHas,
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
      <Stack
        component="ul"
        gap="xs"
        p={0}
        m={0}
        mb="lg"
        aria-label={t.webhook.alerts}
        style={{ listStyle: 'none' }}
      >
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
                  {notification && <Link to={`/notifications/${notification.id}`}>{t.webhook.view}</Link>}
                  {receivingAccount && (
                    <Link to={`/receiving-accounts/${receivingAccount.id}`}>{t.webhook.view}</Link>
                  )}
                  {bankFeed && <Link to={`/bank-feeds/${bankFeed.id}`}>{t.webhook.view}</Link>}
                  {canWrite && (
                    <Button
                      size="compact-sm"
                      variant="default"
                      onClick={async () => setError(await dismiss({ input: { id } }))}
                    >
                      {t.webhook.dismiss}
                    </Button>
                  )}
                </Group>
              </Group>
            </Alert>
          </li>
        ))}
        {count > alerts.length && (
          <Text component="li" size="sm" c="var(--causeway-muted)">
            {pluralize(count - alerts.length, t.webhook.olderAlertCount)}
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
      title: t.common.webhook,
      cell: ({ id, name, url }) => (
        <TwoLines below={name === null ? null : url}>
          <Link to={`/notifications?webhook=${id}`}>{name ?? url}</Link>
        </TwoLines>
      ),
    },
    { title: t.common.status, cell: (webhook) => <WebhookStatus webhook={webhook} /> },
    {
      title: t.webhook.events,
      cell: (webhook) => <WholeWords>{formatEventTypes(webhook)}</WholeWords>,
    },
    {
      title: t.webhook.queue,
      isEndAligned: true,
      cell: ({ pendingNotificationCount }) => (
        <WholeWords>
          {fillText(t.webhook.waiting, { pendingNotificationCount: formatCount(pendingNotificationCount) })}
        </WholeWords>
      ),
    },
    ...(canManage
      ? [
          {
            title: t.common.actions,
            isEndAligned: true,
            hasButtons: true,
            cell: (webhook: WebhookRow) => (
              <WebhookActions webhook={webhook} onChanged={onChanged} onResult={onResult} />
            ),
          },
        ]
      : []),
  ];
  return <DataTable label={t.common.webhooks} columns={columns} rows={webhooks} />;
}

const disabledReasonTexts: Record<NonNullable<WebhookRow['disabledReason']>, string> = {
  manual: t.webhook.disabledManually,
  endpoint_gone: t.webhook.theEndpointRespondedWith,
  delivery_failures: t.webhook.allDeliveriesFailedFor,
};

function WebhookStatus({ webhook }: { webhook: WebhookRow }) {
  const { disabledAt, disabledReason, failingSince } = webhook;
  if (disabledAt !== null)
    return <StatusWithNote status="off" note={disabledReason && disabledReasonTexts[disabledReason]} />;
  if (failingSince === null) return <StatusBadge status="working" />;
  return (
    <StatusWithNote
      status="failing"
      note={fillNodes(t.webhook.since, { moment: <Moment at={failingSince} /> })}
    />
  );
}

function StatusWithNote({ status, note }: { status: BadgeStatus; note: ReactNode }) {
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
    ? formatList(eventTypes.map(formatEvent))
    : fillText(t.webhook.allEventsOfVersion, { notificationVersion: formatVersion(notificationVersion) });
}
