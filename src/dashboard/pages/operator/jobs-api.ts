import { fillText } from '../../../language/fill-text.ts';
import { reauthenticate, twoFactorRequired } from '../../graphql/reauthentication.ts';
import { serverNow } from '../../graphql/server-clock.ts';
import { t } from '../../language/texts.ts';

// Jobs are not in the GraphQL API. These functions use the API of the job dashboard (/jobs), which operators may use.

export type Job = {
  id: string;
  name: string;
  failedAt: string | null;
  failReason: string | null;
  failCount: number;
};

/** The runs of a job, and the last and next run of its schedule. */
export type JobRow = {
  id: string;
  name: string;
  status: 'job_running' | 'job_scheduled' | 'job_failed' | 'job_paused';
  /** The interval, such as `5 seconds`; null without a schedule. */
  every: string | null;
  waiting: number;
  lastRunAt: string | null;
  /** The duration of the last run, or of the active run until now. */
  durationSeconds: number | null;
  nextRunAt: string | null;
};

export type JobsOverview = { rows: JobRow[]; failed: Job[] };

type ApiCounts = {
  displayName: string;
  running: number;
  scheduled: number;
  queued: number;
  repeating: number;
  failed: number;
  paused: number;
};

type ApiJob = {
  _id: string;
  name: string;
  failedAt?: string | null;
  failReason?: string | null;
  failCount?: number | null;
  repeatInterval?: string | null;
  lastRunAt?: string | null;
  lastFinishedAt?: string | null;
  nextRunAt?: string | null;
};

type ApiResponse = { overview: ApiCounts[]; jobs: { job: ApiJob }[] };

/** Failed and other jobs are requested separately, so that many of one kind do not hide the other. */
export async function fetchJobs(signal: AbortSignal): Promise<JobsOverview> {
  const [failed, all] = await Promise.all([
    requestJobs('?state=failed&limit=50', signal),
    requestJobs('?limit=200', signal),
  ]);
  const schedules = new Map(
    all.jobs.filter(({ job }) => job.repeatInterval).map(({ job }) => [job.name, job]),
  );
  return {
    // The first entry is the sum of the others.
    rows: all.overview.slice(1).map((counts) => toRow(counts, schedules.get(counts.displayName))),
    failed: failed.jobs.map(({ job }) => ({
      id: job._id,
      name: job.name,
      failedAt: job.failedAt ?? null,
      failReason: job.failReason ?? null,
      failCount: job.failCount ?? 0,
    })),
  };
}

function toRow(counts: ApiCounts, schedule: ApiJob | undefined): JobRow {
  const { displayName: name, running, scheduled, queued, repeating, failed, paused } = counts;
  const { repeatInterval = null, lastRunAt = null, nextRunAt = null } = schedule ?? {};
  return {
    id: name,
    name,
    status:
      running > 0 ? 'job_running' : failed > 0 ? 'job_failed' : paused > 0 ? 'job_paused' : 'job_scheduled',
    every: repeatInterval,
    waiting: scheduled + queued + repeating,
    lastRunAt,
    durationSeconds: schedule ? getDuration(schedule, running > 0) : null,
    nextRunAt,
  };
}

function getDuration({ lastRunAt, lastFinishedAt }: ApiJob, isRunning: boolean): number | null {
  if (!lastRunAt) return null;
  const start = Date.parse(lastRunAt);
  const end = lastFinishedAt ? Date.parse(lastFinishedAt) : Number.NaN;
  if (end >= start) return (end - start) / 1000;
  return isRunning ? Math.max(0, serverNow().getTime() - start) / 1000 : null;
}

export async function retryJobs(ids: string[]): Promise<void> {
  await requestJobsApi('/jobs/retry', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jobIds: ids }),
  });
}

async function requestJobs(query: string, signal: AbortSignal): Promise<ApiResponse> {
  return (await requestJobsApi(query, { signal })).json() as Promise<ApiResponse>;
}

async function requestJobsApi(path: string, init: RequestInit): Promise<Response> {
  const send = () => fetch(`/jobs/api${path}`, init);
  let response = await send();
  if (response.status === 403 && (await needsReauthentication(response)) && (await reauthenticate()))
    response = await send();
  if (!response.ok)
    throw new Error(fillText(t.operator.theJobDashboardReturned, { status: response.status }));
  return response;
}

async function needsReauthentication(response: Response): Promise<boolean> {
  const { code } = (await response.json()) as { code?: string };
  return code === twoFactorRequired;
}
