import { graphql } from '../../graphql/graphql.ts';
import { pageInfoFields } from '../../parts/use-cursor.ts';
import { chargeRow } from './charge-row.ts';

/** One page of the list. */
export const chargesQuery = graphql(
  `
    query Charges($filter: ChargeFilter, $first: Int, $after: String, $last: Int, $before: String) {
      charges(filter: $filter, first: $first, after: $after, last: $last, before: $before) {
        nodes {
          ...ChargeRow
        }
        pageInfo {
          ...PageInfo
        }
      }
    }
  `,
  [chargeRow, pageInfoFields],
);
