import { fillText } from '../../../language/fill-text.ts';
import type { BadgeStatus } from '../../components/status-badge.tsx';
import { formatAmount } from '../../format/amount.ts';
import { formatPayer } from '../../format/payer.ts';
import { t } from '../../language/texts.ts';
import { formatOrderAndEmail, getChargeBadge } from '../charge/charge-row.ts';
import { getInvoiceBadge } from '../invoice/invoice-row.ts';
import { getStatusBadge } from '../subscription/subscription-row.ts';
import { getTransferTitle } from '../transfer/transfer-row.ts';
import type { findPages } from './find-pages.ts';
import type { SearchResults } from './search-query.ts';

type SearchItem = {
  id: string;
  path: string;
  title: string;
  detail: string | null;
  amount: string | null;
  status: BadgeStatus | null;
  createdAt: string | null;
  isCreatedAtDateOnly?: boolean;
};
export type SearchGroup = { title: string; items: SearchItem[] };

export function toPageGroups(pages: ReturnType<typeof findPages>): SearchGroup[] {
  const items = pages.map(
    ({ path, title, detail }, index): SearchItem => ({
      id: `page-${index}`,
      path,
      title,
      detail: detail || null,
      amount: null,
      status: null,
      createdAt: null,
    }),
  );
  return items.length > 0 ? [{ title: t.search.pages, items }] : [];
}

/** Returns the results without empty groups. */
export function toSearchGroups(results: SearchResults): SearchGroup[] {
  const { charges, transfers, customers, refunds, subscriptions, invoices } = results;
  const groups: SearchGroup[] = [
    { title: t.common.charges, items: charges.map(toChargeItem) },
    { title: t.common.transfers, items: transfers.map(toTransferItem) },
    { title: t.common.customers, items: customers.map(toCustomerItem) },
    { title: t.common.refunds, items: refunds.map(toRefundItem) },
    { title: t.common.subscriptions, items: subscriptions.map(toSubscriptionItem) },
    { title: t.common.invoices, items: invoices.map(toInvoiceItem) },
  ];
  return groups.filter(({ items }) => items.length > 0);
}

const toChargeItem = (charge: SearchResults['charges'][number]): SearchItem => ({
  id: charge.id,
  path: `/charges/${charge.id}`,
  title: formatPayer(charge),
  detail: formatOrderAndEmail(charge) || null,
  amount: formatAmount(charge.customerAmount, charge.customerCurrency),
  status: getChargeBadge(charge),
  createdAt: charge.createdAt,
});

const toTransferItem = (transfer: SearchResults['transfers'][number]): SearchItem => ({
  id: transfer.id,
  path: `/transfers/${transfer.id}`,
  title: getTransferTitle(transfer),
  detail: transfer.reference,
  amount: formatAmount(
    transfer.direction === 'debit' ? `-${transfer.amount}` : transfer.amount,
    transfer.currency,
  ),
  status: transfer.status,
  createdAt: transfer.paidAt,
  isCreatedAtDateOnly: transfer.isPaidAtDateOnly,
});

const toCustomerItem = (customer: SearchResults['customers'][number]): SearchItem => ({
  id: customer.id,
  path: `/customers/${customer.id}`,
  title: formatPayer(customer),
  detail: customer.email ?? customer.phone,
  amount: null,
  status: null,
  createdAt: null,
});

const toRefundItem = (refund: SearchResults['refunds'][number]): SearchItem => ({
  id: refund.id,
  path: `/refunds/${refund.id}`,
  title: formatPayer(refund.charge),
  detail: refund.payoutReference,
  amount: formatAmount(refund.customerAmount, refund.customerCurrency),
  status: `refund_${refund.status}`,
  createdAt: refund.createdAt,
});

const toSubscriptionItem = (subscription: SearchResults['subscriptions'][number]): SearchItem => ({
  id: subscription.id,
  path: `/subscriptions/${subscription.id}`,
  title: formatPayer(subscription),
  detail: subscription.subscriptionPlan.name,
  amount: null,
  status: getStatusBadge(subscription),
  createdAt: subscription.createdAt,
});

const toInvoiceItem = (invoice: SearchResults['invoices'][number]): SearchItem => ({
  id: invoice.id,
  path: `/invoices/${invoice.id}`,
  title: fillText(t.common.invoiceNumber, { number: invoice.number }),
  detail: null,
  amount: formatAmount(invoice.amount, invoice.currency),
  status: getInvoiceBadge(invoice),
  createdAt: invoice.createdAt,
});
