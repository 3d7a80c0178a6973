import { setImmediate } from 'node:timers/promises';
import type { JobRepository } from 'agenda';

type TrackedRepository = { repository: JobRepository; whenSettled: () => Promise<void> };

/**
 * Tracks pending calls, so that connections are closed only after the last one. Also catches errors of
 * `unlockJob`, which Agenda does not handle: while the database is unavailable, they would be unhandled
 * rejections and end the process.
 */
export function trackRepository(target: JobRepository, onError: (error: Error) => void): TrackedRepository {
  const pendingCalls = new Set<Promise<unknown>>();
  const track = (call: Promise<unknown>): Promise<unknown> => {
    const done = () => pendingCalls.delete(call);
    pendingCalls.add(call);
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
    async whenSettled() {
      // Agenda saves a run's end and then deletes the job, each a few ticks after the previous step.
      for (await setImmediate(); pendingCalls.size > 0; await setImmediate())
        await Promise.allSettled(pendingCalls);
    },
  };
}
