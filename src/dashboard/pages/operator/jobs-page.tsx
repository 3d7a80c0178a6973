import { Anchor, Button, Stack } from '@mantine/core';
import { useCallback, useEffect, useState } from 'react';
import { fillText } from '../../../language/fill-text.ts';
import { DataTable, type TableColumn } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorAlert } from '../../components/error-alert.tsx';
import { Moment } from '../../components/moment.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { ReauthenticateButton } from '../../components/reauthentication-dialog.tsx';
import { Section } from '../../components/section.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { TwoLines } from '../../components/two-lines.tsx';
import { pluralize } from '../../format/count.ts';
import { formatDuration } from '../../format/duration.ts';
import { fillNodes } from '../../language/fill-nodes.tsx';
import { t } from '../../language/texts.ts';
import { jobTexts } from './job-texts.ts';
import { fetchJobs, type Job, type JobRow, type JobsOverview, retryJobs } from './jobs-api.ts';

const refreshMs = 5_000;

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
        title={t.operator.jobs}
        text={fillNodes(t.operator.backgroundJobsRefreshedEvery, {
          link: (
            <Anchor href="/jobs/" underline="always" inherit>
              {t.operator.jobDashboard}
            </Anchor>
          ),
        })}
      >
        {/* The job dashboard cannot ask the user to re-authenticate. */}
        <ReauthenticateButton
          label={t.operator.enterACode}
          onReauthenticated={() => setRetryError(undefined)}
        />
      </PageHeader>
      <Stack gap="lg">
        <ErrorAlert text={retryError ?? loadError} takesFocus={retryError !== undefined} />
        <Section
          title={t.common.failed}
          aside={
            failedJobs.length > 1 && (
              <Button
                size="xs"
                variant="default"
                loading={isBusy}
                onClick={() => retry(failedJobs.map(({ id }) => id))}
              >
                {t.operator.retryAll}
              </Button>
            )
          }
          isFlush
        >
          {failedJobs.length > 0 ? (
            <DataTable
              label={t.operator.failedJobs}
              columns={[...failedColumns, retryColumn(retry)]}
              rows={failedJobs}
            />
          ) : (
            <EmptyState title={jobs ? t.operator.noFailedJobs : t.common.loading} />
          )}
        </Section>
        {jobs && (
          <Section title={t.operator.allJobs} isFlush>
            {jobs.rows.length > 0 ? (
              <DataTable label={t.operator.jobs} hasLabels columns={jobColumns} rows={jobs.rows} />
            ) : (
              <EmptyState title={t.operator.noJobs}>{t.operator.aWorkerCreatesThe}</EmptyState>
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
    let timer: ReturnType<typeof setTimeout> | undefined;
    fetchJobs(controller.signal)
      .then(
        (loadedJobs) => {
          setJobs(loadedJobs);
          setLoadError(undefined);
        },
        (error: unknown) => {
          if (!controller.signal.aborted) setLoadError(toMessage(error));
        },
      )
      // Each refresh aborts a pending request, so a slow response must arrive first.
      .finally(() => {
        if (!controller.signal.aborted) timer = setTimeout(refresh, refreshMs);
      });
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
    title: t.operator.job,
    cell: ({ name, failCount }) => (
      <TwoLines below={pluralize(failCount, t.operator.failedTimes)} isBold>
        {name}
      </TwoLines>
    ),
  },
  {
    title: t.operator.failedAt,
    isEndAligned: true,
    cell: ({ failedAt }) => failedAt !== null && <Moment at={failedAt} />,
  },
  { title: t.operator.error, cell: ({ failReason }) => failReason },
];

function retryColumn(retry: (ids: string[]) => Promise<void>): TableColumn<Job> {
  return {
    title: t.common.actions,
    isEndAligned: true,
    cell: ({ id, name }) => (
      <Button
        size="xs"
        variant="default"
        onClick={() => retry([id])}
        aria-label={fillText(t.operator.retryJob, { name })}
      >
        {t.operator.retry}
      </Button>
    ),
  };
}

const jobColumns: TableColumn<JobRow>[] = [
  {
    title: t.operator.job,
    cell: ({ name, every }) => (
      <TwoLines below={every === null ? name : fillText(t.operator.every, { name, every })} isBold>
        {jobTexts[name] ?? name}
      </TwoLines>
    ),
  },
  {
    title: t.common.status,
    cell: ({ status, waiting }) => (
      <TwoLines below={waiting > 1 ? pluralize(waiting, t.operator.runsWaiting) : null}>
        <StatusBadge status={status} />
      </TwoLines>
    ),
  },
  {
    title: t.operator.lastRun,
    isEndAligned: true,
    cell: ({ lastRunAt }) =>
      lastRunAt === null ? t.operator.notYet : <Moment at={lastRunAt} format="long" />,
  },
  {
    title: t.operator.duration,
    isEndAligned: true,
    cell: ({ durationSeconds, status }) =>
      durationSeconds === null ? '–' : formatRunDuration(durationSeconds, status),
  },
  {
    title: t.operator.nextRun,
    isEndAligned: true,
    cell: ({ nextRunAt, status }) =>
      nextRunAt === null || status === 'job_paused' ? t.common.none : <Moment at={nextRunAt} format="long" />,
  },
];

function formatRunDuration(durationSeconds: number, status: string): string {
  const duration = formatDuration(durationSeconds);
  return status === 'job_running' ? fillText(t.operator.durationSoFar, { duration }) : duration;
}
