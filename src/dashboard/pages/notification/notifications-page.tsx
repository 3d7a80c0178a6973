import { Alert, Button, Group, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { useMutation } from 'urql';
import { dayMs } from '../../../kit/duration.ts';
import { madeColumn } from '../../components/columns.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Empty } from '../../components/empty.tsx';
import { FilterBar, FilterChoice, FilterTexts } from '../../components/filter-bar.tsx';
import { Form } from '../../components/form.tsx';
import { Link } from '../../components/link.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Paged } from '../../components/paged.tsx';
import { Section } from '../../components/section.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { useCursor } from '../../components/use-cursor.ts';
import { choiceOf, filterOf, onlyOne, useFilter } from '../../components/use-filter.ts';
import { useOutcome } from '../../components/use-outcome.ts';
import { counted } from '../../format/count.ts';
import { fieldTime, timeOfField } from '../../format/moment.ts';
import type { VariablesOf } from '../../graphql/graphql.ts';
import { serverNow } from '../../graphql/server-clock.ts';
import { useLive } from '../../graphql/use-live.ts';
import { useRead } from '../../graphql/use-read.ts';
import { useMay } from '../../viewer.ts';
import {
  filterWebhooksQuery,
  type NotificationRow,
  notificationsQuery,
  notificationsUpdated,
  replayNotificationsMutation,
} from './notifications-query.ts';

const columns: Column<NotificationRow>[] = [
  {
    title: 'Event',
    cell: ({ id, event, isTest }) => (
      <Link to={`/notifications/${id}`}>
        {event.message}
        {isTest && ' (test)'}
      </Link>
    ),
  },
  { title: 'Status', end: true, cell: ({ status }) => <StatusBadge status={status} /> },
  {
    title: 'To',
    cell: ({ kind, url }) => `${kind === 'webhook' ? 'Webhook' : 'Callback'} ${url}`,
  },
  {
    title: 'Attempts',
    end: true,
    cell: ({ attemptsMade }) => counted(attemptsMade, 'attempt'),
  },
  madeColumn(),
];

/** The delivery log: who was told of what, and whether it arrived. */
export default function NotificationsPage() {
  const cursor = useCursor();
  const mayManage = useMay('manage');
  const { filter, isFiltered } = useNotificationFilter();
  const read = useRead(notificationsQuery, { filter, ...cursor.variables });
  useLive(notificationsUpdated, {}, read.refresh);
  return (
    <>
      <PageHeader title="Notifications" text="Delivery log of the last 90 days.">
        {mayManage && <ReplayButton onReplayed={read.refresh} />}
      </PageHeader>
      <NotificationFilterBar />
      <Section title={isFiltered ? 'Matching notifications' : 'All notifications'} flush>
        <Loaded read={read} lines={8}>
          {({ notifications }) => (
            <Paged
              page={notifications}
              cursor={cursor}
              empty={
                <Empty title={isFiltered ? 'No notifications found' : 'No notifications yet'}>
                  {isFiltered ? 'Try a different status or webhook.' : 'New notifications will appear here.'}
                </Empty>
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

type Filter = NonNullable<VariablesOf<typeof notificationsQuery>['filter']>;
type Status = NonNullable<Filter['status']>[number];

const statuses: { value: Status; label: string }[] = [
  { value: 'pending', label: 'Pending' },
  { value: 'delivered', label: 'Delivered' },
  { value: 'failed', label: 'Failed' },
  { value: 'skipped', label: 'Not sent' },
];

const kinds: { value: NonNullable<Filter['kind']>; label: string }[] = [
  { value: 'webhook', label: 'Webhooks' },
  { value: 'callback', label: 'Callbacks' },
];

/** The filter in the page's address, as the API takes it. */
function useNotificationFilter(): { filter: Filter; isFiltered: boolean } {
  const { read } = useFilter();
  return filterOf<Filter>({
    status: onlyOne(choiceOf(read('status'), statuses)),
    kind: choiceOf(read('kind'), kinds),
    webhookId: read('webhook'),
    chargeId: read('charge'),
    since: timeOfField(read('since') ?? '')?.toISOString() ?? null,
  });
}

function NotificationFilterBar() {
  const { data } = useRead(filterWebhooksQuery);
  const webhooks = (data?.webhooks.nodes ?? []).map(({ id, url }) => ({ value: id, label: url }));
  return (
    <FilterBar>
      <FilterChoice name="status" label="Status" choices={statuses} />
      <FilterChoice name="kind" label="Type" choices={kinds} />
      <FilterChoice name="webhook" label="Webhook" choices={webhooks} />
      <FilterTexts
        fields={[
          { name: 'charge', label: 'Charge', placeholder: 'ch_…', width: '8rem' },
          { name: 'since', label: 'Since', type: 'datetime-local' },
        ]}
      />
    </FilterBar>
  );
}

/** Sends again what failed, or was skipped, since a time. */
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
  const outcome = useOutcome();
  const [replayed, setReplayed] = useState<number>();
  const submit = async (form: FormData) => {
    setReplayed(undefined);
    const since = timeOfField(String(form.get('since')));
    if (!since) return;
    let total = 0;
    for (let hasMore = true; hasMore; ) {
      const answer = await replay({ input: { since: since.toISOString() } });
      outcome.take(answer);
      const result = answer.data?.replayNotifications;
      if (result?.__typename !== 'ReplayNotificationsSuccess') return;
      total += result.replayed;
      hasMore = result.hasMore;
    }
    setReplayed(total);
    onReplayed();
  };
  return (
    <Form outcome={outcome} onSubmit={submit}>
      <Text size="sm">
        Resends every notification that failed, or was skipped while its webhook was disabled. Each one keeps
        its webhook-id.
      </Text>
      {replayed !== undefined && (
        <Alert color="teal" variant="light" role="status">
          {replayed === 1 ? '1 notification is being resent.' : `${replayed} notifications are being resent.`}
        </Alert>
      )}
      <TextInput
        label="Since"
        name="since"
        type="datetime-local"
        required
        withAsterisk={false}
        defaultValue={fieldTime(new Date(serverNow().getTime() - dayMs))}
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
