import { fillText } from '../../../language/fill-text.ts';
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
import { t } from '../../language/texts.ts';
import { type FeedDeliveryRow, feedDeliveriesQuery } from './bank-feeds-query.ts';
import { deliveryStatuses, feedRefreshMs, formatDeliveryReason, formatReportedAmount } from './feed-texts.ts';

const columns: TableColumn<FeedDeliveryRow>[] = [
  {
    title: t.bankFeed.delivery,
    cell: ({ id, results: [first, ...others], fileName, sizeBytes }) => (
      <Link to={`/feed-deliveries/${id}`}>
        {first
          ? formatReportedAmounts(formatReportedAmount(first), others.length)
          : (fileName ?? formatSize(sizeBytes))}
      </Link>
    ),
  },
  { title: t.common.status, cell: ({ status }) => <StatusBadge status={`delivery_${status}`} /> },
  { title: t.common.reason, cell: ({ reason, detail }) => reason && formatDeliveryReason(reason, detail) },
  { title: t.bankFeed.fromAddress, cell: ({ ipAddress }) => ipAddress ?? t.bankFeed.fetched },
  createdColumn(),
];

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
        <FilterSelect name="status" label={t.common.status} choices={[...deliveryStatuses]} />
      </FilterBar>
      <Section title={t.bankFeed.deliveries} isFlush>
        <Loaded query={query} lines={6}>
          {({ feedDeliveries }) => (
            <Paged
              page={feedDeliveries}
              cursor={cursor}
              empty={
                <EmptyState title={statuses ? t.bankFeed.noDeliveriesFound : t.bankFeed.noDeliveriesYet}>
                  {statuses
                    ? t.bankFeed.tryADifferentStatus
                    : isPolled
                      ? t.bankFeed.theyAppearHereAs
                      : t.bankFeed.enterTheUrlOf}
                </EmptyState>
              }
            >
              {(rows) => <DataTable label={t.bankFeed.deliveries} columns={columns} rows={rows} />}
            </Paged>
          )}
        </Loaded>
      </Section>
    </>
  );
}

function formatReportedAmounts(amount: string, otherCount: number): string {
  return otherCount === 0 ? amount : fillText(t.bankFeed.amountAndMore, { amount, count: otherCount });
}
