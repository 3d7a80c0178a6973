import { Alert, Button, Group, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { useMutation } from 'urql';
import { dayMs } from '../../../kit/duration.ts';
import { fillText } from '../../../language/fill-text.ts';
import { createdColumn } from '../../components/columns.tsx';
import { DataTable, type TableColumn } from '../../components/data-table.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { FilterBar, FilterSearchForm, FilterSelect } from '../../components/filter-bar.tsx';
import { Form } from '../../components/form.tsx';
import { Link } from '../../components/link.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Paged } from '../../components/paged.tsx';
import { Section } from '../../components/section.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { useCursor } from '../../components/use-cursor.ts';
import { findChoice, toArray, toFilter, useFilter } from '../../components/use-filter.ts';
import { useFormState } from '../../components/use-form-state.ts';
import { pluralize } from '../../format/count.ts';
import { parseFieldTime, toFieldTime } from '../../format/moment.ts';
import type { VariablesOf } from '../../graphql/graphql.ts';
import { serverNow } from '../../graphql/server-clock.ts';
import { useLiveUpdates } from '../../graphql/use-live-updates.ts';
import { useCachedQuery } from '../../graphql/use-query-state.ts';
import { t } from '../../language/texts.ts';
import { useHasPermission } from '../../viewer.ts';
import {
  filterWebhooksQuery,
  type NotificationRow,
  notificationsQuery,
  notificationsUpdated,
  replayNotificationsMutation,
} from './notifications-query.ts';

const columns: TableColumn<NotificationRow>[] = [
  {
    title: t.notification.event,
    cell: ({ id, event, isTest }) => (
      <Link to={`/notifications/${id}`}>
        {isTest ? fillText(t.notification.testEvent, { type: event.type }) : event.type}
      </Link>
    ),
  },
  { title: t.common.status, cell: ({ status }) => <StatusBadge status={status} /> },
  {
    title: t.notification.toUrl,
    cell: ({ kind, url }) => `${kind === 'webhook' ? t.common.webhook : t.notification.callback} ${url}`,
  },
  {
    title: t.notification.attempts,
    isEndAligned: true,
    cell: ({ attemptCount }) => pluralize(attemptCount, t.notification.attemptCount),
  },
  createdColumn(),
];

export default function NotificationsPage() {
  const cursor = useCursor();
  const canManage = useHasPermission('manage');
  const { filter, isFiltered } = useNotificationFilter();
  const query = useCachedQuery(notificationsQuery, { filter, ...cursor.variables });
  useLiveUpdates(notificationsUpdated, {}, query.refresh);
  return (
    <>
      <PageHeader title={t.common.notifications} text={t.notification.deliveryLogOfThe}>
        {canManage && <ReplayButton onReplayed={query.refresh} />}
      </PageHeader>
      <NotificationFilterBar />
      <Section
        title={isFiltered ? t.notification.matchingNotifications : t.notification.allNotifications}
        isFlush
      >
        <Loaded query={query} lines={8}>
          {({ notifications }) => (
            <Paged
              page={notifications}
              cursor={cursor}
              empty={
                <EmptyState
                  title={isFiltered ? t.notification.noNotificationsFound : t.notification.noNotificationsYet}
                >
                  {isFiltered
                    ? t.notification.tryADifferentStatus
                    : t.notification.newNotificationsWillAppear}
                </EmptyState>
              }
            >
              {(rows) => <DataTable label={t.common.notifications} columns={columns} rows={rows} />}
            </Paged>
          )}
        </Loaded>
      </Section>
    </>
  );
}

type NotificationsFilter = NonNullable<VariablesOf<typeof notificationsQuery>['filter']>;
type NotificationStatusOption = NonNullable<NotificationsFilter['statuses']>[number];

const statuses: { value: NotificationStatusOption; label: string }[] = [
  { value: 'pending', label: t.common.pending },
  { value: 'delivered', label: t.notification.delivered },
  { value: 'failed', label: t.common.failed },
  { value: 'skipped', label: t.common.notSent },
];

const kinds: { value: NonNullable<NotificationsFilter['kind']>; label: string }[] = [
  { value: 'webhook', label: t.common.webhooks },
  { value: 'callback', label: t.notification.callbacks },
];

function useNotificationFilter(): { filter: NotificationsFilter; isFiltered: boolean } {
  const { getFilter } = useFilter();
  return toFilter<NotificationsFilter>({
    statuses: toArray(findChoice(getFilter('status'), statuses)),
    kind: findChoice(getFilter('kind'), kinds),
    webhookId: getFilter('webhook'),
    chargeId: getFilter('charge'),
    createdFrom: parseFieldTime(getFilter('since') ?? '')?.toISOString() ?? null,
  });
}

function NotificationFilterBar() {
  const { data } = useCachedQuery(filterWebhooksQuery);
  const webhooks = (data?.webhooks.nodes ?? []).map(({ id, url }) => ({ value: id, label: url }));
  return (
    <FilterBar>
      <FilterSelect name="status" label={t.common.status} choices={statuses} />
      <FilterSelect name="kind" label={t.common.type} choices={kinds} />
      <FilterSelect name="webhook" label={t.common.webhook} choices={webhooks} />
      <FilterSearchForm
        fields={[
          { name: 'charge', label: t.common.charge, placeholder: 'ch_…', width: '8rem' },
          { name: 'since', label: t.notification.since, type: 'datetime-local' },
        ]}
      />
    </FilterBar>
  );
}

/** Resends the notifications since a chosen time that failed, are waiting for a retry or were skipped. */
function ReplayButton({ onReplayed }: { onReplayed: () => void }) {
  const [opened, dialog] = useDisclosure();
  return (
    <>
      <Button variant="default" onClick={dialog.open}>
        {t.notification.retryFailed}
      </Button>
      <Dialog opened={opened} onClose={dialog.close} title={t.notification.retryFailedNotifications}>
        <ReplayForm onReplayed={onReplayed} onClose={dialog.close} />
      </Dialog>
    </>
  );
}

function ReplayForm({ onReplayed, onClose }: { onReplayed: () => void; onClose: () => void }) {
  const [{ fetching }, replay] = useMutation(replayNotificationsMutation);
  const formState = useFormState();
  const [replayedCount, setReplayedCount] = useState<number>();
  const submit = async (form: FormData) => {
    setReplayedCount(undefined);
    const since = parseFieldTime(String(form.get('since')));
    if (!since) return;
    let total = 0;
    for (let hasMore = true; hasMore; ) {
      const response = await replay({ input: { createdFrom: since.toISOString() } });
      formState.handleResult(response);
      const result = response.data?.replayNotifications;
      if (result?.__typename !== 'ReplayNotificationsSuccess') return;
      total += result.replayedCount;
      hasMore = result.hasMore;
    }
    setReplayedCount(total);
    onReplayed();
  };
  return (
    <Form state={formState} onSubmit={submit}>
      <Text size="sm">{t.notification.resendsEveryNotificationThat}</Text>
      {replayedCount !== undefined && (
        <Alert color="teal" variant="light" role="status">
          {pluralize(replayedCount, t.notification.resentCount)}
        </Alert>
      )}
      <TextInput
        label={t.notification.since}
        name="since"
        type="datetime-local"
        required
        withAsterisk={false}
        defaultValue={toFieldTime(new Date(serverNow().getTime() - dayMs))}
        data-autofocus
      />
      <Group justify="flex-end" gap="sm">
        <Button variant="default" onClick={onClose} disabled={fetching}>
          {t.common.close}
        </Button>
        <Button type="submit" loading={fetching}>
          {t.notification.retry}
        </Button>
      </Group>
    </Form>
  );
}
