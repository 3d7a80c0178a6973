import { graphql } from '../../graphql/graphql.ts';
import { pageInfoFields } from '../../parts/use-cursor.ts';
import { refundRow } from './refund-row.ts';

/** One page of the list. */
export const refundsQuery = graphql(
  `
    query Refunds($filter: RefundFilter, $first: Int, $after: String, $last: Int, $before: String) {
      refunds(filter: $filter, first: $first, after: $after, last: $last, before: $before) {
        nodes {
          ...RefundRow
        }
        pageInfo {
          ...PageInfo
        }
      }
    }
  `,
  [refundRow, pageInfoFields],
);
