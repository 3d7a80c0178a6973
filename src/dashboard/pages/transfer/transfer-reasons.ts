import type { TransferRow } from './transfer-row.ts';

type TransferReviewReason = NonNullable<TransferRow['reason']>;

/**
 * The reasons why a transfer needs review, each with a short label for lists and a long one. `invalid` is missing,
 * because it is the reason of rejected input, which creates no transfer.
 */
const reasonLabels: Record<Exclude<TransferReviewReason, 'invalid'>, { short: string; long: string }> = {
  id_reused: {
    short: 'Reference reused',
    long: 'The bank reference was already used with different content',
  },
  possible_duplicate: {
    short: 'Possible duplicate',
    long: 'Another source or file reported a transfer of the same amount, which may be the same money',
  },
  missing_reference: { short: 'No reference', long: 'No payment reference found' },
  unknown_reference: { short: 'Unknown reference', long: 'The payment reference does not match any charge' },
  mistyped_reference: {
    short: 'Typo in reference',
    long: 'The payment reference contains a typing error',
  },
  ambiguous_reference: {
    short: 'Ambiguous reference',
    long: 'The amount is not that of the charge with this payment reference, but that of one with a similar reference',
  },
  multiple_references: {
    short: 'Several references',
    long: 'The transfer contains the payment references of several open charges',
  },
  multiple_charges: { short: 'Several charges', long: 'Several charges had this exact amount at the time' },
  batch: { short: 'Batch', long: 'The bank booked several payments as one' },
  returned_payment: { short: 'Returned payment', long: 'A payment you sent was returned' },
  wrong_account: {
    short: 'Wrong account',
    long: 'The payment reference belongs to a charge on another account',
  },
  wrong_currency: { short: 'Wrong currency', long: 'The currency differs from the account’s' },
  charge_expired: { short: 'Paid after expiry', long: 'The charge had expired when it was paid' },
  charge_cancelled: { short: 'Charge cancelled', long: 'The charge was cancelled' },
  charge_completed: { short: 'Already paid', long: 'The charge had already been paid' },
  reversed: { short: 'Reversed', long: 'The bank reversed the transfer' },
  unknown_reversal: {
    short: 'Unknown reversal',
    long: 'The bank reversed a credit that is not recorded here',
  },
  unassigned: { short: 'Unassigned', long: 'The transfer was unassigned' },
  unknown_payout: { short: 'No refund', long: 'The payout reference does not match any refund' },
  payout_amount_mismatch: { short: 'Amount differs', long: 'The amount differs from the refund’s' },
  payout_not_expected: { short: 'Unexpected payout', long: 'The refund was not waiting to be paid' },
  payout_superseded: {
    short: 'Outdated payout reference',
    long: 'The payout reference is outdated because the refund was reopened; check which account was paid',
  },
  payout_repeated: {
    short: 'Possible double payout',
    long: 'The refund had already been paid; this may be a second payment',
  },
  multiple_refunds: {
    short: 'Several refunds',
    long: 'The transfer contains the payout references of several refunds',
  },
};

/** Formats a reason. Unknown reasons, of a newer server, are shown by their code. */
export function formatTransferReason(reason: TransferReviewReason, style: 'short' | 'long' = 'long'): string {
  const labels: Partial<Record<TransferReviewReason, { short: string; long: string }>> = reasonLabels;
  return labels[reason]?.[style] ?? reason.replaceAll('_', ' ');
}

export const transferReasons = Object.entries(reasonLabels).map(([value, { long }]) => ({
  value: value as TransferReviewReason,
  label: long,
}));
