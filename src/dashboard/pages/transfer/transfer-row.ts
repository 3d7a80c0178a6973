import { graphql, type ResultOf } from '../../graphql/graphql.ts';

/** What a line of a list of transfers shows. */
export const transferRowFields = graphql(`
  fragment TransferRow on Transfer {
    id
    status
    reason
    direction
    amount
    amountOpen
    currency
    reference
    payerName
    paidAt
    paidAtIsDate
    source
    bankReference
    receivingAccount {
      id
      method
      account
      bank
    }
  }
`);

export type TransferRow = ResultOf<typeof transferRowFields>;

/** Transfers that need a decision or were decided about; what to read again. */
export const transfersUpdated = graphql(`
  subscription TransfersUpdated {
    transfersUpdated {
      id
    }
  }
`);

/** Who told of a transfer. */
export const sourceTexts: Record<TransferRow['source'], string> = {
  feed: 'Bank feed',
  statement: 'Bank statement',
  hand: 'Manual',
  simulation: 'Simulation',
};

/** Who paid, or at least what was written. */
export function getTransferTitle(
  transfer: Pick<TransferRow, 'payerName' | 'reference' | 'bankReference'>,
): string {
  return transfer.payerName || transfer.reference || transfer.bankReference;
}
