/** Texts for codes of the API. Unknown codes of a newer server are shown as they are. */

const eventTexts: Record<string, string> = {
  charge_created: 'Charge created',
  CHARGE_COMPLETE: 'Completed',
  charge_completed: 'Completed: subscription payment',
  charge_expired: 'Expired: not paid in time',
  charge_cancelled: 'Cancelled',
  charge_part_paid: 'Partial payment received',
  charge_overpaid: 'Overpayment received',
  refund_initiated: 'Created, waiting for the customer’s bank details',
  refund_processing: 'Customer provided bank details',
  refund_completed: 'Refunded',
  refund_cancelled: 'Cancelled',
  session_created: 'Created',
  session_initiated: 'Opened by the customer',
  session_charged: 'Customer chose a payment method',
  session_expired: 'Expired: not used in time',
  session_cancelled: 'Cancelled',
  subscription_created: 'Enrolled',
  subscription_invoice_due: 'Invoice created',
  subscription_paid: 'Paid',
  subscription_paused: 'Paused: grace period ended',
  subscription_cancelled: 'Cancelled',
  subscription_completed: 'Completed: all payments received',
  transfer_exception: 'Transfer needs review',
};

/** Describes an event. */
export function formatEvent(message: string): string {
  return eventTexts[message] ?? message.replaceAll('_', ' ');
}

/** Events about received money. Their actor only reported the transfer and did not cause it. */
const moneyEventTypes = new Set(['CHARGE_COMPLETE', 'charge_part_paid', 'charge_overpaid']);

export function isMoneyEvent(message: string): boolean {
  return moneyEventTypes.has(message);
}

/**
 * Formats an actor: `key:<id>`, `user:<id>`, `customer`, `bank` or `job:<name>`. With `isReported`, the actor
 * only reported the event through the API.
 */
export function formatActor(
  actor: string,
  viewerId: string,
  { isReported }: { isReported: boolean },
): string {
  const [kind, id] = actor.split(':');
  if (kind === 'user') return id === viewerId ? 'by you' : 'by another user';
  if (kind === 'key') return isReported ? 'reported via the API' : 'via the API';
  if (kind === 'customer') return 'by the customer';
  if (kind === 'bank') return 'by a bank transfer';
  if (kind === 'job') return 'automatically';
  return `by ${actor}`;
}

const reasonTexts: Record<string, string> = {
  charge_cancelled: 'the charge was cancelled',
  charge_expired: 'the charge expired',
  reversed: 'the bank reversed the transfer',
  unassigned: 'the transfer was unassigned manually',
};

export function formatReason(reason: string): string {
  return reasonTexts[reason] ?? reason.replaceAll('_', ' ');
}

/** Formats a method code such as `hk_bank_transfer`, for methods whose name is unknown. */
export function formatCode(code: string): string {
  return code.replaceAll('_', ' ');
}

const languageTexts: Record<string, string> = { en: 'English', zh: 'Chinese', th: 'Thai' };

/** Formats the language of messages. */
export function formatLanguage(code: string): string {
  return languageTexts[code] ?? code;
}

export function capitalize(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
