/** The concurrent work of a process that is claimed one piece at a time, such as the import of a file. */
export type WorkSlots = {
  /** Starts work that is due, up to the concurrency limit. Resolves once it is started, not finished. */
  startDue(): Promise<void>;
  /** Starts no more work, aborts the running work and waits for it. */
  stop(): Promise<void>;
};

/**
 * Creates the slots of a process. Several processes may share the work: `claim` leases the next piece to this process,
 * and returns undefined if none is due.
 */
export function createWorkSlots<Claim>(options: {
  concurrency: number;
  claim: () => Promise<Claim | undefined>;
  work: (claim: Claim, signal: AbortSignal) => Promise<void>;
  /** While it returns true, no more work starts. */
  isPaused?: (() => boolean) | undefined;
  onError: (error: Error) => void;
}): WorkSlots {
  const { concurrency, claim, work, isPaused = () => false, onError } = options;
  const controller = new AbortController();
  const running = new Set<Promise<void>>();

  const claimAndStart = async (): Promise<void> => {
    while (running.size < concurrency && !controller.signal.aborted && !isPaused()) {
      const claimed = await claim();
      if (!claimed) return;
      const run = work(claimed, controller.signal).catch(onError);
      running.add(run);
      void run.then(() => {
        running.delete(run);
        // More work may have become due while all slots were used.
        startDue().catch(onError);
      });
    }
  };

  let lastStart: Promise<void> = Promise.resolve();
  /** Waits for the previous call, because two concurrent calls would fill the same slot twice. */
  const startDue = (): Promise<void> => {
    const start = lastStart.then(claimAndStart);
    lastStart = start.catch(() => {});
    return start;
  };

  return {
    startDue,
    async stop() {
      controller.abort();
      // Work that was claimed before the abort must still release its claim.
      await lastStart;
      await Promise.all(running);
    },
  };
}
