import { graphql, type ResultOf } from '../../graphql/graphql.ts';
import { pageInfoFields } from '../../parts/use-cursor.ts';
import { transferRow } from '../transfer/transfer-row.ts';
import { statementRow } from './statements-query.ts';

/** One statement, and a page of those of its transfers that a person has to look at. */
export const statementQuery = graphql(
  `
    query Statement($id: ID!, $first: Int, $after: String, $last: Int, $before: String) {
      statement(id: $id) {
        ...StatementRow
        size
        sha256
        fileUrl
        recorded
        finishedAt
      }
      transfers(
        filter: { statementId: $id, status: [exception] }
        first: $first
        after: $after
        last: $last
        before: $before
      ) {
        totalCount
        nodes {
          ...TransferRow
        }
        pageInfo {
          ...PageInfo
        }
      }
    }
  `,
  [statementRow, transferRow, pageInfoFields],
);

type Answer = ResultOf<typeof statementQuery>;
export type StatementDetails = NonNullable<Answer['statement']>;
export type WaitingTransfers = Answer['transfers'];
