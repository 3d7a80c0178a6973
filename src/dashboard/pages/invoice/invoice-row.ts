import type { BadgeStatus } from '../../components/status-badge.tsx';
import { graphql, type ResultOf } from '../../graphql/graphql.ts';

export const invoiceRowFields = graphql(`
  fragment InvoiceRow on Invoice {
    id
    number
    status
    isOverdue
    amount
    currency
    isPaidExternally
    dueAt
    paidAt
    createdAt
  }
`);

export type InvoiceRow = ResultOf<typeof invoiceRowFields>;

export function getInvoiceBadge({
  status,
  isOverdue,
}: Pick<InvoiceRow, 'status' | 'isOverdue'>): BadgeStatus {
  return isOverdue ? 'invoice_overdue' : `invoice_${status}`;
}
