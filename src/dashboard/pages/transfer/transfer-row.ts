import { graphql, type ResultOf } from '../../graphql/graphql.ts';
import { t } from '../../language/texts.ts';

export const transferRowFields = graphql(`
  fragment TransferRow on Transfer {
    id
    status
    reason
    direction
    amount
    amountUnallocated
    currency
    reference
    payerName
    paidAt
    isPaidAtDateOnly
    source
    bankReference
    receivingAccount {
      id
      method
      account
      bank
      timeZone
    }
  }
`);

export type TransferRow = ResultOf<typeof transferRowFields>;

/** Reports the IDs of changed transfers and of new ones that need review, so that lists can reload. */
export const transfersUpdated = graphql(`
  subscription TransfersUpdated {
    transfersUpdated {
      id
    }
  }
`);

export const sourceTexts: Record<TransferRow['source'], string> = {
  feed: t.transfer.bankFeed,
  statement: t.transfer.bankStatement,
  manual: t.transfer.manual,
  simulation: t.transfer.simulation,
};

/** Returns the payer's name or, if it is missing, the reference or the bank's reference. */
export function getTransferTitle(
  transfer: Pick<TransferRow, 'payerName' | 'reference' | 'bankReference'>,
): string {
  const { payerName, reference, bankReference } = transfer;
  return payerName || reference || bankReference || t.common.unknown;
}
