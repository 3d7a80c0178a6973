import { Badge } from '@mantine/core';
import { formatCount } from '../format/count.ts';
import { graphql } from '../graphql/graphql.ts';
import { useLiveUpdates } from '../graphql/use-live-updates.ts';
import { useCachedQuery } from '../graphql/use-query-state.ts';
import { transfersUpdated } from '../pages/transfer/transfer-row.ts';

const reviewCountQuery = graphql(`
  query ReviewCount {
    transfers(filter: { statuses: [exception] }, first: 1) {
      totalCount
    }
  }
`);

/** Shows the number of transfers that need review, with live updates; renders nothing while there are none. */
export function ReviewCount() {
  const { data, refresh } = useCachedQuery(reviewCountQuery);
  useLiveUpdates(transfersUpdated, {}, refresh);
  const count = data?.transfers.totalCount ?? 0;
  if (count === 0) return null;
  return (
    <Badge size="sm" variant="light" color="amber">
      {formatCount(count)}
    </Badge>
  );
}
