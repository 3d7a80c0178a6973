import type { Transfer, TransferStatus } from '../../../../prisma/client/client.ts';
import { checkText } from '../../../kit/text.ts';

/**
 * The reasons for exceptions, with their texts for the merchant. The keys are stored and must not be renamed.
 */
export const exceptionReasons = {
  invalid: 'The input of the transfer is invalid, so the transfer was not recorded',
  id_reused: 'The bank reference was used before with different content',
  possible_duplicate:
    'Another source or file reported an equal transfer, and neither carries a reference that distinguishes them',
  missing_reference: 'The transfer carries no payment reference',
  unknown_reference: 'The payment reference belongs to no charge',
  mistyped_reference: 'The payment reference contains a typing error',
  ambiguous_reference:
    'The amount does not match the charge with this reference, but exactly matches one with a similar reference',
  multiple_references: 'The transfer carries the payment references of several open charges',
  multiple_charges:
    'Several charges were open for exactly this amount at the time, and the reference identifies none of them',
  batch: 'The bank booked several payments as one, without their individual amounts',
  returned_payment: 'The other bank returned a payment that you sent',
  wrong_account: 'The payment reference belongs to a charge on another receiving account',
  wrong_currency: 'The currency of the transfer differs from that of the receiving account',
  charge_expired: 'The payment reference belongs to a charge that expired before it was paid in full',
  charge_cancelled: 'The payment reference belongs to a charge that was cancelled',
  charge_completed:
    'The payment reference or the unique amount belongs to a charge that had already been paid',
  reversed: 'The bank has reversed the transfer, or its statement was undone',
  unknown_reversal: 'The bank reversed a credit that it had not reported',
  unassigned: 'A decision about the transfer was undone',
} as const;

export type ExceptionReason = keyof typeof exceptionReasons;

/** Allowed status changes of a recorded transfer. */
export const transferTransitions: Record<TransferStatus, readonly TransferStatus[]> = {
  matched: ['exception', 'undone'],
  partial: ['exception', 'matched', 'over', 'undone'],
  over: ['exception', 'undone'],
  exception: ['matched', 'partial', 'over', 'returned', 'duplicate', 'outgoing', 'dismissed', 'undone'],
  // A credit gets its earlier status again if the statement with its reversal is undone.
  returned: ['exception', 'matched', 'partial', 'over', 'dismissed', 'undone'],
  // A duplicate replaces the first report if the statement with that report is undone.
  duplicate: ['matched', 'partial', 'over', 'exception', 'returned', 'outgoing', 'dismissed', 'undone'],
  outgoing: ['exception', 'duplicate', 'undone'],
  dismissed: ['exception', 'returned', 'undone'],
  undone: [],
};

/**
 * The statuses with which a report of a transfer can be answered; `undone` results only from an undone
 * statement.
 */
export type RecordedStatus = Exclude<TransferStatus, 'undone'>;

/** Returns the unchanged status and reason of an exception of which only a part was assigned or returned. */
export function keepAsException(transfer: Transfer): { to: 'exception'; reason: ExceptionReason } {
  return { to: 'exception', reason: transfer.reason as ExceptionReason };
}

/** Returns whether another source may have reported an outgoing transfer before, and no user has decided about it. */
export function isPossibleDuplicateDebit({
  direction,
  status,
  reason,
}: Pick<Transfer, 'direction' | 'status' | 'reason'>): boolean {
  return direction === 'debit' && status === 'outgoing' && reason === 'possible_duplicate';
}

const noteLengthMax = 500;

/** Validates the note of a user. Throws `invalid_request`. */
export function parseNote(note: string | null | undefined): string | null {
  return note == null ? null : checkText(note, '/note', noteLengthMax);
}
