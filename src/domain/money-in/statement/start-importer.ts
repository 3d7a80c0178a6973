import type { Clock } from '../../../kit/clock.ts';
import { isUnavailable } from '../../../kit/unavailable.ts';
import type { Service } from '../../platform/service.ts';
import { claimStatement } from './claim-statement.ts';
import { getMerchantTime, type ImportRun, transitionRun } from './import-run.ts';
import { runImport } from './run-import.ts';
import { runUndo } from './run-undo.ts';
import { LeaseLostError } from './transition-statement.ts';

/** The default number of concurrent imports, so that one large file does not block the others. */
const defaultConcurrency = 3;

export type Importer = {
  /** Starts queued imports up to the concurrency limit. Resolves once they are started, not finished. */
  startQueued(): Promise<void>;
  /** Starts no more imports, stops running ones after their current batch and waits for them. */
  stop(): Promise<void>;
};

type ImporterOptions = { clock: Clock; concurrency?: number; onError: (error: Error) => void };

/**
 * Starts the importer of a process. Any number of processes share the work; a lease assigns each import to
 * one process.
 */
export function startImporter(
  service: Service,
  { clock, concurrency = defaultConcurrency, onError }: ImporterOptions,
): Importer {
  const controller = new AbortController();
  const { signal } = controller;
  const running = new Set<Promise<void>>();
  const claimAndStart = async (): Promise<void> => {
    while (running.size < concurrency && !signal.aborted) {
      const statement = await claimStatement(service, { systemNow: clock.now() });
      if (!statement) return;
      const work = importClaimed(service, { statement, clock, signal }).catch(onError);
      running.add(work);
      void work.then(() => {
        running.delete(work);
        // A slot may be free for a queued import.
        startQueued().catch(onError);
      });
    }
  };
  let lastStart: Promise<void> = Promise.resolve();
  /** Waits for the previous call, because two concurrent calls would fill the same slot twice. */
  const startQueued = (): Promise<void> => {
    const start = lastStart.then(claimAndStart);
    lastStart = start.catch(() => {});
    return start;
  };
  return {
    startQueued,
    async stop() {
      controller.abort();
      // An import that was claimed before the abort must still release its statement.
      await lastStart;
      await Promise.all(running);
    },
  };
}

/**
 * Runs one import, or the undo of one, to its end. Marks it as failed after an internal error, because another
 * attempt would fail again. If the database is unavailable, another process claims the statement when the lease has expired.
 */
async function importClaimed(service: Service, run: ImportRun): Promise<void> {
  try {
    if (run.statement.status === 'undoing') await runUndo(service, run);
    else await runImport(service, run);
  } catch (error) {
    if (error instanceof LeaseLostError) return;
    if (!isUnavailable(error)) {
      const { statement } = run;
      const errorReason =
        statement.status === 'undoing'
          ? `an internal error stopped the undo after ${statement.undoneCount} transfers: undo the statement again`
          : `an internal error stopped the import after ${statement.recordedCount} entries: import the file again`;
      const finishedAt = await getMerchantTime(service, run);
      await transitionRun(service, run, 'failed', { errorReason, finishedAt });
    }
    throw error;
  }
}
