import type { Statement, StatementStatus } from '../../../../prisma/client/client.ts';
import type { RecordedStatus } from '../../payments/allocation/transfer-state.ts';

export const statementTransitions: Record<StatementStatus, readonly StatementStatus[]> = {
  queued: ['running', 'cancelled'],
  // `running → running`: a process saves its progress, or takes over after the lease has expired.
  running: ['running', 'queued', 'awaiting_confirmation', 'completed', 'failed', 'cancelled'],
  awaiting_confirmation: ['queued', 'cancelled'],
  completed: ['undoing'],
  failed: ['undoing'],
  cancelled: ['undoing'],
  undoing: ['undoing', 'undone', 'failed'],
  undone: [],
};

/**
 * The number of entries by result. `ignored` entries are not booked, have no amount or belong to another
 * account.
 */
export type ImportCounts = Record<RecordedStatus | 'ignored', number>;

const zeroCounts: ImportCounts = {
  matched: 0,
  partial: 0,
  over: 0,
  exception: 0,
  duplicate: 0,
  returned: 0,
  outgoing: 0,
  dismissed: 0,
  ignored: 0,
};

export function getImportCounts(statement: Pick<Statement, 'resultCounts'>): ImportCounts {
  return { ...zeroCounts, ...(statement.resultCounts as Partial<ImportCounts>) };
}
