import type { Charge } from '../../../../prisma/client/client.ts';
import type { UnitOfWork } from '../../../event/unit-of-work.ts';
import { type Brand, brandColumns } from '../../../kit/brand.ts';
import type { SystemTime } from '../../../kit/clock.ts';
import { decimalToMinor } from '../../../kit/money.ts';
import { formatDateTime, formatMoney, getLocale } from '../../../language/format.ts';
import { type Language, languages } from '../../../language/languages.ts';
import { enqueueMessages } from '../../../message/enqueue-message.ts';
import { receiptMail } from '../../../message/mails/receipt-mail.ts';
import type { MethodCode } from '../../../method/catalog.ts';
import type { OrderLine } from '../../platform/order-line.ts';
import type { Service } from '../../platform/service.ts';
import { getChargeUrl } from '../customer-page/checkout-url.ts';
import { getReceiptAmount } from './charge-state.ts';
import { getCustomerLanguage } from './customer-language.ts';
import { findDisplayedOrders } from './displayed-orders.ts';

/**
 * Emails receipts to the customers of completed charges of one merchant, once per charge, if the merchant has
 * enabled them. `systemNow` is the time at which the emails are sent.
 */
export async function mailReceipts(
  uow: UnitOfWork<Service>,
  charges: readonly Charge[],
  { systemNow }: { systemNow: SystemTime },
): Promise<void> {
  const recipients = charges.filter(({ email }) => email !== null);
  const [first] = recipients;
  if (!first) return;
  const merchant = await uow.tx.merchant.findUniqueOrThrow({
    where: { id: first.merchantId },
    select: { ...brandColumns, emailReceipts: true, timeZone: true },
  });
  if (!merchant.emailReceipts) return;
  const orders = await findDisplayedOrders(uow.tx, recipients);
  const messages = recipients.map((charge) =>
    toReceiptMessage(uow, {
      charge,
      orders: orders.get(charge.id) ?? [],
      merchant,
      dedupeKey: `receipt ${charge.id}`,
      systemNow,
    }),
  );
  await enqueueMessages(uow, messages);
}

/** Returns the receipt of a charge, whose customer must have an email address. */
export function toReceiptMessage(
  service: Pick<Service, 'settings' | 'secrets'>,
  options: {
    charge: Charge;
    orders: readonly OrderLine[];
    merchant: Brand & { timeZone: string };
    dedupeKey: string;
    systemNow: SystemTime;
  },
) {
  const { charge, orders, merchant, dedupeKey, systemNow } = options;
  const { merchantId, mode, email } = charge;
  const language = getCustomerLanguage(charge);
  return {
    channel: 'email',
    audience: 'customer',
    trigger: 'merchant',
    kind: 'receipt',
    merchantId,
    mode,
    language,
    to: email as string,
    content: receiptMail(language, toFacts(service, { charge, orders, merchant, language })),
    dedupeKey,
    now: systemNow,
  } as const;
}

function toFacts(
  service: Pick<Service, 'settings' | 'secrets'>,
  options: {
    charge: Charge;
    orders: readonly OrderLine[];
    merchant: Brand & { timeZone: string };
    language: Language;
  },
): Parameters<typeof receiptMail>[1] {
  const { charge, orders, merchant, language } = options;
  const locale = getLocale(language);
  const { merchantCurrency, customerCurrency, completedAt, updatedAt } = charge;
  return {
    merchant,
    orders: orders.map((line) => toOrderFact(line, { locale, currency: merchantCurrency })),
    amount: formatMoney(locale, { minor: getReceiptAmount(charge), currency: customerCurrency }),
    method: languages[language].methods[charge.method as MethodCode],
    reference: charge.paymentReference,
    receivedAt: formatDateTime(locale, completedAt ?? updatedAt, merchant.timeZone),
    url: getChargeUrl(service, charge),
  };
}

/**
 * Returns the label of an order line, such as `2 × Tea`, and its formatted total, which is empty if the line
 * has no amount.
 */
function toOrderFact(
  { id, name, quantity, amount }: OrderLine,
  { locale, currency }: { locale: string; currency: string },
): [string, string] {
  const minor = amount === undefined ? undefined : decimalToMinor(amount, currency);
  const label = [quantity !== undefined && `${quantity} ×`, name ?? id].filter(Boolean).join(' ');
  return [
    label,
    minor === undefined ? '' : formatMoney(locale, { minor: minor * BigInt(quantity ?? 1), currency }),
  ];
}
