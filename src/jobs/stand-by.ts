/** A sweep follows another after this time at the latest. */
const restMsPreset = 1_000;
/** And never sooner than this after the other's start, however often it is woken. */
const spacingMs = 10;

export type StandBy = {
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
export function createStandBy(restMs = restMsPreset): StandBy {
  let woken = false;
  let release = () => {};

  const rest = async (signal: AbortSignal): Promise<void> => {
    if (woken || signal.aborted) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, restMs);
    release = resolve;
    signal.addEventListener('abort', release);
    await promise;
    signal.removeEventListener('abort', release);
    clearTimeout(timer);
  };

  return {
    wake() {
      if (woken) return;
      woken = true;
      release();
    },
    isWoken: () => woken,
    async run(sweep, signal) {
      while (!signal.aborted) {
        const start = performance.now();
        woken = false;
        await sweep();
        await rest(signal);
        const early = start + spacingMs - performance.now();
        if (early > 0) await new Promise((resolve) => setTimeout(resolve, early));
      }
    },
  };
}
