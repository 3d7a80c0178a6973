import { graphql } from '../../graphql/graphql.ts';
import { transferRow } from './transfer-row.ts';

/** One page of the list. */
export const transfersQuery = graphql(
  `
    query Transfers($filter: TransferFilter, $first: Int, $after: String, $last: Int, $before: String) {
      transfers(filter: $filter, first: $first, after: $after, last: $last, before: $before) {
        nodes {
          ...TransferRow
        }
        pageInfo {
          hasNextPage
          hasPreviousPage
          startCursor
          endCursor
        }
      }
    }
  `,
  [transferRow],
);

/** The accounts that money can come to. */
export const accountsQuery = graphql(`
  query TransferAccounts {
    receivingAccounts(first: 50) {
      nodes {
        id
        method
        account
        bank
        currency
      }
    }
  }
`);

export const recordTransferMutation = graphql(`
  mutation RecordTransfer($input: RecordTransfersInput!) {
    recordTransfers(input: $input) {
      __typename
      ... on RecordTransfersSuccess {
        transfers {
          status
          reason
          detail
          transfer {
            id
          }
        }
      }
      ... on Error {
        code
        message
      }
    }
  }
`);
