import { graphql } from '../../graphql/graphql.ts';
import { pageInfoFields } from '../../parts/use-cursor.ts';
import { subscriptionRow } from './subscription-row.ts';

/** One page of the list. */
export const subscriptionsQuery = graphql(
  `
    query Subscriptions(
      $filter: SubscriptionFilter
      $first: Int
      $after: String
      $last: Int
      $before: String
    ) {
      subscriptions(filter: $filter, first: $first, after: $after, last: $last, before: $before) {
        nodes {
          ...SubscriptionRow
        }
        pageInfo {
          ...PageInfo
        }
      }
    }
  `,
  [subscriptionRow, pageInfoFields],
);
