import { Anchor, Button, Stack } from '@mantine/core';
import { useCallback, useEffect, useState } from 'react';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Empty } from '../../components/empty.tsx';
import { Moment } from '../../components/moment.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { ShowButton } from '../../components/reauthentication.tsx';
import { Refused } from '../../components/refused.tsx';
import { Section } from '../../components/section.tsx';
import { Name, TwoLines } from '../../components/two-lines.tsx';
import { formatCount } from '../../format/count.ts';
import { reauthenticate, secondFactorRequired } from '../../graphql/reauthentication.ts';

const refreshMs = 5_000;

/** What the workers have to do, and what went wrong with it. */
export default function JobsPage() {
  const { jobs, trouble, refresh } = useJobs();
  const [isBusy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<string>();
  const retry = async (ids: string[]) => {
    setBusy(true);
    setRefusal(await retryJobs(ids).then(() => undefined, messageOf));
    setBusy(false);
    refresh();
  };
  const failed = jobs?.failed ?? [];
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
        {/* The job dashboard has no dialog of its own. */}
        <ShowButton label="Enter a code" onReauthenticated={() => setRefusal(undefined)} />
      </PageHeader>
      <Stack gap="lg">
        <Refused text={refusal ?? trouble} />
        <Section
          title="Failed"
          aside={
            failed.length > 1 && (
              <Button
                size="xs"
                variant="default"
                loading={isBusy}
                onClick={() => retry(failed.map(({ id }) => id))}
              >
                Retry all
              </Button>
            )
          }
          flush
        >
          {failed.length > 0 ? (
            <DataTable label="Failed jobs" columns={[...failedColumns, again(retry)]} rows={failed} />
          ) : (
            <Empty title={jobs ? 'No failed jobs' : 'Loading'} />
          )}
        </Section>
        {jobs && (
          <Section title="All jobs" flush>
            <DataTable label="Jobs" columns={countColumns} rows={jobs.counts} />
          </Section>
        )}
      </Stack>
    </>
  );
}

function useJobs(): { jobs: Jobs | undefined; trouble: string | undefined; refresh: () => void } {
  const [jobs, setJobs] = useState<Jobs>();
  const [trouble, setTrouble] = useState<string>();
  const [round, setRound] = useState(0);
  const refresh = useCallback(() => setRound((count) => count + 1), []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each round asks anew.
  useEffect(() => {
    const ended = new AbortController();
    const timer = setTimeout(refresh, refreshMs);
    readJobs(ended.signal).then(
      (read) => {
        setJobs(read);
        setTrouble(undefined);
      },
      (error: unknown) => {
        if (!ended.signal.aborted) setTrouble(messageOf(error));
      },
    );
    return () => {
      ended.abort();
      clearTimeout(timer);
    };
  }, [round, refresh]);
  return { jobs, trouble, refresh };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

const failedColumns: Column<Job>[] = [
  {
    title: 'Job',
    cell: ({ name, failCount }) => (
      <TwoLines below={failCount === 1 ? 'failed once' : `failed ${formatCount(failCount)} times`} isName>
        {name}
      </TwoLines>
    ),
  },
  {
    title: 'Failed at',
    end: true,
    cell: ({ failedAt }) => failedAt !== null && <Moment at={failedAt} />,
  },
  { title: 'Error', cell: ({ failReason }) => failReason },
];

function again(retry: (ids: string[]) => Promise<void>): Column<Job> {
  return {
    title: 'Actions',
    end: true,
    cell: ({ id, name }) => (
      <Button size="xs" variant="default" onClick={() => retry([id])} aria-label={`Retry ${name}`}>
        Retry
      </Button>
    ),
  };
}

const countColumns: Column<JobCounts>[] = [
  { title: 'Job', cell: ({ name }) => <Name>{name}</Name> },
  { title: 'Waiting', end: true, cell: ({ waiting }) => `${formatCount(waiting)} waiting` },
  { title: 'Running', end: true, cell: ({ running }) => `${formatCount(running)} running` },
  { title: 'Failed', end: true, cell: ({ failed }) => `${formatCount(failed)} failed` },
];

/** The jobs stand in a store of their own, which the job dashboard (/jobs) opens to operators; this page asks it. */

type Job = {
  id: string;
  name: string;
  failedAt: string | null;
  failReason: string | null;
  failCount: number;
};

type JobCounts = { id: string; name: string; waiting: number; running: number; failed: number };

type Jobs = { counts: JobCounts[]; failed: Job[] };

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

async function readJobs(signal: AbortSignal): Promise<Jobs> {
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
async function retryJobs(ids: string[]): Promise<void> {
  await ask('/jobs/retry', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jobIds: ids }),
  });
}

async function ask(path: string, request: RequestInit): Promise<Response> {
  const send = () => fetch(`/jobs/api${path}`, request);
  let answer = await send();
  if (answer.status === 403 && (await needsCode(answer)) && (await reauthenticate())) answer = await send();
  if (!answer.ok) throw new Error(`The job dashboard returned HTTP ${answer.status}`);
  return answer;
}

async function needsCode(answer: Response): Promise<boolean> {
  const { code } = (await answer.json()) as { code?: string };
  return code === secondFactorRequired;
}
