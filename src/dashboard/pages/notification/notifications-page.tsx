import { Text } from '@mantine/core';
import { useQuery } from 'urql';
import { useLive } from '../../graphql/use-live.ts';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Link } from '../../parts/link.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Moment } from '../../parts/moment.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { Pager } from '../../parts/pager.tsx';
import { Section } from '../../parts/section.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { useCursor } from '../../parts/use-cursor.ts';
import { useMay } from '../../viewer.ts';
import { NotificationFilterBar, useNotificationFilter } from './notification-filter.tsx';
import { type NotificationRow, notificationsQuery, notificationsUpdated } from './notifications-query.ts';
import { ReplayButton } from './replay.tsx';

const columns: Column<NotificationRow>[] = [
  {
    title: 'Message',
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
    cell: ({ kind, url }) => (
      <Text size="sm" style={{ overflowWrap: 'anywhere' }} span>
        {kind === 'webhook' ? 'Webhook' : 'Callback'} {url}
      </Text>
    ),
  },
  {
    title: 'Tries',
    end: true,
    cell: ({ attemptsMade }) => (attemptsMade === 1 ? '1 try' : `${attemptsMade} tries`),
  },
  {
    title: 'Made',
    end: true,
    cell: ({ createdAt }) => (
      <Text size="sm" c="var(--causeway-muted)" span>
        <Moment at={createdAt} />
      </Text>
    ),
  },
];

/** The delivery log: who was told of what, and whether it arrived. */
export default function NotificationsPage() {
  const cursor = useCursor();
  const mayManage = useMay('manage');
  const { filter, isFiltered } = useNotificationFilter();
  const variables = { filter, ...cursor.variables };
  const [{ data, error }, reload] = useQuery({ query: notificationsQuery, variables });
  const refresh = () => reload({ requestPolicy: 'network-only' });
  useLive(notificationsUpdated, {}, refresh);
  return (
    <>
      <PageHeader title="Notifications" text="Who was told of what in the last 90 days.">
        {mayManage && <ReplayButton onReplayed={refresh} />}
      </PageHeader>
      <NotificationFilterBar />
      <Section title={isFiltered ? 'Matching notifications' : 'All notifications'} flush>
        <Loaded data={data} error={error} onRetry={refresh} lines={8}>
          {({ notifications: { nodes, pageInfo } }) => (
            <>
              {nodes.length > 0 ? (
                <DataTable label="Notifications" columns={columns} rows={nodes} />
              ) : (
                <Empty title={isFiltered ? 'No notification matches' : 'No notifications yet'}>
                  {isFiltered ? 'Choose another status or webhook.' : 'They show here as they are sent.'}
                </Empty>
              )}
              <Pager cursor={cursor} pageInfo={pageInfo} />
            </>
          )}
        </Loaded>
      </Section>
    </>
  );
}
