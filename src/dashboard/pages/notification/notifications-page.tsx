import { Alert, Button, Group, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { useMutation } from 'urql';
import { dayMs } from '../../../kit/duration.ts';
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
    title: 'Event',
    cell: ({ id, event, isTest }) => (
      <Link to={`/notifications/${id}`}>
        {event.type}
        {isTest && ' (test)'}
      </Link>
    ),
  },
  { title: 'Status', isEndAligned: true, cell: ({ status }) => <StatusBadge status={status} /> },
  {
    title: 'To',
    cell: ({ kind, url }) => `${kind === 'webhook' ? 'Webhook' : 'Callback'} ${url}`,
  },
  {
    title: 'Attempts',
    isEndAligned: true,
    cell: ({ attemptCount }) => pluralize(attemptCount, 'attempt'),
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
      <PageHeader title="Notifications" text="Delivery log of the last 90 days.">
        {canManage && <ReplayButton onReplayed={query.refresh} />}
      </PageHeader>
      <NotificationFilterBar />
      <Section title={isFiltered ? 'Matching notifications' : 'All notifications'} isFlush>
        <Loaded query={query} lines={8}>
          {({ notifications }) => (
            <Paged
              page={notifications}
              cursor={cursor}
              empty={
                <EmptyState title={isFiltered ? 'No notifications found' : 'No notifications yet'}>
                  {isFiltered ? 'Try a different status or webhook.' : 'New notifications will appear here.'}
                </EmptyState>
              }
            >
              {(rows) => <DataTable label="Notifications" columns={columns} rows={rows} />}
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
  { value: 'pending', label: 'Pending' },
  { value: 'delivered', label: 'Delivered' },
  { value: 'failed', label: 'Failed' },
  { value: 'skipped', label: 'Not sent' },
];

const kinds: { value: NonNullable<NotificationsFilter['kind']>; label: string }[] = [
  { value: 'webhook', label: 'Webhooks' },
  { value: 'callback', label: 'Callbacks' },
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
      <FilterSelect name="status" label="Status" choices={statuses} />
      <FilterSelect name="kind" label="Type" choices={kinds} />
      <FilterSelect name="webhook" label="Webhook" choices={webhooks} />
      <FilterSearchForm
        fields={[
          { name: 'charge', label: 'Charge', placeholder: 'ch_…', width: '8rem' },
          { name: 'since', label: 'Since', type: 'datetime-local' },
        ]}
      />
    </FilterBar>
  );
}

/** Resends the notifications since a chosen time that failed or were skipped. */
function ReplayButton({ onReplayed }: { onReplayed: () => void }) {
  const [opened, dialog] = useDisclosure();
  return (
    <>
      <Button variant="default" onClick={dialog.open}>
        Retry failed…
      </Button>
      <Dialog opened={opened} onClose={dialog.close} title="Retry failed notifications">
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
      <Text size="sm">
        Resends every notification that failed, or was skipped while its webhook was disabled. Each one keeps
        its webhook-id.
      </Text>
      {replayedCount !== undefined && (
        <Alert color="teal" variant="light" role="status">
          {replayedCount === 1
            ? '1 notification is being resent.'
            : `${replayedCount} notifications are being resent.`}
        </Alert>
      )}
      <TextInput
        label="Since"
        name="since"
        type="datetime-local"
        required
        withAsterisk={false}
        defaultValue={toFieldTime(new Date(serverNow().getTime() - dayMs))}
        data-autofocus
      />
      <Group justify="flex-end" gap="sm">
        <Button variant="default" onClick={onClose} disabled={fetching}>
          Close
        </Button>
        <Button type="submit" loading={fetching}>
          Retry
        </Button>
      </Group>
    </Form>
  );
}
