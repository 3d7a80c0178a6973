import type { Charge, Refund } from '../../../../prisma/client/client.ts';
import type { UnitOfWork } from '../../../event/unit-of-work.ts';
import { type Brand, brandColumns } from '../../../kit/brand.ts';
import type { SystemTime } from '../../../kit/clock.ts';
import { formatMoney, getLocale } from '../../../language/format.ts';
import type { Language } from '../../../language/languages.ts';
import {
  enqueueMessage,
  type MessageInput,
  type MessageService,
  withdrawMessages,
} from '../../../message/enqueue-message.ts';
import type { MailContent } from '../../../message/mail.ts';
import { refundLinkMail } from '../../../message/mails/refund-link-mail.ts';
import { refundSentMail } from '../../../message/mails/refund-sent-mail.ts';
import type { Service } from '../../platform/service.ts';
import { getCustomerLanguage } from '../charge/customer-language.ts';
import { getRefundDetailsUrl } from './refund-details-page.ts';

type Refunded = { refund: Refund; charge: Charge };

/** Emails the customer the link to the page for payout details, once per link version. */
export async function mailRefundLink(
  uow: UnitOfWork<Service>,
  { refund, charge }: Refunded,
  { systemNow }: { systemNow: SystemTime },
): Promise<void> {
  const url = getRefundDetailsUrl(uow, refund);
  if (url === undefined) return;
  const { payoutReference: reference, reopenReason: reason } = refund;
  await mailCustomer(
    uow,
    { refund, charge },
    {
      kind: 'refund-link',
      dedupeKey: getRefundLinkKey(refund),
      write: (language, facts) => refundLinkMail(language, { ...facts, url, reference, reason }),
      now: systemNow,
    },
  );
}

/** Withdraws the unsent email with the link, because the refund no longer needs payout details. */
export async function withdrawRefundLink(
  { tx }: UnitOfWork,
  refund: Refund,
  { systemNow }: { systemNow: SystemTime },
): Promise<void> {
  await withdrawMessages(tx, [getRefundLinkKey(refund)], systemNow);
}

function getRefundLinkKey({ id, linkVersion }: Refund): string {
  return `refund-link ${id} ${linkVersion}`;
}

/** Emails the customer that the refund was paid, once per payout. */
export async function mailRefundSent(
  uow: UnitOfWork<MessageService>,
  { refund, charge }: Refunded,
  { systemNow }: { systemNow: SystemTime },
): Promise<void> {
  const { payoutReference: reference } = refund;
  await mailCustomer(
    uow,
    { refund, charge },
    {
      kind: 'refund-sent',
      dedupeKey: `refund-sent ${refund.id} ${reference}`,
      write: (language, facts) => refundSentMail(language, { ...facts, reference }),
      now: systemNow,
    },
  );
}

/**
 * Emails the customer in the language of their pages, at the system time, not that of the test clock. If the customer
 * has no email address or the message limits are reached, no email is sent, and the refund continues.
 */
async function mailCustomer(
  uow: UnitOfWork<MessageService>,
  { refund, charge }: Refunded,
  {
    write,
    ...message
  }: Pick<MessageInput, 'kind' | 'dedupeKey' | 'now'> & {
    write: (language: Language, facts: { merchant: Brand; amount: string }) => MailContent;
  },
): Promise<void> {
  if (charge.email === null) return;
  const { merchantId, mode, customerAmount: minor, customerCurrency: currency } = refund;
  const select = brandColumns;
  const merchant = await uow.tx.merchant.findUniqueOrThrow({ where: { id: merchantId }, select });
  const language = getCustomerLanguage(charge);
  const amount = formatMoney(getLocale(language), { minor, currency });
  await enqueueMessage(uow, {
    channel: 'email',
    audience: 'customer',
    trigger: 'merchant',
    merchantId,
    mode,
    language,
    to: charge.email,
    content: write(language, { merchant, amount }),
    ...message,
  });
}
