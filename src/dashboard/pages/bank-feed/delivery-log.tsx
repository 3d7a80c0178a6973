import { createdColumn } from '../../components/columns.tsx';
import { DataTable, type TableColumn } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { FilterBar, FilterSelect } from '../../components/filter-bar.tsx';
import { Link } from '../../components/link.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Paged } from '../../components/paged.tsx';
import { Section } from '../../components/section.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { useCursor } from '../../components/use-cursor.ts';
import { findChoice, toArray, useFilter } from '../../components/use-filter.ts';
import { formatSize } from '../../format/size.ts';
import { useInterval } from '../../graphql/use-interval.ts';
import { useCachedQuery } from '../../graphql/use-query-state.ts';
import { type FeedDeliveryRow, feedDeliveriesQuery } from './bank-feeds-query.ts';
import { deliveryStatuses, feedRefreshMs, formatDeliveryReason, formatReportedAmount } from './feed-texts.ts';

const columns: TableColumn<FeedDeliveryRow>[] = [
  {
    title: 'Delivery',
    cell: ({ id, results: [first, ...others], fileName, sizeBytes }) => (
      <Link to={`/feed-deliveries/${id}`}>
        {first
          ? `${formatReportedAmount(first)}${others.length > 0 ? ` and ${others.length} more` : ''}`
          : (fileName ?? formatSize(sizeBytes))}
      </Link>
    ),
  },
  { title: 'Status', cell: ({ status }) => <StatusBadge status={`delivery_${status}`} /> },
  { title: 'Reason', cell: ({ reason, detail }) => reason && formatDeliveryReason(reason, detail) },
  { title: 'From', cell: ({ ipAddress }) => ipAddress ?? 'Fetched' },
  createdColumn(),
];

/** Lists what a feed received or fetched in the last 90 days. */
export function DeliveryLog({ feedId, isPolled }: { feedId: string; isPolled: boolean }) {
  const cursor = useCursor();
  const { getFilter } = useFilter();
  const statuses = toArray(findChoice(getFilter('status'), deliveryStatuses));
  const filter = { bankFeedId: feedId, ...(statuses && { statuses }) };
  const query = useCachedQuery(feedDeliveriesQuery, { filter, ...cursor.variables });
  useInterval(feedRefreshMs, query.refresh);
  return (
    <>
      <FilterBar>
        <FilterSelect name="status" label="Status" choices={[...deliveryStatuses]} />
      </FilterBar>
      <Section title="Deliveries" isFlush>
        <Loaded query={query} lines={6}>
          {({ feedDeliveries }) => (
            <Paged
              page={feedDeliveries}
              cursor={cursor}
              empty={
                <EmptyState title={statuses ? 'No deliveries found' : 'No deliveries yet'}>
                  {statuses
                    ? 'Try a different status.'
                    : isPolled
                      ? 'They appear here as soon as a poll finds something new.'
                      : 'Enter the URL of this feed at your bank or provider.'}
                </EmptyState>
              }
            >
              {(rows) => <DataTable label="Deliveries" columns={columns} rows={rows} />}
            </Paged>
          )}
        </Loaded>
      </Section>
    </>
  );
}
