/** The jobs stand in a store of their own, which the job dashboard (/jobs) opens to operators; this page asks it. */

export type Job = {
  id: string;
  name: string;
  failedAt: string | null;
  failReason: string | null;
  failCount: number;
};

export type JobCounts = { id: string; name: string; waiting: number; running: number; failed: number };

export type Jobs = { counts: JobCounts[]; failed: Job[] };

type Answer = {
  overview: {
    displayName: string;
    running: number;
    scheduled: number;
    queued: number;
    repeating: number;
    failed: number;
  }[];
  jobs: {
    job: { _id: string; name: string; failedAt?: string; failReason?: string; failCount?: number };
  }[];
};

export async function readJobs(signal: AbortSignal): Promise<Jobs> {
  const answer = await ask('?state=failed&limit=50', { signal });
  const { overview, jobs } = (await answer.json()) as Answer;
  return {
    // The first is the sum of the others.
    counts: overview.slice(1).map(({ displayName: name, running, scheduled, queued, repeating, failed }) => ({
      id: name,
      name,
      waiting: scheduled + queued + repeating,
      running,
      failed,
    })),
    failed: jobs.map(({ job }) => ({
      id: job._id,
      name: job.name,
      failedAt: job.failedAt ?? null,
      failReason: job.failReason ?? null,
      failCount: job.failCount ?? 0,
    })),
  };
}

/** Has failed jobs run again at once. */
export async function retryJobs(ids: string[]): Promise<void> {
  await ask('/jobs/retry', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jobIds: ids }),
  });
}

async function ask(path: string, request: RequestInit): Promise<Response> {
  const answer = await fetch(`/jobs/api${path}`, request);
  if (!answer.ok) throw new Error(`The job dashboard answers ${answer.status}`);
  return answer;
}
