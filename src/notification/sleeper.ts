import { setImmediate } from 'node:timers/promises';

/** Lets one loop rest until it is woken; a wake that comes while it works is not lost. */
export type Sleeper = {
  wake(): void;
  /** Whether it was woken since the last `listen`. */
  woken(): boolean;
  listen(): void;
  /** Rests until woken, but no longer than this. */
  rest(maxMs: number): Promise<void>;
};

export function createSleeper(): Sleeper {
  let woken = false;
  let release = () => {};
  return {
    wake() {
      woken = true;
      release();
    },
    woken: () => woken,
    listen() {
      woken = false;
    },
    async rest(maxMs) {
      if (!woken) {
        let timer: NodeJS.Timeout | undefined;
        await new Promise<void>((resolve) => {
          release = resolve;
          timer = setTimeout(resolve, maxMs);
        });
        clearTimeout(timer);
      }
      // Whatever else happens in this turn is seen in one go.
      await setImmediate();
    },
  };
}
