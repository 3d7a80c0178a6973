import { Group, Paper, SimpleGrid, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Amount } from '../../components/amount.tsx';
import { Empty } from '../../components/empty.tsx';
import { Link } from '../../components/link.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Section } from '../../components/section.tsx';
import { counted, formatCount } from '../../format/count.ts';
import { shownTimeZone } from '../../format/moment.ts';
import { graphql } from '../../graphql/graphql.ts';
import { useInterval } from '../../graphql/use-interval.ts';
import { useLive } from '../../graphql/use-live.ts';
import { useRead } from '../../graphql/use-read.ts';
import { useViewer } from '../../viewer.ts';
import { chargeRow, chargesUpdated } from '../charge/charge-row.ts';
import { ChargeTable } from '../charge/charge-table.tsx';
import { transfersUpdated } from '../transfer/transfer-row.ts';
import { type Collected, collectedDay, collectedOn } from './collected.ts';
import { CollectedCharts } from './collected-charts.tsx';
import { SubscriptionFigures, useSubscriptionFigures } from './subscription-figures.tsx';

const homeQuery = graphql(
  `
    query Home($timeZone: String!) {
      days: collectedByDay(days: 30, timeZone: $timeZone) {
        ...CollectedDay
      }
      open: charges(filter: { status: [pending] }, first: 1) {
        totalCount
      }
      waiting: transfers(filter: { status: [exception] }, first: 1) {
        totalCount
      }
      failing: alerts(open: true, first: 1) {
        totalCount
      }
      latest: charges(first: 8) {
        nodes {
          ...ChargeRow
        }
      }
    }
  `,
  [chargeRow, collectedDay],
);

/** What no live change tells of: endpoints that fail, and midnight. */
const refreshMs = 60_000;

/** How things stand today; what happens shows at once. */
export default function HomePage() {
  const { merchant } = useViewer();
  const read = useRead(homeQuery, { timeZone: shownTimeZone() });
  const subscriptions = useSubscriptionFigures();
  useLive(chargesUpdated, {}, read.refresh);
  useLive(transfersUpdated, {}, read.refresh);
  useInterval(refreshMs, read.refresh);
  const figures = subscriptions.data?.subscriptionFigures;
  const both = {
    data: read.data && figures && { ...read.data, figures },
    error: read.error ?? subscriptions.error,
    refresh: () => {
      read.refresh();
      subscriptions.refresh();
    },
  };
  return (
    <>
      <PageHeader title="Home" text={merchant?.name} />
      <Loaded read={both} lines={10}>
        {({ days, open, waiting, failing, latest, figures }) => (
          <Stack gap="lg">
            <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }}>
              <CollectedCard collected={collectedOn(days.at(-1))} />
              <OpenChargesCard count={open.totalCount} />
              <WaitingTransfersCard count={waiting.totalCount} />
              <FailingEndpointsCard count={failing.totalCount} />
            </SimpleGrid>
            <CollectedCharts days={days} />
            <SubscriptionFigures figures={figures} />
            <Section
              title="Latest charges"
              aside={
                <Link to="/charges" size="sm">
                  All charges
                </Link>
              }
              flush
            >
              {latest.nodes.length > 0 ? (
                <ChargeTable label="Latest charges" charges={latest.nodes} />
              ) : (
                <Empty title="No charges yet">
                  Create a <Link to="/checkout-links">checkout link</Link> and open it, or create a charge via
                  the API.
                </Empty>
              )}
            </Section>
          </Stack>
        )}
      </Loaded>
    </>
  );
}

function Figure({ title, aside, children }: { title: string; aside?: ReactNode; children: ReactNode }) {
  return (
    <Paper component="section" aria-label={title} withBorder radius="lg" p="lg" bg="var(--causeway-card)">
      <Group justify="space-between" align="flex-start" wrap="nowrap" mb={6}>
        <Text size="sm" c="var(--causeway-muted)">
          {title}
        </Text>
        {aside}
      </Group>
      {children}
    </Paper>
  );
}

function CountCard({ title, count, to }: { title: string; count: number; to: string }) {
  return (
    <Figure
      title={title}
      aside={
        <Link to={to} size="sm" style={{ flexShrink: 0 }}>
          View
        </Link>
      }
    >
      <Text size="xl" fw={650}>
        {formatCount(count)}
      </Text>
    </Figure>
  );
}

function OpenChargesCard(props: { count: number }) {
  return <CountCard title="Awaiting payment" to="/charges?status=pending" {...props} />;
}

/** Money that came and waits for a decision. */
function WaitingTransfersCard(props: { count: number }) {
  return <CountCard title="Needs review" to="/transfers?status=exception" {...props} />;
}

/** Addresses that notifications do not reach, until somebody has seen it. */
function FailingEndpointsCard(props: { count: number }) {
  return <CountCard title="Alerts" to="/webhooks" {...props} />;
}

function CollectedCard({ collected }: { collected: readonly Collected[] }) {
  return (
    <Figure title="Collected today">
      {collected.length === 0 && (
        <Text size="lg" fw={650}>
          Nothing yet
        </Text>
      )}
      <Stack gap={2}>
        {collected.map(({ currency, amount, charges }) => (
          <Group key={currency} justify="space-between" gap="sm" align="baseline">
            <Text size="lg" fw={650}>
              <Amount value={amount} currency={currency} />
            </Text>
            <Text size="sm" c="var(--causeway-muted)">
              {counted(charges, 'charge')}
            </Text>
          </Group>
        ))}
      </Stack>
    </Figure>
  );
}
