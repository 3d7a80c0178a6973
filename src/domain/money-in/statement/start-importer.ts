import { randomUUID } from 'node:crypto';
import type { Clock } from '../../../kit/clock.ts';
import { isUnavailable } from '../../../kit/unavailable.ts';
import type { Service } from '../../platform/service.ts';
import { claimStatement } from './claim-statement.ts';
import { getMerchantTime, type ImportRun, transitionRun } from './import-run.ts';
import { runImport } from './run-import.ts';
import { LeaseLost } from './transition-statement.ts';

/** So that one large file does not hold up all others. */
const defaultConcurrency = 3;

export type Importer = {
  /** Begins what waits to be imported, as far as there is room. Resolves once begun; the imports go on by themselves. */
  startQueued(): Promise<void>;
  /** Begins no more, has what is under way stop at its next batch, and waits for that. */
  stop(): Promise<void>;
};

type ImporterOptions = { clock: Clock; concurrency?: number; onError: (error: Error) => void };

/** One is enough for a process. Any number of processes share the work: each import has one holder at a time. */
export function startImporter(
  service: Service,
  { clock, concurrency = defaultConcurrency, onError }: ImporterOptions,
): Importer {
  const controller = new AbortController();
  const { signal } = controller;
  const running = new Set<Promise<void>>();
  const claimAndStart = async (): Promise<void> => {
    while (running.size < concurrency && !signal.aborted) {
      const leaseId = randomUUID();
      const statement = await claimStatement(service, { leaseId, at: clock.now() });
      if (!statement) return;
      const work = importClaimed(service, { statement, leaseId, clock, signal }).catch(onError);
      running.add(work);
      void work.then(() => {
        running.delete(work);
        // There may be room for one that waited.
        startQueued().catch(onError);
      });
    }
  };
  let lastStart: Promise<void> = Promise.resolve();
  /** One after the other: two at once would take one place twice. */
  const startQueued = (): Promise<void> => {
    const started = lastStart.then(claimAndStart);
    lastStart = started.catch(() => {});
    return started;
  };
  return {
    startQueued,
    async stop() {
      controller.abort();
      // What was claimed by then gives its statement back.
      await lastStart;
      await Promise.all(running);
    },
  };
}

/**
 * One import to its end. A fault of our own ends it as failed, since it would come again; without a database it is left
 * to whoever claims it after the lease.
 */
async function importClaimed(service: Service, run: ImportRun): Promise<void> {
  try {
    await runImport(service, run);
  } catch (error) {
    if (error instanceof LeaseLost) return;
    if (!isUnavailable(error)) {
      const statement = await service.prisma.statement.findUniqueOrThrow({ where: { id: run.statement.id } });
      const errorReason = `an internal error stopped the import after ${statement.recorded} entries: import the file again`;
      const finishedAt = await getMerchantTime(service, run);
      await transitionRun(service, { ...run, statement }, 'failed', { errorReason, finishedAt });
    }
    throw error;
  }
}
