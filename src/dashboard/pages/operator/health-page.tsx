import { Alert, List, SimpleGrid, Stack } from '@mantine/core';
import { fillText } from '../../../language/fill-text.ts';
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
import { t } from '../../language/texts.ts';
import { findProblems, queueLabels } from './find-problems.ts';
import { type Health, healthQuery } from './health-query.ts';

const refreshMs = 10_000;

export default function HealthPage() {
  const query = useCachedQuery(healthQuery);
  useInterval(refreshMs, query.refresh);
  return (
    <>
      <PageHeader title={t.operator.health} text={t.operator.thisInstallationRefreshedEvery} />
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
      <Section title={t.operator.queues} isFlush>
        <DataTable
          label={t.operator.queues}
          hasLabels
          columns={queueColumns}
          rows={health.queues.map((queue) => ({ ...queue, id: queue.name }))}
        />
      </Section>
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
        <Section title={t.operator.processesAndDatabase}>
          <Facts facts={listDatabaseFacts(health)} />
        </Section>
        <Section title={t.operator.emailAndSms}>
          <Facts facts={listMailFacts(health)} />
        </Section>
        <Section title={t.common.bankFeeds}>
          <Facts facts={listFeedFacts(health)} />
        </Section>
        <Section title={t.common.webhooks}>
          <Facts
            facts={[
              [t.operator.failing, formatCount(health.webhooks.failingCount)],
              [t.operator.disabled, formatCount(health.webhooks.disabledCount)],
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
        <Alert variant="light" color="teal" title={t.operator.noProblemsFound} />
      ) : (
        <Alert variant="light" color="amber" title={t.operator.needsAttention}>
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
  const { version, sizeBytes, connectionCount, maxConnectionCount, processCount } = database;
  return [
    [t.operator.processes, formatCount(processCount)],
    [t.operator.activeWorkers, workerCount === null ? t.common.unknown : formatCount(workerCount)],
    [t.operator.postgresql, version],
    [t.operator.databaseSize, formatSize(sizeBytes)],
    [
      t.operator.connections,
      fillText(t.operator.usedOfMax, {
        connectionCount: formatCount(connectionCount),
        maxConnectionCount: formatCount(maxConnectionCount),
      }),
    ],
    [
      t.operator.freeDiskSpace,
      disk === null
        ? t.operator.notMeasuredCheckThe
        : fillText(t.operator.freeOfTotal, {
            freeBytes: formatSize(disk.freeBytes),
            totalBytes: formatSize(disk.totalBytes),
          }),
    ],
    [t.operator.measured, <Moment key="measured" at={measuredAt} format="long" />],
  ];
}

function listMailFacts({ mail }: Health): FactList {
  return [
    [t.operator.mailServer, mail.hasMailServer ? t.operator.configured : t.operator.notConfiguredEmailsAre],
    [t.operator.smsGateway, mail.hasSmsGateway ? t.operator.configured : t.operator.notConfiguredSmsAre],
    [t.operator.notSentYet, formatCount(mail.waitingCount)],
    [t.operator.failedIn24Hours, formatCount(mail.failedCount)],
  ];
}

function listFeedFacts({ feeds }: Health): FactList {
  return [
    [t.operator.connected, formatCount(feeds.connectedCount)],
    [t.operator.new, formatCount(feeds.newCount)],
    [t.operator.late, formatCount(feeds.lateCount)],
    [t.operator.failing, formatCount(feeds.failingCount)],
    [t.common.paused, formatCount(feeds.pausedCount)],
  ];
}

const queueColumns: TableColumn<Health['queues'][number] & { id: string }>[] = [
  { title: t.operator.queue, cell: ({ name }) => <RowName>{queueLabels[name]}</RowName> },
  {
    title: t.operator.due,
    isEndAligned: true,
    cell: ({ waitingCount }) =>
      waitingCount === null
        ? t.common.unknown
        : fillText(t.operator.dueCount, { waitingCount: formatCount(waitingCount) }),
  },
  {
    title: t.operator.longestWait,
    isEndAligned: true,
    cell: ({ delaySeconds }) => (delaySeconds === null ? t.common.unknown : formatDuration(delaySeconds)),
  },
];
