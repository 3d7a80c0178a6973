import type { TransferDetails } from './transfer-query.ts';
import { formatTransferReason } from './transfer-reasons.ts';

/** Explains why a transfer needs review. */
export function formatReviewReason({ reason, undoneAt }: TransferDetails): string {
  if (undoneAt !== null) return 'Its statement was undone, but its charge had already been completed';
  return reason === null ? '' : formatTransferReason(reason);
}
