import type { Invoice } from '../../../../prisma/client/client.ts';
import { transact } from '../../../event/unit-of-work.ts';
import type { MerchantTime } from '../../../kit/clock.ts';
import { hourMs } from '../../../kit/duration.ts';
import { DomainError, invalidInputError, rateLimitedError } from '../../../kit/errors.ts';
import { enqueueMessages } from '../../../message/enqueue-message.ts';
import type { MethodCode } from '../../../method/catalog.ts';
import type { Service } from '../../platform/service.ts';
import { type BillingChange, recordBillingChange } from '../subscription/billing-change.ts';
import { buildInvoiceMail } from '../subscription/build-billing-mail.ts';
import { readLockedSubscriptions } from '../subscription/lock-subscription.ts';
import { requestPayment } from '../subscription/request-payment.ts';
import { lockOpenInvoice } from './lock-open-invoice.ts';

/**
 * Requests the payment of an open invoice again: creates a charge if the last one has expired and the method is
 * available, and emails the invoice, even if the plan sends no emails; at most once an hour. Throws
 * `invoice_not_found`, `invoice_not_open`, `rate_limited`, or `invalid_request` without an email address.
 */
export async function resendInvoice(service: Service, options: BillingChange): Promise<Invoice> {
  const { id, now, actor, audit } = options;
  return transact(service, async (uow) => {
    const target = await lockOpenInvoice(uow, options);
    const { subscription, openInvoice } = target;
    if (subscription.email === null)
      throw invalidInputError('/id', 'must be an invoice of a customer with an email address');
    requireResendInterval(openInvoice, now);
    const method = subscription.method as MethodCode;
    try {
      await transact(uow, (part) => requestPayment(part, target, { method, now, actor }));
    } catch (error) {
      // The customer then chooses a method on the invoice's page.
      if (!(error instanceof DomainError)) throw error;
    }
    const invoice = await uow.tx.invoice.update({
      where: { id },
      data: { resentAt: now, version: { increment: 1 }, updatedAt: now },
    });
    const [current] = await readLockedSubscriptions(uow.tx, [subscription.id]);
    const merchant = await uow.tx.merchant.findUniqueOrThrow({ where: { id: subscription.merchantId } });
    const mailOptions = { occasion: 'resent', merchant, now, systemNow: audit.now } as const;
    const mail = buildInvoiceMail(uow, current!, mailOptions);
    if (mail) await enqueueMessages(uow, [mail]);
    await recordBillingChange(uow, current!, { ...options, action: 'invoice.resent' });
    return invoice;
  });
}

/** Throws `rate_limited` if the invoice was resent within the last hour. */
function requireResendInterval({ number, resentAt }: Invoice, now: MerchantTime): void {
  const waitMs = resentAt === null ? 0 : resentAt.getTime() + hourMs - now.getTime();
  if (waitMs <= 0) return;
  throw rateLimitedError(
    `Invoice ${number} was sent again less than an hour ago. Try again later.`,
    Math.ceil(waitMs / 1_000),
  );
}
