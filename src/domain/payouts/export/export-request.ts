import type { Export, ExportKind } from '../../../../prisma/client/client.ts';
import type { JournalAccount } from '../../money-in/books/postings-sql.ts';
import type { ExportFormat } from '../payout/write-payouts.ts';

/**
 * The request of an export as stored. `where` is the filter of the list as a Prisma condition; merchant and mode are
 * added when it runs.
 */
export type ExportRequest =
  | {
      kind: Extract<ExportKind, 'charges' | 'refunds' | 'transfers' | 'customers'>;
      where: object;
      /** Whether the oldest rows come first; missing in older requests. */
      reverse?: boolean;
      includeByteOrderMark: boolean;
    }
  | { kind: 'reconciliation'; from: string; to: string; includeByteOrderMark: boolean }
  | ({ kind: 'journal'; from: string; to: string; includeByteOrderMark: boolean } & (
      | { format: 'csv' }
      | {
          format: 'xero';
          currency: string;
          taxRateName: string;
          accountCodes: Record<JournalAccount, string>;
        }
    ))
  | {
      kind: 'payouts';
      format: ExportFormat;
      refundIds: string[];
      /** The refunds that are also in an earlier file; missing in older requests. */
      exportedBefore?: string[];
      payingAccountId: string | null;
      includeByteOrderMark: boolean;
    };

/** Payout files contain bank details, so they require the permission to pay. */
export function getExportPermission(kind: ExportKind): 'read' | 'transfers' {
  return kind === 'payouts' ? 'transfers' : 'read';
}

export function toExportRequest(row: Pick<Export, 'options'>): ExportRequest {
  return row.options as ExportRequest;
}

/** Returns the progress of an export, from 0 to 1. */
export function getExportProgress({
  status,
  rows,
  total,
}: Pick<Export, 'status' | 'rows' | 'total'>): number {
  if (status === 'completed') return 1;
  return total === null || total === 0 ? 0 : Math.min(rows / total, 0.99);
}

export function getContentType({ format }: Pick<Export, 'format'>): string {
  return format === 'csv' ? 'text/csv; charset=utf-8' : 'application/xml; charset=utf-8';
}
