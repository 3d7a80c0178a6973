import { counted } from '../../format/count.ts';
import { useLive } from '../../graphql/use-live.ts';
import { useRead } from '../../graphql/use-read.ts';
import { madeColumn } from '../../parts/columns.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Link } from '../../parts/link.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { Paged } from '../../parts/paged.tsx';
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
    cell: ({ kind, url }) => `${kind === 'webhook' ? 'Webhook' : 'Callback'} ${url}`,
  },
  {
    title: 'Tries',
    end: true,
    cell: ({ attemptsMade }) => counted(attemptsMade, 'try', 'tries'),
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
      <PageHeader title="Notifications" text="Who was told of what in the last 90 days.">
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
                <Empty title={isFiltered ? 'No notification matches' : 'No notifications yet'}>
                  {isFiltered ? 'Choose another status or webhook.' : 'They show here as they are sent.'}
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
