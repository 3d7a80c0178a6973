import type { Statement, StatementStatus, TransferStatus } from '../../../../prisma/client/client.ts';

export const statementTransitions: Record<StatementStatus, readonly StatementStatus[]> = {
  queued: ['running'],
  // `running → running`: another process takes over after the lease has expired.
  running: ['running', 'queued', 'completed', 'failed'],
  completed: [],
  failed: [],
};

/** An import renews its lease at least this often; otherwise another process takes over. */
export const leaseMs = 30_000;

/** Entries by result. `ignored` counts entries that are not booked or have no amount. */
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

export function getImportCounts(statement: Pick<Statement, 'resultCounts'>): ImportCounts {
  return { ...zeroCounts, ...(statement.resultCounts as Partial<ImportCounts>) };
}
