import { Anchor, Button, Stack } from '@mantine/core';
import { useCallback, useEffect, useState } from 'react';
import { DataTable, type TableColumn } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorAlert } from '../../components/error-alert.tsx';
import { Moment } from '../../components/moment.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { ReauthenticateButton } from '../../components/reauthentication-dialog.tsx';
import { Section } from '../../components/section.tsx';
import { RowName, TwoLines } from '../../components/two-lines.tsx';
import { formatCount } from '../../format/count.ts';
import { reauthenticate, twoFactorRequired } from '../../graphql/reauthentication.ts';

const refreshMs = 5_000;

/** Shows the queues of the workers and the failed jobs. */
export default function JobsPage() {
  const { jobs, loadError, refresh } = useJobs();
  const [isBusy, setBusy] = useState(false);
  const [retryError, setRetryError] = useState<string>();
  const retry = async (ids: string[]) => {
    setBusy(true);
    setRetryError(await retryJobs(ids).then(() => undefined, toMessage));
    setBusy(false);
    refresh();
  };
  const failedJobs = jobs?.failed ?? [];
  return (
    <>
      <PageHeader
        title="Jobs"
        text={
          <>
            Background jobs, refreshed every 5 seconds. See the details in the{' '}
            <Anchor href="/jobs/" underline="always" inherit>
              job dashboard
            </Anchor>
            . If you use two-factor authentication, enter a code here before you change anything there.
          </>
        }
      >
        {/* The job dashboard cannot ask the user to re-authenticate. */}
        <ReauthenticateButton label="Enter a code" onReauthenticated={() => setRetryError(undefined)} />
      </PageHeader>
      <Stack gap="lg">
        <ErrorAlert text={retryError ?? loadError} takesFocus={retryError !== undefined} />
        <Section
          title="Failed"
          aside={
            failedJobs.length > 1 && (
              <Button
                size="xs"
                variant="default"
                loading={isBusy}
                onClick={() => retry(failedJobs.map(({ id }) => id))}
              >
                Retry all
              </Button>
            )
          }
          isFlush
        >
          {failedJobs.length > 0 ? (
            <DataTable
              label="Failed jobs"
              columns={[...failedColumns, retryColumn(retry)]}
              rows={failedJobs}
            />
          ) : (
            <EmptyState title={jobs ? 'No failed jobs' : 'Loading'} />
          )}
        </Section>
        {jobs && (
          <Section title="All jobs" isFlush>
            <DataTable label="Jobs" columns={countColumns} rows={jobs.counts} />
          </Section>
        )}
      </Stack>
    </>
  );
}

function useJobs(): { jobs: JobsOverview | undefined; loadError: string | undefined; refresh: () => void } {
  const [jobs, setJobs] = useState<JobsOverview>();
  const [loadError, setLoadError] = useState<string>();
  const [refreshCount, setRefreshCount] = useState(0);
  const refresh = useCallback(() => setRefreshCount((count) => count + 1), []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each refresh loads the jobs again.
  useEffect(() => {
    const controller = new AbortController();
    const timer = setTimeout(refresh, refreshMs);
    fetchJobs(controller.signal).then(
      (loadedJobs) => {
        setJobs(loadedJobs);
        setLoadError(undefined);
      },
      (error: unknown) => {
        if (!controller.signal.aborted) setLoadError(toMessage(error));
      },
    );
    return () => {
      controller.abort();
      clearTimeout(timer);
    };
  }, [refreshCount, refresh]);
  return { jobs, loadError, refresh };
}

function toMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

const failedColumns: TableColumn<Job>[] = [
  {
    title: 'Job',
    cell: ({ name, failCount }) => (
      <TwoLines below={failCount === 1 ? 'failed once' : `failed ${formatCount(failCount)} times`} isBold>
        {name}
      </TwoLines>
    ),
  },
  {
    title: 'Failed at',
    isEndAligned: true,
    cell: ({ failedAt }) => failedAt !== null && <Moment at={failedAt} />,
  },
  { title: 'Error', cell: ({ failReason }) => failReason },
];

function retryColumn(retry: (ids: string[]) => Promise<void>): TableColumn<Job> {
  return {
    title: 'Actions',
    isEndAligned: true,
    cell: ({ id, name }) => (
      <Button size="xs" variant="default" onClick={() => retry([id])} aria-label={`Retry ${name}`}>
        Retry
      </Button>
    ),
  };
}

const countColumns: TableColumn<JobCounts>[] = [
  { title: 'Job', cell: ({ name }) => <RowName>{name}</RowName> },
  { title: 'Waiting', isEndAligned: true, cell: ({ waiting }) => `${formatCount(waiting)} waiting` },
  { title: 'Running', isEndAligned: true, cell: ({ running }) => `${formatCount(running)} running` },
  { title: 'Failed', isEndAligned: true, cell: ({ failed }) => `${formatCount(failed)} failed` },
];

// Jobs are not in the GraphQL API. This page uses the API of the job dashboard (/jobs), which operators may use.

type Job = {
  id: string;
  name: string;
  failedAt: string | null;
  failReason: string | null;
  failCount: number;
};

type JobCounts = { id: string; name: string; waiting: number; running: number; failed: number };

type JobsOverview = { counts: JobCounts[]; failed: Job[] };

type JobsApiResponse = {
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

async function fetchJobs(signal: AbortSignal): Promise<JobsOverview> {
  const response = await requestJobsApi('?state=failed&limit=50', { signal });
  const { overview, jobs } = (await response.json()) as JobsApiResponse;
  return {
    // The first entry is the sum of the others.
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

async function retryJobs(ids: string[]): Promise<void> {
  await requestJobsApi('/jobs/retry', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jobIds: ids }),
  });
}

async function requestJobsApi(path: string, init: RequestInit): Promise<Response> {
  const send = () => fetch(`/jobs/api${path}`, init);
  let response = await send();
  if (response.status === 403 && (await needsReauthentication(response)) && (await reauthenticate()))
    response = await send();
  if (!response.ok) throw new Error(`The job dashboard returned HTTP ${response.status}`);
  return response;
}

async function needsReauthentication(response: Response): Promise<boolean> {
  const { code } = (await response.json()) as { code?: string };
  return code === twoFactorRequired;
}
