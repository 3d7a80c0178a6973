import { Anchor, Button, Stack } from '@mantine/core';
import { useCallback, useEffect, useState } from 'react';
import { DataTable, type TableColumn } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorAlert } from '../../components/error-alert.tsx';
import { Moment } from '../../components/moment.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { ReauthenticateButton } from '../../components/reauthentication-dialog.tsx';
import { Section } from '../../components/section.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { TwoLines } from '../../components/two-lines.tsx';
import { formatCount } from '../../format/count.ts';
import { formatDuration } from '../../format/duration.ts';
import { jobTexts } from './job-texts.ts';
import { fetchJobs, type Job, type JobRow, type JobsOverview, retryJobs } from './jobs-api.ts';

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
            Background jobs, refreshed every 5 seconds. Jobs also run between their scheduled times when there
            is work; the times here are those of the scheduled runs. Pause and delete jobs in the{' '}
            <Anchor href="/jobs/" underline="always" inherit>
              job dashboard
            </Anchor>
            . If you use two-factor authentication, enter a code here first.
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
            {jobs.rows.length > 0 ? (
              <DataTable label="Jobs" hasLabels columns={jobColumns} rows={jobs.rows} />
            ) : (
              <EmptyState title="No jobs">A worker creates the jobs when it starts.</EmptyState>
            )}
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

const jobColumns: TableColumn<JobRow>[] = [
  {
    title: 'Job',
    cell: ({ name, every }) => (
      <TwoLines below={every === null ? name : `${name} · every ${every}`} isBold>
        {jobTexts[name] ?? name}
      </TwoLines>
    ),
  },
  {
    title: 'Status',
    cell: ({ status, waiting }) => (
      <TwoLines below={waiting > 1 ? `${formatCount(waiting)} runs waiting` : null}>
        <StatusBadge status={status} />
      </TwoLines>
    ),
  },
  {
    title: 'Last run',
    isEndAligned: true,
    cell: ({ lastRunAt }) => (lastRunAt === null ? 'Not yet' : <Moment at={lastRunAt} format="long" />),
  },
  {
    title: 'Duration',
    isEndAligned: true,
    cell: ({ durationSeconds, status }) =>
      durationSeconds === null
        ? '–'
        : `${formatDuration(durationSeconds)}${status === 'job_running' ? ' so far' : ''}`,
  },
  {
    title: 'Next run',
    isEndAligned: true,
    cell: ({ nextRunAt, status }) =>
      nextRunAt === null || status === 'job_paused' ? 'None' : <Moment at={nextRunAt} format="long" />,
  },
];
