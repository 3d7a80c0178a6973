/** The wire's words in plain ones. A word that a newer server knows is shown as it is. */

const eventTexts: Record<string, string> = {
  charge_created: 'Charge created',
  CHARGE_COMPLETE: 'Completed',
  charge_completed: 'Completed: a payment of a subscription',
  charge_expired: 'Expired: not paid in time',
  charge_cancelled: 'Cancelled',
  charge_part_paid: 'Part of the amount arrived',
  charge_overpaid: 'More arrived than was asked',
  refund_initiated: 'Made, the customer is asked where the money goes',
  refund_processing: 'The customer told where the money goes',
  refund_completed: 'Paid back',
  refund_cancelled: 'Withdrawn',
  session_created: 'Made',
  session_initiated: 'The customer opened it',
  session_charged: 'The customer chose how to pay',
  session_expired: 'Expired: not used in time',
  session_cancelled: 'Cancelled',
  subscription_created: 'Enrolled',
  subscription_invoice_due: 'An invoice was made',
  subscription_paid: 'Paid',
  subscription_paused: 'Paused: not paid within the days of grace',
  subscription_cancelled: 'Cancelled',
  subscription_completed: 'Completed: all payments were made',
  transfer_exception: 'Money arrived that waits for a decision',
};

/** What an event says. */
export function eventText(message: string): string {
  return eventTexts[message] ?? message.replaceAll('_', ' ');
}

/** What comes of money that arrived: whoever told of it did not do it. */
const moneyMessages = new Set(['CHARGE_COMPLETE', 'charge_part_paid', 'charge_overpaid']);

export function isOfMoney(message: string): boolean {
  return moneyMessages.has(message);
}

/**
 * Who did it, of `key:<id>`, `user:<id>`, `customer`, `bank`, `job:<name>`. `isTold`: it is money that arrived, of which the
 * API may have told.
 */
export function actorText(actor: string, viewerId: string, { isTold }: { isTold: boolean }): string {
  const [kind, id] = actor.split(':');
  if (kind === 'user') return id === viewerId ? 'by you' : 'by a user of this dashboard';
  if (kind === 'key') return isTold ? 'told over the API' : 'over the API';
  if (kind === 'customer') return 'by the customer';
  if (kind === 'bank') return 'by a bank transfer';
  if (kind === 'job') return 'automatically';
  return `by ${actor}`;
}

const reasonTexts: Record<string, string> = {
  charge_cancelled: 'the charge was cancelled',
  charge_expired: 'the charge had expired',
  reversed: 'the bank took it back',
  unassigned: 'it was taken back by hand',
};

export function reasonText(reason: string): string {
  return reasonTexts[reason] ?? reason.replaceAll('_', ' ');
}

/** `hk_bank_transfer` where the method's name is not known. */
export function codeText(code: string): string {
  return code.replaceAll('_', ' ');
}

const languageTexts: Record<string, string> = { en: 'English', zh: 'Chinese', th: 'Thai' };

/** The language somebody is written to in. */
export function languageText(code: string): string {
  return languageTexts[code] ?? code;
}

export function capitalised(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
