import { pageInfoFields } from '../../components/use-cursor.ts';
import { graphql } from '../../graphql/graphql.ts';
import { transferRowFields } from './transfer-row.ts';

export const transfersQuery = graphql(
  `
    query Transfers(
      $filter: TransferFilter
      $hasCount: Boolean!
      $first: Int
      $after: String
      $last: Int
      $before: String
      $reverse: Boolean
    ) {
      transfers(filter: $filter, first: $first, after: $after, last: $last, before: $before, reverse: $reverse) {
        totalCount @include(if: $hasCount)
        nodes {
          ...TransferRow
        }
        pageInfo {
          ...PageInfo
        }
      }
    }
  `,
  [transferRowFields, pageInfoFields],
);
