import type { Clock } from '../../../../kit/clock.ts';
import { isUnavailable } from '../../../../kit/unavailable.ts';
import { createWorkSlots, type WorkSlots } from '../../../../kit/work-slots.ts';
import type { Service } from '../../../platform/service.ts';
import { claimStatement, LeaseLostError } from '../transition-statement.ts';
import { runUndo } from '../undo/run-undo.ts';
import { getMerchantTime, type ImportRun, transitionRun } from './import-run.ts';
import { runImport } from './run-import.ts';

/** The default number of concurrent imports, so that one large file does not block the others. */
const defaultConcurrency = 3;

export function startImporter(
  service: Service,
  options: {
    clock: Clock;
    concurrency?: number;
    isPaused?: () => boolean;
    onError: (error: Error) => void;
  },
): WorkSlots {
  const { clock, concurrency = defaultConcurrency, isPaused, onError } = options;
  return createWorkSlots({
    concurrency,
    claim: () => claimStatement(service, { systemNow: clock.now() }),
    work: (statement, signal) => importClaimed(service, { statement, clock, signal }),
    isPaused,
    onError,
  });
}

/**
 * Runs one import, or the undo of one, to its end. Marks it as failed after an internal error, because
 * another attempt would fail again. If the database is unavailable, another process claims the statement when
 * the lease has expired.
 */
async function importClaimed(service: Service, run: ImportRun): Promise<void> {
  try {
    if (run.statement.status === 'undoing') await runUndo(service, run);
    else await runImport(service, run);
  } catch (error) {
    if (error instanceof LeaseLostError) return;
    if (!isUnavailable(error)) {
      const { statement } = run;
      const failureReason =
        statement.status === 'undoing'
          ? `an internal error stopped the undo after ${statement.undoneCount} transfers: undo the statement again`
          : `an internal error stopped the import after ${statement.recordedCount} entries: import the file again`;
      const finishedAt = await getMerchantTime(service, run);
      await transitionRun(service, run, 'failed', { failureReason, finishedAt });
    }
    throw error;
  }
}
