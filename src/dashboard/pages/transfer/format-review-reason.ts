import { t } from '../../language/texts.ts';
import type { TransferDetails } from './transfer-query.ts';
import { formatTransferReason } from './transfer-reasons.ts';

/** Explains why a transfer needs review. */
export function formatReviewReason({ reason, undoneAt }: TransferDetails): string {
  if (undoneAt !== null) return t.transfer.itsStatementWasUndoneAfterCompletion;
  return reason === null ? '' : formatTransferReason(reason);
}
