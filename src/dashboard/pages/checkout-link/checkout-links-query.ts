import { graphql, type ResultOf } from '../../graphql/graphql.ts';

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
          hasNextPage
          hasPreviousPage
          startCursor
          endCursor
        }
      }
    }
  `,
  [checkoutLinkRow],
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
        ... on Error {
          code
          message
        }
        ... on InvalidRequestError {
          errors {
            path
            message
          }
        }
      }
    }
  `,
  [checkoutLinkRow],
);

export const closeCheckoutLinkMutation = graphql(`
  mutation CloseCheckoutLink($id: ID!) {
    closeCheckoutLink(input: { id: $id }) {
      __typename
      ... on CloseCheckoutLinkSuccess {
        checkoutLink {
          id
          closedAt
        }
      }
      ... on Error {
        code
        message
      }
    }
  }
`);
