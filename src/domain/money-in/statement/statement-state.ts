import type { Statement, StatementStatus, TransferStatus } from '../../../../prisma/client/client.ts';

/** An import is done once, whole or not at all as far as the file is concerned. */
export const statementTransitions: Record<StatementStatus, readonly StatementStatus[]> = {
  queued: ['running'],
  // Also to itself: by another process, after the lease of one that died.
  running: ['running', 'queued', 'done', 'failed'],
  done: [],
  failed: [],
};

/** Whoever imports says so at least this often, or another goes on with it. */
export const leaseMs = 30_000;

/** How many entries came to what. `ignored`: what is not booked, or moves nothing. */
export type ImportCounts = Record<TransferStatus | 'ignored', number>;

const zeroCounts: ImportCounts = {
  matched: 0,
  partial: 0,
  over: 0,
  exception: 0,
  duplicate: 0,
  returned: 0,
  outgoing: 0,
  ignored: 0,
};

/** What has come of the entries so far. */
export function getImportCounts(statement: Pick<Statement, 'result'>): ImportCounts {
  return { ...zeroCounts, ...(statement.result as Partial<ImportCounts>) };
}
