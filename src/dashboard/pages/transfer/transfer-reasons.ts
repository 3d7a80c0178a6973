import type { TransferRow } from './transfer-row.ts';

type Reason = NonNullable<TransferRow['reason']>;

/**
 * Why a transfer waits for a person: in plain words, and in one or two for a line of a list. `invalid` is said of what was
 * not taken, and of no transfer.
 */
const texts: Record<Exclude<Reason, 'invalid'>, { short: string; long: string }> = {
  id_reused: { short: 'Reference reused', long: 'The bank reference was used before with other content' },
  possible_duplicate: {
    short: 'Perhaps twice',
    long: 'Another source told of an equal transfer: it may be the same money',
  },
  no_nonce: { short: 'No word', long: 'The reference carries no word of a charge' },
  unknown_nonce: { short: 'Unknown word', long: 'The word in the reference belongs to no charge' },
  several_nonces: { short: 'Several words', long: 'The reference carries the words of several open charges' },
  several_charges: { short: 'Several charges', long: 'Several charges asked this very amount at the time' },
  batch: { short: 'Several in one', long: 'The bank booked several payments as one' },
  returned_payment: { short: 'Came back', long: 'A payment of yours that came back' },
  wrong_account: { short: 'Wrong account', long: 'The word belongs to a charge on another account' },
  wrong_currency: { short: 'Wrong currency', long: 'It is in another currency than the account’s' },
  charge_expired: { short: 'Too late', long: 'Its charge had expired when it was paid' },
  charge_cancelled: { short: 'Charge cancelled', long: 'Its charge was cancelled' },
  charge_completed: { short: 'Paid already', long: 'Its charge had already been paid' },
  reversed: { short: 'Taken back', long: 'The bank has taken the money back' },
  unknown_reversal: { short: 'Unknown reversal', long: 'The bank took back a credit that is not known here' },
  unassigned: { short: 'Open again', long: 'It was taken back from what it counted for' },
  unknown_payout: { short: 'No refund', long: 'The reference carries no word of a refund' },
  payout_amount_differs: { short: 'Other amount', long: 'The amount is not that of the refund' },
  payout_not_expected: { short: 'Not expected', long: 'The refund was not waiting to be paid' },
  payout_superseded: { short: 'Old word', long: 'The word is an old one: the refund was reopened since' },
  payout_repeated: {
    short: 'Paid twice?',
    long: 'The refund had been paid already: perhaps a second payment',
  },
  several_refunds: { short: 'Several refunds', long: 'The reference carries the words of several refunds' },
};

/** A reason that a newer server knows is shown as it is. */
export function transferReasonText(reason: Reason, form: 'short' | 'long' = 'long'): string {
  const known: Partial<Record<Reason, { short: string; long: string }>> = texts;
  return known[reason]?.[form] ?? reason.replaceAll('_', ' ');
}

/** For a choice of reasons. */
export const transferReasons = Object.entries(texts).map(([value, { long }]) => ({
  value: value as Reason,
  label: long,
}));
