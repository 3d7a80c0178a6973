import { fillText } from '../../language/fill-text.ts';
import { t } from '../language/texts.ts';

// Texts for codes of the API. Unknown codes, of a newer server, are shown as they are.

const eventTexts: Record<string, string> = {
  charge_created: t.format.chargeCreated,
  CHARGE_COMPLETE: t.common.completed,
  charge_completed: t.format.completedSubscriptionPayment,
  charge_expired: t.format.expiredNotPaidIn,
  charge_cancelled: t.common.cancelled,
  charge_extended: t.common.moreTimeForTheRest,
  charge_part_paid: t.format.partialPaymentReceived,
  charge_overpaid: t.format.overpaymentReceived,
  refund_initiated: t.format.createdWaitingForThe,
  refund_processing: t.format.customerProvidedBankDetails,
  refund_completed: t.common.refunded,
  refund_cancelled: t.common.cancelled,
  session_created: t.format.created,
  session_initiated: t.format.openedByTheCustomer,
  session_charged: t.format.customerChoseAPayment,
  session_expired: t.format.expiredNotUsedIn,
  session_cancelled: t.common.cancelled,
  subscription_created: t.format.enrolled,
  subscription_invoice_due: t.format.invoiceCreated,
  subscription_paid: t.common.paid,
  subscription_paused: t.common.paused,
  subscription_resumed: t.format.resumed,
  subscription_updated: t.format.termsOrScheduleChanged,
  subscription_cancelled: t.common.cancelled,
  subscription_completed: t.format.completedAllPaymentsReceived,
  transfer_exception: t.format.transferNeedsReview,
};

export function formatEvent(eventType: string): string {
  return eventTexts[eventType] ?? eventType.replaceAll('_', ' ');
}

/** Events about received money. */
const moneyEventTypes = new Set(['CHARGE_COMPLETE', 'charge_part_paid', 'charge_overpaid']);

export function isMoneyEvent(eventType: string): boolean {
  return moneyEventTypes.has(eventType);
}

/** `isReporter` means that the actor recorded a payment that the customer made. */
export function formatActor(
  { kind, objectId, name }: { kind: string; objectId: string | null; name: string | null },
  viewerId: string,
  { isReporter }: { isReporter: boolean },
): string {
  const user = isReporter
    ? { you: t.format.recordedByYou, other: t.format.recordedByAnotherUser, named: t.format.recordedBy }
    : { you: t.format.byYou, other: t.format.byAnotherUser, named: t.format.by };
  if (kind === 'user' && objectId === viewerId) return user.you;
  if (kind === 'user') return name === null ? user.other : fillText(user.named, { kind: name });
  if (kind === 'api_key') return isReporter ? t.format.reportedViaTheApi : t.format.viaTheApi;
  if (kind === 'customer') return t.format.byTheCustomer;
  if (kind === 'job') return t.format.automatically;
  if (kind === 'operator') return t.format.byAnOperator;
  return fillText(t.format.by, { kind: formatCode(kind) });
}

const actorKindTexts: Record<string, string> = {
  user: t.user.user,
  api_key: t.bankFeed.apiKey,
  customer: t.common.customer,
  job: t.format.system,
  operator: t.components.operator,
};

/** Returns the name of an actor, or its kind if it has no name. Operators are never named. */
export function formatActorName({ kind, name }: { kind: string; name: string | null }): string {
  return kind === 'operator' || name === null ? (actorKindTexts[kind] ?? capitalize(formatCode(kind))) : name;
}

const methodTexts: Record<string, string> = t.methods;

/** Returns the name of a payment method, including methods that the merchant no longer accepts. */
export function formatMethod(code: string): string {
  return methodTexts[code] ?? formatCode(code);
}

/** Formats a code for which no text is known, such as `hk_bank_transfer`. */
export function formatCode(code: string): string {
  return code.replaceAll('_', ' ');
}

const languageTexts: Record<string, string> = {
  en: t.format.english,
  'zh-Hant': t.format.chineseTraditional,
  zh: t.format.chineseSimplified,
  id: t.format.indonesian,
  ms: t.format.malay,
  fil: t.format.filipino,
  vi: t.format.vietnamese,
  th: t.format.thai,
  ko: t.format.korean,
  hi: t.format.hindi,
};

export function formatLanguage(code: string): string {
  return languageTexts[code.replace('_', '-')] ?? code;
}

export function capitalize(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
