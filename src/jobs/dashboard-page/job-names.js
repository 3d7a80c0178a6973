// Texts that Agendash's script, as we change it, shows for jobs.

const timeFormat = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' });

/** Formats an ISO time in the time zone of the browser; without one, returns an empty text. */
export function formatTime(time) {
  return time ? timeFormat.format(new Date(time)) : '';
}

/** Names a job and its run, because several jobs can have the same name. */
export function nameRun({ job }) {
  if (job.nextRunAt) return `${job.name}, next run ${formatTime(job.nextRunAt)}`;
  return job.lastRunAt ? `${job.name}, last run ${formatTime(job.lastRunAt)}` : job.name;
}

export function countJobs({ length }) {
  return length === 1 ? '1 job' : `${length} jobs`;
}

const effects = {
  Requeue: 'The same work runs once more, as soon as a worker is free.',
  Retry: 'Runs again as soon as a worker is free. The error is cleared.',
  Pause: 'No new run starts until you select Resume. Active runs continue.',
  Resume: 'Runs start again at the next time, or as soon as possible if that time has passed.',
  Delete: 'This cannot be undone. No new run starts, and active runs continue.',
};

export function askAboutJob(action, { job }) {
  return `${action} ${job.name}? ${explain(action, [{ job }])}`;
}

export function askAboutJobs(action, ids, allJobs) {
  return `${action} ${countJobs(ids)}? ${explain(action, findJobs(ids, allJobs))}`;
}

function explain(action, jobs) {
  const isScheduled = jobs.some(({ job }) => job.repeatInterval);
  if (action !== 'Delete' || !isScheduled) return effects[action];
  return `${effects[action]} Workers create schedules of the service again within seconds: to stop one, pause it.`;
}

/** The details of a dialog: the number of selected jobs of each name. */
export function listNames(ids, allJobs) {
  const byName = Map.groupBy(findJobs(ids, allJobs), ({ job }) => job.name);
  return [...byName].map(([label, jobs]) => ({ label, value: countJobs(jobs) }));
}

function findJobs(ids, allJobs) {
  return allJobs.filter(({ job }) => ids.includes(job._id));
}
