/** A sweep follows another after this time at the latest. */
const defaultIdleIntervalMs = 1_000;
/** And never sooner than this after the other's start, however often it is woken. */
const minIntervalMs = 10;

export type ResidentRun = {
  /** Sweeps now or, while a sweep goes on, once more after it. */
  wake(): void;
  /** Whether it was woken and has not swept since: at the end of a run, another has to. */
  isWoken(): boolean;
  /** Sweeps at once, at each wake and when it has rested for long, until aborted. */
  run(sweep: () => unknown, signal: AbortSignal): Promise<void>;
};

/**
 * A run that stands by for wakes. A run of its own for each wake would cost Agenda six statements, four of them before
 * the work begins.
 */
export function createResidentRun(idleIntervalMs = defaultIdleIntervalMs): ResidentRun {
  let isWakePending = false;
  let endWait = () => {};

  const waitForWake = async (signal: AbortSignal): Promise<void> => {
    if (isWakePending || signal.aborted) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, idleIntervalMs);
    endWait = resolve;
    signal.addEventListener('abort', endWait);
    await promise;
    signal.removeEventListener('abort', endWait);
    clearTimeout(timer);
  };

  return {
    wake() {
      if (isWakePending) return;
      isWakePending = true;
      endWait();
    },
    isWoken: () => isWakePending,
    async run(sweep, signal) {
      while (!signal.aborted) {
        const start = performance.now();
        isWakePending = false;
        await sweep();
        await waitForWake(signal);
        const waitMs = start + minIntervalMs - performance.now();
        if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
      }
    },
  };
}
