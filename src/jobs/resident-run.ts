/** The longest time between two calls of `sweep` without a wake. */
const defaultIdleIntervalMs = 1_000;
/** The shortest time between the starts of two calls of `sweep`, even if the run is woken more often. */
const minIntervalMs = 10;

type ResidentRun = {
  /** Calls `sweep` now, or once more after the current call. */
  wake(): void;
  /** Returns whether the run was woken after its last call of `sweep`, so that the caller must start another run. */
  isWoken(): boolean;
  /** Calls `sweep` immediately, at each wake and after the idle interval, until aborted. */
  run(sweep: () => unknown, signal: AbortSignal): Promise<void>;
};

/**
 * Creates a run that stays active between wakes. A separate run for each wake would cost Agenda six
 * statements, four of them before the work starts.
 */
export function createResidentRun(idleIntervalMs = defaultIdleIntervalMs): ResidentRun {
  let isWakePending = false;
  let stopWaiting = () => {};

  const waitForWake = async (signal: AbortSignal): Promise<void> => {
    if (isWakePending || signal.aborted) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, idleIntervalMs);
    stopWaiting = resolve;
    signal.addEventListener('abort', stopWaiting);
    await promise;
    signal.removeEventListener('abort', stopWaiting);
    clearTimeout(timer);
  };

  return {
    wake() {
      if (isWakePending) return;
      isWakePending = true;
      stopWaiting();
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
