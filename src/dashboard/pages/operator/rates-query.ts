import { graphql, type ResultOf } from '../../graphql/graphql.ts';
import { refusalFields } from '../../graphql/refusal.ts';

export const ratesQuery = graphql(`
  query ExchangeRates {
    exchangeRates {
      currency
      rate
      source
      counts
      asOf
      fetchedAt
      setBy
    }
  }
`);

export type RateRow = ResultOf<typeof ratesQuery>['exchangeRates'][number];

export const setRateMutation = graphql(
  `
    mutation SetRate($input: SetRateInput!) {
      setRate(input: $input) {
        __typename
        ...Refusal
      }
    }
  `,
  [refusalFields],
);

export const removeRateMutation = graphql(
  `
    mutation RemoveRate($input: RemoveRateInput!) {
      removeRate(input: $input) {
        __typename
        ...Refusal
      }
    }
  `,
  [refusalFields],
);
