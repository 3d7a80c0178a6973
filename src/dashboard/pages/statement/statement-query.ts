import { graphql, type ResultOf } from '../../graphql/graphql.ts';
import { transferRow } from '../transfer/transfer-row.ts';
import { statementRow } from './statements-query.ts';

/** One statement, and those of its transfers that a person has to look at. */
export const statementQuery = graphql(
  `
    query Statement($id: ID!) {
      statement(id: $id) {
        ...StatementRow
        size
        sha256
        fileUrl
        recorded
        finishedAt
        transfers(first: 1) {
          totalCount
        }
      }
      transfers(filter: { statementId: $id, status: [exception] }, first: 25) {
        totalCount
        nodes {
          ...TransferRow
        }
      }
    }
  `,
  [statementRow, transferRow],
);

export type StatementDetails = NonNullable<ResultOf<typeof statementQuery>['statement']>;
