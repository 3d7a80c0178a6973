import { Badge } from '@mantine/core';
import { formatCount } from '../format/count.ts';
import { graphql } from '../graphql/graphql.ts';
import { useLiveUpdates } from '../graphql/use-live-updates.ts';
import { useCachedQuery } from '../graphql/use-query-state.ts';
import { refundsUpdated } from '../pages/refund/refund-row.ts';
import { transfersUpdated } from '../pages/transfer/transfer-row.ts';

const reviewCountQuery = graphql(`
  query ReviewCount {
    transfers(filter: { statuses: [exception] }, first: 1) {
      totalCount
    }
  }
`);

const payoutCountQuery = graphql(`
  query PayoutCount {
    refundsAwaitingPayout(first: 1) {
      totalCount
    }
  }
`);

export function ReviewCount() {
  const { data, refresh } = useCachedQuery(reviewCountQuery);
  useLiveUpdates(transfersUpdated, {}, refresh);
  return <CountBadge count={data?.transfers.totalCount ?? 0} />;
}

export function PayoutCount() {
  const { data, refresh } = useCachedQuery(payoutCountQuery);
  useLiveUpdates(refundsUpdated, {}, refresh);
  return <CountBadge count={data?.refundsAwaitingPayout.totalCount ?? 0} />;
}

function CountBadge({ count }: { count: number }) {
  if (count === 0) return null;
  return (
    <Badge size="sm" variant="light" color="amber">
      {formatCount(count)}
    </Badge>
  );
}
