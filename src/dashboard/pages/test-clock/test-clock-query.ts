import { graphql, type ResultOf } from '../../graphql/graphql.ts';

export const testClockQuery = graphql(`
  query TestClock {
    testClock {
      id
      now
      isAdvancing
      advancingTo
    }
  }
`);

export type TestClock = NonNullable<ResultOf<typeof testClockQuery>['testClock']>;

export const advanceTestClockMutation = graphql(`
  mutation AdvanceTestClock($to: DateTime!) {
    advanceTestClock(input: { to: $to }) {
      __typename
      ... on AdvanceTestClockSuccess {
        testClock {
          id
          now
          isAdvancing
          advancingTo
        }
      }
      ... on Error {
        code
        message
      }
    }
  }
`);
