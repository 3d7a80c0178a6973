import { graphql, type ResultOf } from '../../graphql/graphql.ts';
import { refusalFields } from '../../graphql/refusal.ts';

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

export const advanceTestClockMutation = graphql(
  `
    mutation AdvanceTestClock($input: AdvanceTestClockInput!) {
      advanceTestClock(input: $input) {
        __typename
        ... on AdvanceTestClockSuccess {
          testClock {
            id
            now
            isAdvancing
            advancingTo
          }
        }
        ...Refusal
      }
    }
  `,
  [refusalFields],
);
