import type { Charge } from '../../../../prisma/client/client.ts';
import type { UnitOfWork } from '../../../event/unit-of-work.ts';
import type { MachineTime } from '../../../kit/clock.ts';
import type { Tx } from '../../../kit/db.ts';
import { amountText } from '../../../message/amount-text.ts';
import { enqueueMessage } from '../../../message/enqueue-message.ts';
import { getCountryLanguage, type MessageLanguage, toMessageLanguage } from '../../../message/language.ts';
import { refundLinkMail } from '../../../message/mails/refund-link-mail.ts';
import { type MethodCode, paymentMethods } from '../../../method/catalogue.ts';
import type { Service } from '../../platform/service.ts';
import { refundDetailsUrl } from './details-url.ts';
import type { RefundWithCharge } from './transition-refund.ts';

/**
 * Mails the customer the link to the payout details page, once per generation of the link. The language is
 * that of the subscription, else that of the method's country. Without an email address, or beyond the
 * message limits, the merchant passes the link on. Uses the system time, not the test clock.
 */
export async function mailRefundLink(
  uow: UnitOfWork<Service>,
  { refund, charge }: RefundWithCharge,
  { machineNow }: { machineNow: MachineTime },
): Promise<void> {
  const url = refundDetailsUrl(uow, refund);
  if (charge.email === null || url === undefined) return;
  const { merchantId, mode } = refund;
  const merchant = await uow.tx.merchant.findUniqueOrThrow({
    where: { id: merchantId },
    select: { name: true },
  });
  const language = await getCustomerLanguage(uow.tx, charge);
  await enqueueMessage(uow, {
    channel: 'email',
    audience: 'customer',
    // At the message limit the refund continues without a mail, since the merchant can pass the link on.
    trigger: 'merchant',
    kind: 'refund-link',
    merchantId,
    mode,
    to: charge.email,
    language,
    content: refundLinkMail(language, {
      merchant: merchant.name,
      amount: amountText(language, { minor: refund.customerAmount, currency: refund.customerCurrency }),
      url,
      reference: refund.payoutReference,
      reason: refund.reopenReason,
    }),
    dedupeKey: `refund-link ${refund.id} ${refund.linkVersion}`,
    now: machineNow,
  });
}

async function getCustomerLanguage(tx: Tx, { subscriptionId, method }: Charge): Promise<MessageLanguage> {
  if (subscriptionId === null) return getCountryLanguage(paymentMethods[method as MethodCode].country);
  const { language } = await tx.subscription.findUniqueOrThrow({
    where: { id: subscriptionId },
    select: { language: true },
  });
  return toMessageLanguage(language);
}
