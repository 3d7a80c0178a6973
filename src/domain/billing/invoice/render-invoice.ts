import type { Invoice, Merchant, Subscription } from '../../../../prisma/client/client.ts';
import { type InvoiceFacts, invoiceDocument } from '../../../document/invoice-document.ts';
import { formatName } from '../../../language/format-name.ts';
import { toLanguage } from '../../../language/languages.ts';
import { getLogo } from '../../accounts/merchant/logo.ts';
import type { OrderLine } from '../../platform/order-line.ts';
import type { Service } from '../../platform/service.ts';
import { getTax } from '../subscription-plan/tax.ts';
import { getInvoiceUrl } from './invoice-url.ts';

/**
 * Renders an invoice as a PDF in the language of the subscription. The terms and the merchant's name, address
 * and tax number are those that the invoice copied, so later changes of the plan or merchant do not alter
 * them.
 */
export async function renderInvoice(
  service: Pick<Service, 'secrets' | 'settings' | 'prisma'>,
  { invoice, subscription, merchant }: { invoice: Invoice; subscription: Subscription; merchant: Merchant },
): Promise<Buffer> {
  const { firstName, lastName, email, phone } = subscription;
  const name = formatName(subscription.language, { firstName, lastName });
  const logo = merchant.logo === '' ? undefined : await getLogo(service, merchant.logo);
  const { supportEmail, brandColor, timeZone } = merchant;
  const tax = getTax(invoice);
  const data: InvoiceFacts = {
    language: toLanguage(subscription.language),
    id: invoice.id,
    number: invoice.number,
    status: invoice.status,
    isFictional: invoice.mode === 'sandbox' || merchant.demo,
    merchant: {
      name: invoice.merchantName,
      address: invoice.merchantAddress,
      taxNumber: invoice.merchantTaxNumber,
      supportEmail,
      brandColor,
      logo,
    },
    customer: [name, email, phone].filter((line) => line !== null && line !== '') as string[],
    plan: invoice.planName,
    orders: invoice.orders as OrderLine[],
    total: { minor: invoice.amount, currency: invoice.currency },
    tax: tax && { ...tax, minor: invoice.taxAmount },
    period: { start: invoice.periodStart, end: invoice.periodEnd },
    timeZone,
    createdAt: invoice.createdAt,
    dueAt: invoice.dueAt,
    paidAt: invoice.paidAt,
    payUrl: getInvoiceUrl(service, invoice),
  };
  return invoiceDocument(data);
}
