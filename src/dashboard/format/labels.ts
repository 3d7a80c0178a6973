// Texts for codes of the API. Unknown codes, of a newer server, are shown as they are.

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

export function formatEvent(eventType: string): string {
  return eventTexts[eventType] ?? eventType.replaceAll('_', ' ');
}

/** Events about received money. Their actor reported the transfer, but did not cause it. */
const moneyEventTypes = new Set(['CHARGE_COMPLETE', 'charge_part_paid', 'charge_overpaid']);

export function isMoneyEvent(eventType: string): boolean {
  return moneyEventTypes.has(eventType);
}

/** Formats an actor. `isReporter` means that the actor reported the transfer and did not cause it. */
export function formatActor(
  { kind, objectId }: { kind: string; objectId: string | null },
  viewerId: string,
  { isReporter }: { isReporter: boolean },
): string {
  if (kind === 'user') return objectId === viewerId ? 'by you' : 'by another user';
  if (kind === 'api_key') return isReporter ? 'reported via the API' : 'via the API';
  if (kind === 'customer') return 'by the customer';
  if (kind === 'job') return 'automatically';
  if (kind === 'operator') return 'by an operator';
  return `by ${formatCode(kind)}`;
}

/** Returns the name of an actor, or its kind if it has no name. Operators are never named. */
export function formatActorName({ kind, name }: { kind: string; name: string | null }): string {
  return kind === 'operator' || name === null ? capitalize(formatCode(kind)) : name;
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

/** Formats a code such as `hk_bank_transfer`, for which no text is known. */
export function formatCode(code: string): string {
  return code.replaceAll('_', ' ');
}

const languageTexts: Record<string, string> = {
  en: 'English',
  'zh-Hant': 'Chinese (traditional)',
  zh: 'Chinese (simplified)',
  id: 'Indonesian',
  ms: 'Malay',
  fil: 'Filipino',
  vi: 'Vietnamese',
  th: 'Thai',
  ko: 'Korean',
  hi: 'Hindi',
};

export function formatLanguage(code: string): string {
  return languageTexts[code.replace('_', '-')] ?? code;
}

export function capitalize(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
