import { t } from '../../language/texts.ts';
import type { TransferRow } from './transfer-row.ts';

type TransferReviewReason = NonNullable<TransferRow['reason']>;

/**
 * The reasons why a transfer needs review, each with a short label for lists and a long one. `invalid` is missing,
 * because it is the reason of rejected input, which creates no transfer.
 */
const reasonLabels: Record<Exclude<TransferReviewReason, 'invalid'>, { short: string; long: string }> = {
  id_reused: {
    short: t.transfer.referenceReused,
    long: t.transfer.theBankReferenceWas,
  },
  possible_duplicate: {
    short: t.transfer.possibleDuplicate,
    long: t.transfer.anotherSourceOrFile,
  },
  missing_reference: { short: t.transfer.noReference, long: t.transfer.noPaymentReferenceFound },
  unknown_reference: { short: t.transfer.unknownReference, long: t.transfer.thePaymentReferenceDoes },
  mistyped_reference: {
    short: t.transfer.typoInReference,
    long: t.transfer.thePaymentReferenceContains,
  },
  ambiguous_reference: {
    short: t.transfer.ambiguousReference,
    long: t.transfer.theAmountIsNot,
  },
  multiple_references: {
    short: t.transfer.severalReferences,
    long: t.transfer.theTransferContainsThe,
  },
  multiple_charges: { short: t.transfer.severalCharges, long: t.transfer.severalChargesHadThis },
  batch: { short: t.transfer.batch, long: t.transfer.theBankBookedSeveral },
  returned_payment: { short: t.transfer.returnedPayment, long: t.transfer.aPaymentYouSent },
  wrong_account: {
    short: t.transfer.wrongAccount,
    long: t.transfer.thePaymentReferenceBelongs,
  },
  wrong_currency: { short: t.transfer.wrongCurrency, long: t.transfer.theCurrencyDiffersFrom },
  charge_expired: { short: t.transfer.chargeExpired, long: t.transfer.theChargeExpiredBefore },
  charge_cancelled: { short: t.transfer.chargeCancelled, long: t.transfer.theChargeWasCancelled },
  charge_completed: { short: t.transfer.alreadyPaid, long: t.transfer.theChargeHadAlready },
  reversed: { short: t.transfer.reversed, long: t.transfer.theBankReversedThe },
  unknown_reversal: {
    short: t.transfer.unknownReversal,
    long: t.transfer.theBankReversedA,
  },
  unassigned: { short: t.transfer.unassigned, long: t.transfer.theTransferWasUnassigned },
  unknown_payout: { short: t.transfer.noRefund, long: t.transfer.thePayoutReferenceDoes },
  payout_amount_mismatch: { short: t.transfer.amountDiffers, long: t.transfer.theAmountDiffersFrom },
  payout_not_expected: { short: t.transfer.unexpectedPayout, long: t.transfer.theRefundWasNot },
  payout_superseded: {
    short: t.transfer.outdatedPayoutReference,
    long: t.transfer.thePayoutReferenceIs,
  },
  payout_repeated: {
    short: t.transfer.possibleDoublePayout,
    long: t.transfer.theRefundHadAlready,
  },
  multiple_refunds: {
    short: t.transfer.severalRefunds,
    long: t.transfer.theTransferContainsThePayout,
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
