import { type ExceptionReason, exceptionReasons } from '../../payments/allocation/transfer-state.ts';

/** Why money that went out is no payout of a refund, in words for the merchant. Stored in `reason`; stable. */
const outgoingReasons = {
  unknown_payout: 'The reference carries no word of a refund',
  payout_amount_differs: 'The amount or currency is not that of the refund',
  payout_not_expected: 'The refund was not waiting to be paid',
  payout_superseded: 'The word is an old one: the refund was reopened since, and has a new one',
  payout_repeated: 'The refund had been paid already: this may be a second payment of it',
  several_refunds: 'The reference carries the words of several refunds',
} as const;

export type OutgoingReason = keyof typeof outgoingReasons;

/** Every reason that may stand on a transfer. */
export const transferReasons: Record<TransferReason, string> = { ...exceptionReasons, ...outgoingReasons };
export type TransferReason = ExceptionReason | OutgoingReason;
