import { Alert, List, SimpleGrid, Stack } from '@mantine/core';
import { DataTable, type TableColumn } from '../../components/data-table.tsx';
import { Facts } from '../../components/facts.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Moment } from '../../components/moment.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Section } from '../../components/section.tsx';
import { RowName } from '../../components/two-lines.tsx';
import { formatCount } from '../../format/count.ts';
import { formatDuration } from '../../format/duration.ts';
import { formatSize } from '../../format/size.ts';
import { useInterval } from '../../graphql/use-interval.ts';
import { useCachedQuery } from '../../graphql/use-query-state.ts';
import { findProblems, queueLabels } from './find-problems.ts';
import { type Health, healthQuery } from './health-query.ts';

const refreshMs = 10_000;

/** Shows the state of the database, the workers and their queues, messages, feeds and the disk. */
export default function HealthPage() {
  const query = useCachedQuery(healthQuery);
  useInterval(refreshMs, query.refresh);
  return (
    <>
      <PageHeader title="Health" text="This installation, refreshed every 10 seconds." />
      <Loaded query={query} lines={10}>
        {({ installationHealth }) => installationHealth && <HealthSections health={installationHealth} />}
      </Loaded>
    </>
  );
}

function HealthSections({ health }: { health: Health }) {
  return (
    <Stack gap="lg">
      <Problems problems={findProblems(health)} />
      <Section title="Queues" isFlush>
        <DataTable
          label="Queues"
          hasLabels
          columns={queueColumns}
          rows={health.queues.map((queue) => ({ ...queue, id: queue.name }))}
        />
      </Section>
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
        <Section title="Processes and database">
          <Facts facts={listDatabaseFacts(health)} />
        </Section>
        <Section title="Email and SMS">
          <Facts facts={listMailFacts(health)} />
        </Section>
        <Section title="Bank feeds">
          <Facts facts={listFeedFacts(health)} />
        </Section>
        <Section title="Webhooks">
          <Facts
            facts={[
              ['Failing', formatCount(health.webhooks.failingCount)],
              ['Disabled', formatCount(health.webhooks.disabledCount)],
            ]}
          />
        </Section>
      </SimpleGrid>
    </Stack>
  );
}

function Problems({ problems }: { problems: readonly string[] }) {
  return (
    <div role="status">
      {problems.length === 0 ? (
        <Alert variant="light" color="teal" title="No problems found" />
      ) : (
        <Alert variant="light" color="amber" title="Needs attention">
          <List size="sm">
            {problems.map((problem) => (
              <List.Item key={problem}>{problem}</List.Item>
            ))}
          </List>
        </Alert>
      )}
    </div>
  );
}

type FactList = Parameters<typeof Facts>[0]['facts'];

function listDatabaseFacts({ database, workerCount, disk, measuredAt }: Health): FactList {
  const { version, sizeBytes, connectionCount, connectionMax, processCount } = database;
  return [
    ['Processes', formatCount(processCount)],
    ['Active workers', workerCount === null ? 'Unknown' : formatCount(workerCount)],
    ['PostgreSQL', version],
    ['Database size', formatSize(sizeBytes)],
    ['Connections', `${formatCount(connectionCount)} of ${formatCount(connectionMax)}`],
    [
      'Free disk space',
      disk === null
        ? 'Not measured: check the database server'
        : `${formatSize(disk.freeBytes)} of ${formatSize(disk.totalBytes)}`,
    ],
    ['Measured', <Moment key="measured" at={measuredAt} format="long" />],
  ];
}

function listMailFacts({ mail }: Health): FactList {
  return [
    ['Mail server', mail.hasMailServer ? 'Configured' : 'Not configured: emails are kept'],
    ['SMS gateway', mail.hasSmsGateway ? 'Configured' : 'Not configured: SMS are kept'],
    ['Not sent yet', formatCount(mail.waitingCount)],
    ['Failed in 24 hours', formatCount(mail.failedCount)],
  ];
}

function listFeedFacts({ feeds }: Health): FactList {
  return [
    ['Connected', formatCount(feeds.connectedCount)],
    ['New', formatCount(feeds.newCount)],
    ['Late', formatCount(feeds.lateCount)],
    ['Failing', formatCount(feeds.failingCount)],
    ['Paused', formatCount(feeds.pausedCount)],
  ];
}

const queueColumns: TableColumn<Health['queues'][number] & { id: string }>[] = [
  { title: 'Queue', cell: ({ name }) => <RowName>{queueLabels[name]}</RowName> },
  {
    title: 'Due',
    isEndAligned: true,
    cell: ({ waitingCount }) => (waitingCount === null ? 'Unknown' : `${formatCount(waitingCount)} due`),
  },
  {
    title: 'Longest wait',
    isEndAligned: true,
    cell: ({ delaySeconds }) => (delaySeconds === null ? 'Unknown' : formatDuration(delaySeconds)),
  },
];
