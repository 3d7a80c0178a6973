import type { Charge } from '../../../../prisma/client/client.ts';
import type { UnitOfWork } from '../../../event/unit-of-work.ts';
import type { SystemTime } from '../../../kit/clock.ts';
import { formatMoney, getLocale } from '../../../language/format.ts';
import { getCountryLanguage, type Language, toLanguage } from '../../../language/languages.ts';
import { enqueueMessage } from '../../../message/enqueue-message.ts';
import { refundLinkMail } from '../../../message/mails/refund-link-mail.ts';
import { type MethodCode, paymentMethods } from '../../../method/catalog.ts';
import type { Service } from '../../platform/service.ts';
import { getRefundDetailsUrl } from './details-url.ts';
import type { RefundWithCharge } from './transition-refund.ts';

/**
 * Emails the customer the link to the page for payout details, once per link version. The email is in the
 * language of the customer's pages. If the customer has no email address
 * or the message limits are reached, no email is sent, and the merchant can give the link to the customer.
 * Uses the system time, not the test clock.
 */
export async function mailRefundLink(
  uow: UnitOfWork<Service>,
  { refund, charge }: RefundWithCharge,
  { systemNow }: { systemNow: SystemTime },
): Promise<void> {
  const url = getRefundDetailsUrl(uow, refund);
  if (charge.email === null || url === undefined) return;
  const { merchantId, mode } = refund;
  const merchant = await uow.tx.merchant.findUniqueOrThrow({
    where: { id: merchantId },
    select: { name: true },
  });
  const language = getCustomerLanguage(charge);
  await enqueueMessage(uow, {
    channel: 'email',
    audience: 'customer',
    // At the message limit, the refund continues without an email, because the merchant can give the link to
    // the customer.
    trigger: 'merchant',
    kind: 'refund-link',
    merchantId,
    mode,
    to: charge.email,
    language,
    content: refundLinkMail(language, {
      merchant: merchant.name,
      amount: formatMoney(getLocale(language), {
        minor: refund.customerAmount,
        currency: refund.customerCurrency,
      }),
      url,
      reference: refund.payoutReference,
      reason: refund.reopenReason,
    }),
    dedupeKey: `refund-link ${refund.id} ${refund.linkVersion}`,
    now: systemNow,
  });
}

/** Returns the language of the customer's pages or, if it is unknown, of the method's country. */
function getCustomerLanguage({ language, method }: Charge): Language {
  if (language !== null) return toLanguage(language);
  return getCountryLanguage(paymentMethods[method as MethodCode].country);
}
