import { describe, expect } from 'vitest';
import { createAgenda } from '../../src/jobs/agenda.ts';
import { openJobStore } from '../../src/jobs/open-job-store.ts';
import { purgeJobs } from '../../src/jobs/purge-jobs.ts';
import { ensureSchedules } from '../../src/jobs/schedules.ts';
import { hourMs, minuteMs } from '../../src/kit/duration.ts';
import { throwError } from '../setup/errors.ts';
import { serviceTest } from '../setup/fixtures.ts';
import { describeStores } from './stores.ts';

const six = [1, 2, 3, 4, 5, 6];

describe('The job table', () => {
  const test = serviceTest;

  test('is created once when six processes start concurrently', async ({ service }) => {
    const { connectionString, pool } = service;
    for (let round = 0; round < 10; round++) {
      const stores = await Promise.all(
        six.map((n) => openJobStore({ connectionString, processName: `race-${n}` }, throwError)),
      );
      await Promise.all(stores.map((store) => store.close()));
      const { rows } = await pool.query(`SELECT indexname FROM pg_indexes WHERE tablename = 'agenda_jobs'`);
      expect(rows).toHaveLength(5);
      await pool.query('DROP TABLE agenda_jobs; DROP FUNCTION update_agenda_jobs_updated_at');
    }
  });

  test('cannot be opened without its database', async () => {
    const connectionString = 'postgresql://postgres@127.0.0.1:1/nothing';
    const opening = openJobStore({ connectionString, processName: 'lost' }, throwError);
    await expect(opening).rejects.toThrow('ECONNREFUSED');
  });
});

describeStores('A job store', (storeTest) => {
  const test = storeTest.extend('jobs', async ({ store }, { onCleanup }) => {
    const jobs = await openJobStore(store.configFor('first'), throwError);
    onCleanup(() => jobs.close());
    return jobs;
  });

  test('has each schedule once when six processes start concurrently', async ({ jobs }) => {
    for (let round = 0; round < 5; round++) {
      const schedules = ['a', 'b', 'c'].map((name) => ({ name: `${name}-${round}`, every: '1 hour' }));
      const agendas = six.map((n) =>
        createAgenda(jobs, { processName: `p${n}`, runsJobs: true, onError: throwError }),
      );
      await Promise.all(agendas.map((agenda) => ensureSchedules(agenda, schedules)));
      const names = schedules.map(({ name }) => name);
      expect((await jobs.repository.queryJobs({ names })).jobs.map(({ name }) => name).sort()).toEqual(names);
    }
    await jobs.repository.purgeAllJobs();
  });

  test('reschedules jobs of a clock that was ahead, except those that are paused or a few seconds off', async ({
    jobs,
  }) => {
    const { repository } = jobs;
    const agenda = createAgenda(jobs, { processName: 'first', runsJobs: true, onError: throwError });
    const after = (ms: number) => new Date(Date.now() + ms);
    const states: Record<string, { nextRunAt: Date; lockedAt?: Date }> = {
      'due far off': { nextRunAt: after(26 * hourMs) },
      'locked far off': { nextRunAt: after(minuteMs), lockedAt: after(26 * hourMs) },
      'due in an hour and a few seconds': { nextRunAt: after(hourMs + 5_000) },
      'locked a few seconds ahead': { nextRunAt: after(26 * hourMs), lockedAt: after(5_000) },
      paused: { nextRunAt: after(26 * hourMs), lockedAt: after(26 * hourMs) },
    };
    const schedules = Object.keys(states).map((name) => ({ name, every: '1 hour' }));
    await ensureSchedules(agenda, schedules);
    await repository.disableJobs({ name: 'paused' });
    const read = async () => (await repository.queryJobs({ names: Object.keys(states) })).jobs;
    for (const job of await read()) await repository.saveJobState({ ...job, ...states[job.name] }, {});
    const before = new Map((await read()).map((job) => [job.name, job]));
    const start = Date.now();
    expect(await ensureSchedules(agenda, schedules)).toEqual({
      paused: ['paused'],
      postponed: ['due far off', 'locked far off'],
    });
    for (const job of await read()) {
      if (job.name.endsWith('far off')) {
        expect(job.lockedAt).toBeUndefined();
        expect(job.nextRunAt!.getTime()).toBeGreaterThanOrEqual(start + hourMs);
        expect(job.nextRunAt!.getTime()).toBeLessThanOrEqual(Date.now() + hourMs);
      } else expect(job).toEqual(before.get(job.name));
    }
    // A paused job keeps its interval.
    expect(await ensureSchedules(agenda, [{ name: 'paused', every: '2 hours' }])).toMatchObject({
      paused: ['paused'],
    });
    await repository.enableJobs({ name: 'paused' });
    expect(await ensureSchedules(agenda, schedules)).toEqual({ paused: [], postponed: ['paused'] });
    await repository.purgeAllJobs();
  });

  test('purges one-off jobs that ended before a time, and none that are queued or running', async ({
    jobs,
  }) => {
    const { repository } = jobs;
    const ended = new Date('2026-11-17T12:00:00Z');
    const save = async (name: string, state: object) => {
      const job = await repository.saveJob(
        { name, priority: 0, type: 'normal', nextRunAt: ended, data: null },
        {},
      );
      await repository.saveJobState({ ...job, nextRunAt: null, lastRunAt: ended, ...state }, {});
    };
    await save('failed', { failedAt: ended, failReason: 'no luck', lastFinishedAt: ended });
    await save('given up', {});
    await save('failed later', {
      lastRunAt: new Date(ended.getTime() + 2),
      lastFinishedAt: new Date(ended.getTime() + 2),
    });
    await save('runs', { lockedAt: ended });
    await save('waits', { nextRunAt: ended });
    const agenda = createAgenda(jobs, { processName: 'first', runsJobs: true, onError: throwError });
    await ensureSchedules(agenda, [{ name: 'scheduled', every: '1 hour' }]);
    expect(await purgeJobs(repository, { before: new Date(ended.getTime() + 1) })).toBe(2);
    const remaining = (await repository.queryJobs()).jobs.map(({ name }) => name).sort();
    expect(remaining).toEqual(['failed later', 'runs', 'scheduled', 'waits']);
  });

  test('returns for concurrent claims of several names only jobs that are due, or whose lock has expired', async ({
    jobs,
  }) => {
    const { repository } = jobs;
    await repository.purgeAllJobs();
    const now = new Date('2026-11-17T12:00:00Z');
    const soon = new Date(now.getTime() + 1_000);
    const save = async (name: string, nextRunAt: Date, state: object = {}) => {
      const job = await repository.saveJob({ name, priority: 0, type: 'normal', nextRunAt, data: null }, {});
      await repository.saveJobState({ ...job, ...state }, {});
    };
    await save('due', now);
    await save('due again', now);
    await save('locked too long', now, { lockedAt: new Date(now.getTime() - 10_000) });
    await save('locked', now, { lockedAt: now });
    await save('not yet due', new Date(soon.getTime() + 1));
    await save('paused', now);
    await repository.disableJobs({ name: 'paused' });
    const names = (await repository.queryJobs()).jobs.map(({ name }) => name);
    const askForAll = () =>
      Promise.all(
        [...names, 'of no job'].map(async (name) => {
          const lockDeadline = new Date(now.getTime() - 5_000);
          const job = await repository.getNextJobToRun(name, soon, lockDeadline, now, undefined);
          return job && name;
        }),
      );
    expect((await askForAll()).filter(Boolean).sort()).toEqual(['due', 'due again', 'locked too long']);
    expect((await askForAll()).filter(Boolean)).toEqual([]);
  });

  test('releases at its end only the locks of its own process', async ({ store, jobs }) => {
    await jobs.repository.purgeAllJobs();
    const due = new Date();
    for (const processName of ['mine', 'theirs']) {
      await jobs.repository.saveJob(
        { name: processName, priority: 0, type: 'normal', nextRunAt: due, data: null },
        {},
      );
      await jobs.repository.getNextJobToRun(processName, due, new Date(0), due, {
        lastModifiedBy: processName,
      });
    }
    const ownStore = await openJobStore(store.configFor('mine'), throwError);
    await ownStore.close();
    const locked = (await jobs.repository.queryJobs()).jobs.filter(({ lockedAt }) => lockedAt);
    expect(locked.map(({ name }) => name)).toEqual(['theirs']);
  });
});
