import type { Agenda } from 'agenda';

export type Schedule = { name: string; every: string };

/**
 * Makes the schedules that are missing or have another interval. One that is there is left alone: writing it again
 * would switch a job on that an operator has paused. Answers the names of the paused ones.
 */
export async function ensureSchedules(agenda: Agenda, schedules: readonly Schedule[]): Promise<string[]> {
  const { jobs } = await agenda.queryJobs({ names: schedules.map(({ name }) => name) });
  const present = new Map(jobs.filter(({ type }) => type === 'single').map((job) => [job.name, job]));
  for (const { name, every } of schedules) {
    const found = present.get(name);
    if (found?.repeatInterval === every) continue;
    // Written over, it would keep its next time, which the old interval may have put far away.
    if (found) await agenda.cancel({ ids: [found._id] });
    await agenda.every(every, name);
  }
  return jobs.filter((job) => job.type === 'single' && job.disabled).map((job) => job.name);
}
