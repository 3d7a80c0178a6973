import { pageInfoFields } from '../../components/use-cursor.ts';
import { graphql, type ResultOf } from '../../graphql/graphql.ts';
import { transferRowFields } from '../transfer/transfer-row.ts';
import { discrepancyFields } from './discrepancy-list.tsx';
import { statementRowFields } from './statements-query.ts';

export const statementQuery = graphql(
  `
    query Statement($id: ID!, $first: Int, $after: String, $last: Int, $before: String) {
      statement(id: $id) {
        ...StatementRow
        sizeBytes
        sha256
        downloadUrl
        recordedCount
        discrepancyCount
        notes
        discrepancies {
          ...DiscrepancyFields
        }
        balances {
          account
          currency
          openingBalance
          openedOn
          closingBalance
          closedOn
        }
        confirmedBy {
          kind
          name
        }
        undoneCount
        undoneAt
        undoneBy {
          kind
          name
        }
        transfers(first: 1) {
          totalCount
        }
        finishedAt
      }
      transfers(
        filter: { statementId: $id, statuses: [exception] }
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
  [statementRowFields, discrepancyFields, transferRowFields, pageInfoFields],
);

type StatementQueryData = ResultOf<typeof statementQuery>;
export type StatementDetails = NonNullable<StatementQueryData['statement']>;
export type UnmatchedTransfers = StatementQueryData['transfers'];
