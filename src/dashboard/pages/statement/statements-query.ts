import { pageInfoFields } from '../../components/use-cursor.ts';
import { graphql, type ResultOf } from '../../graphql/graphql.ts';

/** What a line of the list shows. */
export const statementRowFields = graphql(`
  fragment StatementRow on Statement {
    id
    status
    fileName
    format
    progress
    entries
    importedByName
    createdAt
    receivingAccount {
      id
      method
      account
      bank
    }
    results {
      matched
      partial
      over
      exception
      duplicate
      returned
      outgoing
      ignored
    }
    error {
      line
      reason
    }
  }
`);

export type StatementRow = ResultOf<typeof statementRowFields>;

/** One page of the list. */
export const statementsQuery = graphql(
  `
    query Statements($first: Int, $after: String, $last: Int, $before: String) {
      statements(first: $first, after: $after, last: $last, before: $before) {
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

/** How often an import that goes on is looked at: it has no live field. */
export const importRefreshMs = 1_000;
