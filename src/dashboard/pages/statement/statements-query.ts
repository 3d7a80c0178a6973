import { pageInfoFields } from '../../components/use-cursor.ts';
import { graphql, type ResultOf } from '../../graphql/graphql.ts';

export const statementRowFields = graphql(`
  fragment StatementRow on Statement {
    id
    status
    fileName
    format
    progress
    entryCount
    importedBy {
      kind
      name
    }
    createdAt
    receivingAccount {
      id
      method
      account
      bank
    }
    resultCounts {
      matched
      partial
      over
      exception
      duplicate
      returned
      outgoing
      dismissed
      ignored
    }
    needsReviewCount
    error {
      line
      message
    }
  }
`);

export type StatementRow = ResultOf<typeof statementRowFields>;

export const statementsQuery = graphql(
  `
    query Statements($filter: StatementFilter, $first: Int, $after: String, $last: Int, $before: String) {
      statements(filter: $filter, first: $first, after: $after, last: $last, before: $before) {
        totalCount
        nodes {
          ...StatementRow
        }
        pageInfo {
          ...PageInfo
        }
      }
    }
  `,
  [statementRowFields, pageInfoFields],
);

/** The polling interval of a running import, which has no live updates. */
export const importRefreshMs = 1_000;
