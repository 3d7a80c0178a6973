import { userErrorFields } from '../../graphql/errors.ts';
import { graphql, type ResultOf } from '../../graphql/graphql.ts';

const counterSaleFields = graphql(`
  fragment CounterSaleRow on CounterSale {
    id: sessionId
    status
    amount
    currency
    itemName
    method
    createdAt
  }
`);

export type CounterSaleRow = ResultOf<typeof counterSaleFields>;

const saleDetailFields = graphql(
  `
    fragment CounterSaleDetail on CounterSale {
      ...CounterSaleRow
      checkoutUrl
      hasPaymentReports
      receivingAccountId
      offers {
        method
        customerAmount
        customerCurrency
      }
      payment {
        amount
        currency
        referencePlacement
        isDemo
        destination {
          qrCode
          account
          accountName
          bank
          paymentReference
        }
      }
    }
  `,
  [counterSaleFields],
);

export type CounterSaleDetail = ResultOf<typeof saleDetailFields>;

export const pointOfSaleQuery = graphql(
  `
    query CounterPage {
      pointOfSale {
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

export type PointOfSale = NonNullable<ResultOf<typeof pointOfSaleQuery>['pointOfSale']>;

export const createCounterSaleMutation = graphql(
  `
    mutation CreateCounterSale($input: CreateCounterSaleInput!) {
      createCounterSale(input: $input) {
        __typename
        ... on CreateCounterSaleSuccess {
          counterSale {
            ...CounterSaleDetail
          }
        }
        ...UserErrorFields
      }
    }
  `,
  [saleDetailFields, userErrorFields],
);

export const chooseCounterSaleMethodMutation = graphql(
  `
    mutation ChooseCounterSaleMethod($input: ChooseCounterSaleMethodInput!) {
      chooseCounterSaleMethod(input: $input) {
        __typename
        ... on ChooseCounterSaleMethodSuccess {
          counterSale {
            ...CounterSaleDetail
          }
        }
        ...UserErrorFields
      }
    }
  `,
  [saleDetailFields, userErrorFields],
);

export const cancelCounterSaleMutation = graphql(
  `
    mutation CancelCounterSale($input: CancelCounterSaleInput!) {
      cancelCounterSale(input: $input) {
        __typename
        ... on CancelCounterSaleSuccess {
          counterSale {
            ...CounterSaleDetail
          }
        }
        ...UserErrorFields
      }
    }
  `,
  [saleDetailFields, userErrorFields],
);

export const simulateCounterPaymentMutation = graphql(
  `
    mutation SimulateCounterPayment($input: SimulateCounterPaymentInput!) {
      simulateCounterPayment(input: $input) {
        __typename
        ... on SimulateCounterPaymentSuccess {
          counterSale {
            ...CounterSaleDetail
          }
        }
        ...UserErrorFields
      }
    }
  `,
  [saleDetailFields, userErrorFields],
);

export const counterSaleUpdated = graphql(
  `
    subscription CounterSaleUpdated($id: ID!) {
      counterSaleUpdated(id: $id) {
        ...CounterSaleDetail
      }
    }
  `,
  [saleDetailFields],
);
