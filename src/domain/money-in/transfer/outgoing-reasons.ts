import { type ExceptionReason, exceptionReasons } from '../../payments/allocation/transfer-state.ts';

/**
 * Why an outgoing transfer is not a refund payout, with a text for the merchant. The keys are stored in
 * `transfer.reason`, so they must not change.
 */
const outgoingReasons = {
  unknown_payout: 'The outgoing transfer carries no payout reference of a refund',
  payout_amount_mismatch: 'The amount or currency of the outgoing transfer differs from that of the refund',
  payout_not_expected:
    'The outgoing transfer carries the payout reference of a refund that was not ready to be paid',
  payout_superseded:
    'The outgoing transfer carries an outdated payout reference, because the refund was reopened and has a new one; check which account was paid',
  payout_repeated:
    'The outgoing transfer carries the payout reference of a refund that had already been paid, so this may be a second payment',
  multiple_refunds: 'The outgoing transfer carries the payout references of several refunds',
} as const;

export type OutgoingReason = keyof typeof outgoingReasons;

export const transferReasons: Record<TransferReason, string> = { ...exceptionReasons, ...outgoingReasons };
export type TransferReason = ExceptionReason | OutgoingReason;
