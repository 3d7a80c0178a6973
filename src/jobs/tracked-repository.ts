import { setImmediate } from 'node:timers/promises';
import type { JobRepository } from 'agenda';

export type TrackedRepository = { repository: JobRepository; settled: () => Promise<void> };

/**
 * Knows which calls are under way, so that connections are ended only after the last. Agenda calls `unlockJob` and
 * does not look at the outcome: with the database away that would be an unhandled rejection, which ends the process.
 */
export function trackRepository(target: JobRepository, onError: (error: Error) => void): TrackedRepository {
  const underWay = new Set<Promise<unknown>>();
  const track = (call: Promise<unknown>): Promise<unknown> => {
    const done = () => underWay.delete(call);
    underWay.add(call);
    call.then(done, done);
    return call;
  };
  const repository = new Proxy(target, {
    get(_, key) {
      const member = Reflect.get(target, key, target) as unknown;
      if (typeof member !== 'function') return member;
      return (...args: unknown[]) => {
        const call = track(Promise.resolve(member.apply(target, args)));
        return key === 'unlockJob' ? call.catch(onError) : call;
      };
    },
  });
  return {
    repository,
    async settled() {
      // Agenda saves a run's end, and then deletes the job, each a few ticks after what went before.
      for (await setImmediate(); underWay.size > 0; await setImmediate()) await Promise.allSettled(underWay);
    },
  };
}
