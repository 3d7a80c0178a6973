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
 * Mails the customer the link of the page that asks where the money goes, in the language known from a subscription,
 * else that of the method's country; once for each generation of the link. Without an e-mail address the merchant hands
 * the link on, as beyond the limits of messages. The test clock never moves messages.
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
    // The refund goes on without its mail: the merchant can hand on the link.
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
    dedupeKey: `refund-link ${refund.id} ${refund.pageGeneration}`,
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
