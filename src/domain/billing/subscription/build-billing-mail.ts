import type { Merchant } from '../../../../prisma/client/client.ts';
import type { SystemTime } from '../../../kit/clock.ts';
import { formatDate, formatMoney, getLocale } from '../../../language/format.ts';
import { formatInterval } from '../../../language/format-interval.ts';
import { languages } from '../../../language/languages.ts';
import type { MessageInput } from '../../../message/enqueue-message.ts';
import { type BillingNotice, subscriptionMail } from '../../../message/mails/subscription-mail.ts';
import type { Service } from '../../platform/service.ts';
import { getRenewalMoney, toBillingTerms } from './billing-terms.ts';
import { getManageUrl } from './customer-pages.ts';
import type { LockedSubscription } from './lock-subscription.ts';
import { toMailEnvelope } from './to-mail-envelope.ts';

export type { BillingNotice };

/**
 * Builds the email that informs the customer about a change by the merchant. Returns undefined if the plan sends
 * no emails or the customer has no email address.
 */
export function buildBillingMail(
  service: Service,
  target: LockedSubscription,
  options: {
    notice: BillingNotice;
    merchant: Merchant;
    invoiceNumber?: number | undefined;
    systemNow: SystemTime;
  },
): MessageInput | undefined {
  const { subscription, plan } = target;
  const { email } = subscription;
  // A paused subscription has no next payment.
  const date = subscription.nextPayment ?? subscription.resumesAt;
  if (!plan.sendEmail || email === null) return undefined;
  const { notice, merchant, invoiceNumber, systemNow } = options;
  const envelope = toMailEnvelope({ ...subscription, email });
  const { language } = envelope;
  const locale = getLocale(language);
  return {
    ...envelope,
    kind: 'subscription-changed',
    content: subscriptionMail(language, {
      notice,
      merchant,
      plan: plan.name,
      number: invoiceNumber === undefined ? '' : String(invoiceNumber),
      amount: formatMoney(locale, getRenewalMoney(target)),
      interval: formatInterval({ strings: languages[language], locale }, toBillingTerms(plan).recurring),
      date: date === null ? '' : formatDate(locale, date, merchant.timeZone),
      manageUrl: getManageUrl(service, subscription),
    }),
    dedupeKey: `subscription-changed ${subscription.id} ${subscription.version}`,
    now: systemNow,
  };
}
