import { setTimeout as delay } from 'node:timers/promises';

/** A claim begins so long after the beginning of the one before at the earliest, */
const spacingMs = 5;
/** and claims have at most this part of the time. */
const share = 1 / 2;

/**
 * Spaces out claims: each costs the database the same, whether one place was free or a hundred. The first after a rest is
 * not delayed.
 */
export function createPace(): { wait(): Promise<void>; measure<T>(claim: () => Promise<T>): Promise<T> } {
  let notBefore = 0;
  return {
    async wait() {
      const early = notBefore - performance.now();
      if (early > 0) await delay(early);
    },
    async measure(claim) {
      const start = performance.now();
      try {
        return await claim();
      } finally {
        notBefore = start + Math.max(spacingMs, (performance.now() - start) / share);
      }
    },
  };
}
