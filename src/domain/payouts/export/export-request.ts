import type { Export, ExportKind } from '../../../../prisma/client/client.ts';

/** The forms of a file. Lists and the reconciliation come as CSV only. */
export const exportFormats = ['csv', 'pain.001.001.03', 'pain.001.001.09'] as const;
export type ExportFormat = (typeof exportFormats)[number];

/** What is asked for. `where` is the filter of the list as the database is asked; owner and mode are put to it again. */
export type ExportRequest =
  | { kind: Extract<ExportKind, 'charges' | 'refunds' | 'transfers'>; where: object; withMark: boolean }
  | { kind: 'reconciliation'; from: string; to: string; withMark: boolean }
  | {
      kind: 'payouts';
      format: ExportFormat;
      refundIds: string[];
      /** Those of them that an earlier file holds too; left out by older requests. */
      exportedBefore?: string[];
      payingAccountId: string | null;
      withMark: boolean;
    };

/** Without its bank details a payout file would be none: these need the permission of whoever pays. */
export function getExportPermission(kind: ExportKind): 'read' | 'transfers' {
  return kind === 'payouts' ? 'transfers' : 'read';
}

/** What `createExport` stored. */
export function toExportRequest(row: Pick<Export, 'options'>): ExportRequest {
  return row.options as ExportRequest;
}

/** From 0 to 1. */
export function getExportProgress({
  status,
  rows,
  total,
}: Pick<Export, 'status' | 'rows' | 'total'>): number {
  if (status === 'done') return 1;
  return total === null || total === 0 ? 0 : Math.min(rows / total, 0.99);
}

export function getContentType({ format }: Pick<Export, 'format'>): string {
  return format === 'csv' ? 'text/csv; charset=utf-8' : 'application/xml; charset=utf-8';
}
