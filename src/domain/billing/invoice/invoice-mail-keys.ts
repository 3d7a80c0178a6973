import type { Invoice } from '../../../../prisma/client/client.ts';

/**
 * When an email about an invoice is sent:
 * - `due`: the plan's days of notice before the due date
 * - `reminder`: on the due date
 * - `paused`: when the grace period is over
 * - `resent`: when the merchant sends the invoice again
 */
export type InvoiceOccasion = 'due' | 'reminder' | 'paused' | 'resent';

const occasions: readonly InvoiceOccasion[] = ['due', 'reminder', 'paused', 'resent'];

/**
 * Returns the deduplication keys of the emails about an invoice; of those that were resent, only the newest.
 */
export function getInvoiceMailKeys(invoice: Pick<Invoice, 'id' | 'resentAt'>): string[] {
  return occasions.map((occasion) => toInvoiceMailKey(occasion, invoice));
}

export function toInvoiceMailKey(
  occasion: InvoiceOccasion,
  { id, resentAt }: Pick<Invoice, 'id' | 'resentAt'>,
): string {
  const suffix = occasion === 'resent' && resentAt !== null ? ` ${resentAt.toISOString()}` : '';
  return `invoice-${occasion} ${id}${suffix}`;
}
