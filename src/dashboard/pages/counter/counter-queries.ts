import { userErrorFields } from '../../graphql/errors.ts';
import { graphql, type ResultOf } from '../../graphql/graphql.ts';

const counterSaleFields = graphql(`
  fragment CounterSaleRow on CounterSale {
    id: sessionId
    status
    amount
    currency
    itemName
    checkoutUrl
    createdAt
  }
`);

export type CounterSaleRow = ResultOf<typeof counterSaleFields>;

export const counterQuery = graphql(
  `
    query CounterPage {
      counter {
        currencies
        items {
          id: checkoutLinkId
          name
          amount
          currency
        }
        sales {
          ...CounterSaleRow
        }
      }
    }
  `,
  [counterSaleFields],
);

export type CounterPageData = NonNullable<ResultOf<typeof counterQuery>['counter']>;

export const createCounterSaleMutation = graphql(
  `
    mutation CreateCounterSale($input: CreateCounterSaleInput!) {
      createCounterSale(input: $input) {
        __typename
        ... on CreateCounterSaleSuccess {
          counterSale {
            ...CounterSaleRow
          }
        }
        ...UserErrorFields
      }
    }
  `,
  [counterSaleFields, userErrorFields],
);

export const cancelCounterSaleMutation = graphql(
  `
    mutation CancelCounterSale($input: CancelCounterSaleInput!) {
      cancelCounterSale(input: $input) {
        __typename
        ... on CancelCounterSaleSuccess {
          counterSale {
            ...CounterSaleRow
          }
        }
        ...UserErrorFields
      }
    }
  `,
  [counterSaleFields, userErrorFields],
);

export const counterSaleUpdated = graphql(
  `
    subscription CounterSaleUpdated($id: ID!) {
      counterSaleUpdated(id: $id) {
        ...CounterSaleRow
      }
    }
  `,
  [counterSaleFields],
);
