import type { Transfer, TransferStatus } from '../../../../prisma/client/client.ts';
import { checkText } from '../../../kit/text.ts';

/**
 * Why a transfer is an exception, in words for the merchant. The reason is stored and stable.
 */
export const exceptionReasons = {
  invalid: 'The item cannot be read',
  id_reused: 'The bank reference was used before with other content',
  possible_duplicate:
    'An equal transfer came from another source, and neither carries a reference that tells them apart',
  no_nonce: 'The reference carries no word of a charge',
  unknown_nonce: 'The word in the reference belongs to no charge',
  several_nonces: 'The reference carries the words of several open charges',
  several_charges: 'Several charges asked this very amount at the time, and the reference names none of them',
  batch: 'The bank booked several payments as one, without their single amounts',
  returned_payment: 'A payment of yours that came back from the other bank',
  wrong_account: 'The word belongs to a charge on another receiving account',
  wrong_currency: 'The currency is not that of the receiving account',
  charge_expired: 'The charge had expired when the money was paid',
  charge_cancelled: 'The charge was cancelled',
  charge_completed: 'The charge had already been paid',
  reversed: 'The bank has taken the money back',
  unknown_reversal: 'The bank took a credit back that it had not told of',
  unassigned: 'You took it back from what it counted for',
} as const;

export type ExceptionReason = keyof typeof exceptionReasons;

/** Where a transfer may go after it was recorded; nothing is ever deleted. */
export const transferTransitions: Record<TransferStatus, readonly TransferStatus[]> = {
  matched: ['exception'],
  partial: ['exception', 'matched', 'over'],
  over: ['exception'],
  exception: ['matched', 'partial', 'over', 'returned', 'duplicate', 'outgoing'],
  returned: ['exception'],
  duplicate: [],
  outgoing: [],
};

/** What of a transfer stays open is an exception still, for the same reason. */
export function stillOpen(transfer: Transfer): { to: 'exception'; reason: ExceptionReason } {
  return { to: 'exception', reason: transfer.reason as ExceptionReason };
}

const noteMax = 500;

/** What a person writes about a decision. Error: `invalid_request`. */
export function parseNote(note: string | null | undefined): string | null {
  return note == null ? null : checkText(note, '/note', noteMax);
}
