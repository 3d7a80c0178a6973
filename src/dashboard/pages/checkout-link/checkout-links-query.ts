import { graphql, type ResultOf } from '../../graphql/graphql.ts';
import { refusalFields } from '../../graphql/refusal.ts';
import { pageInfoFields } from '../../parts/use-cursor.ts';

const checkoutLinkRow = graphql(`
  fragment CheckoutLinkRow on CheckoutLink {
    id
    url
    amount
    currency
    orders {
      name
      quantity
    }
    uses
    usesLimit
    closedAt
    createdAt
  }
`);

export type CheckoutLinkRow = ResultOf<typeof checkoutLinkRow>;

export const checkoutLinksQuery = graphql(
  `
    query CheckoutLinks($first: Int, $after: String, $last: Int, $before: String) {
      checkoutLinks(first: $first, after: $after, last: $last, before: $before) {
        nodes {
          ...CheckoutLinkRow
        }
        pageInfo {
          ...PageInfo
        }
      }
    }
  `,
  [checkoutLinkRow, pageInfoFields],
);

export const createCheckoutLinkMutation = graphql(
  `
    mutation CreateCheckoutLink($input: CreateCheckoutLinkInput!) {
      createCheckoutLink(input: $input) {
        __typename
        ... on CreateCheckoutLinkSuccess {
          checkoutLink {
            ...CheckoutLinkRow
          }
        }
        ...Refusal
      }
    }
  `,
  [checkoutLinkRow, refusalFields],
);

export const closeCheckoutLinkMutation = graphql(
  `
    mutation CloseCheckoutLink($input: CloseCheckoutLinkInput!) {
      closeCheckoutLink(input: $input) {
        __typename
        ... on CloseCheckoutLinkSuccess {
          checkoutLink {
            id
            closedAt
          }
        }
        ...Refusal
      }
    }
  `,
  [refusalFields],
);
