import type { TransferRow } from './transfer-row.ts';

type Reason = NonNullable<TransferRow['reason']>;

/** Why a transfer waits for a person, in plain words. A reason that a newer server knows is shown as it is. */
const texts: Partial<Record<Reason, string>> = {
  id_reused: 'The bank reference was used before with other content',
  possible_duplicate: 'Another source told of an equal transfer: it may be the same money',
  no_nonce: 'The reference carries no word of a charge',
  unknown_nonce: 'The word in the reference belongs to no charge',
  several_nonces: 'The reference carries the words of several open charges',
  several_charges: 'Several charges asked this very amount at the time',
  batch: 'The bank booked several payments as one',
  returned_payment: 'A payment of yours that came back',
  wrong_account: 'The word belongs to a charge on another account',
  wrong_currency: 'It is in another currency than the account’s',
  charge_expired: 'Its charge had expired when it was paid',
  charge_cancelled: 'Its charge was cancelled',
  charge_completed: 'Its charge had already been paid',
  reversed: 'The bank took the money back after it had counted',
  unknown_reversal: 'The bank took back a credit that is not known here',
  unassigned: 'It was taken back from what it counted for',
  unknown_payout: 'The reference carries no word of a refund',
  payout_amount_differs: 'The amount is not that of the refund',
  payout_not_expected: 'The refund was not waiting to be paid',
  payout_superseded: 'The word is an old one: the refund was reopened since',
  payout_repeated: 'The refund had been paid already: perhaps a second payment',
  several_refunds: 'The reference carries the words of several refunds',
};

export function transferReasonText(reason: Reason): string {
  return texts[reason] ?? reason.replaceAll('_', ' ');
}

/** For a choice of reasons. */
export const transferReasons = Object.entries(texts).map(([value, label]) => ({
  value: value as Reason,
  label,
}));

const shortTexts: Partial<Record<Reason, string>> = {
  no_nonce: 'No word',
  unknown_nonce: 'Unknown word',
  several_nonces: 'Several words',
  several_charges: 'Several charges',
  possible_duplicate: 'Perhaps twice',
  id_reused: 'Reference reused',
  batch: 'Several in one',
  returned_payment: 'Came back',
  wrong_account: 'Wrong account',
  wrong_currency: 'Wrong currency',
  charge_expired: 'Too late',
  charge_cancelled: 'Charge cancelled',
  charge_completed: 'Paid already',
  reversed: 'Taken back',
  unknown_reversal: 'Unknown reversal',
  unassigned: 'Open again',
  unknown_payout: 'No refund',
  payout_amount_differs: 'Other amount',
  payout_not_expected: 'Not expected',
  payout_superseded: 'Old word',
  payout_repeated: 'Paid twice?',
  several_refunds: 'Several refunds',
};

/** The same in a word or two, for a line of a list. */
export function transferReasonShort(reason: Reason): string {
  return shortTexts[reason] ?? reason.replaceAll('_', ' ');
}
