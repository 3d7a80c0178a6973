import { Group, Paper, SimpleGrid, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Amount } from '../../components/amount.tsx';
import { DataAge } from '../../components/data-age.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Link } from '../../components/link.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Section } from '../../components/section.tsx';
import { formatCount, pluralize } from '../../format/count.ts';
import { getDisplayTimeZone } from '../../format/moment.ts';
import { graphql } from '../../graphql/graphql.ts';
import { useInterval } from '../../graphql/use-interval.ts';
import { useLiveUpdates } from '../../graphql/use-live-updates.ts';
import { useCachedQuery } from '../../graphql/use-query-state.ts';
import { useViewer } from '../../viewer.ts';
import { chargeRowFields, chargesUpdated } from '../charge/charge-row.ts';
import { ChargeTable } from '../charge/charge-table.tsx';
import { transfersUpdated } from '../transfer/transfer-row.ts';
import { type CollectedAmount, collectedDayFields, getCollectedAmounts } from './collected.ts';
import { CollectedCharts } from './collected-charts.tsx';
import { SetupGuide } from './setup-guide.tsx';
import { SubscriptionSummary, useSubscriptionSummary } from './subscription-summary.tsx';

const homeQuery = graphql(
  `
    query Home($timeZone: String!) {
      figuresAsOf
      days: dailyCollectedAmounts(days: 30, timeZone: $timeZone) {
        ...CollectedDay
      }
      open: charges(filter: { statuses: [pending] }, first: 1) {
        totalCount
      }
      waiting: transfers(filter: { statuses: [exception] }, first: 1) {
        totalCount
      }
      failing: alerts(filter: { isDismissed: false }, first: 1) {
        totalCount
      }
      latest: charges(first: 8) {
        nodes {
          ...ChargeRow
        }
      }
    }
  `,
  [chargeRowFields, collectedDayFields],
);

/** The polling interval for data without live updates: alerts, and the figures of a new day. */
const refreshMs = 60_000;

/** Shows the figures of today and of the last days, with live updates. */
export default function HomePage() {
  const { merchant } = useViewer();
  const query = useCachedQuery(homeQuery, { timeZone: getDisplayTimeZone() });
  const subscriptions = useSubscriptionSummary();
  useLiveUpdates(chargesUpdated, {}, query.refresh);
  useLiveUpdates(transfersUpdated, {}, query.refresh);
  useInterval(refreshMs, query.refresh);
  const figures = subscriptions.data?.subscriptionSummary;
  const combinedQuery = {
    data: query.data && figures && { ...query.data, figures },
    error: query.error ?? subscriptions.error,
    refresh: () => {
      query.refresh();
      subscriptions.refresh();
    },
  };
  return (
    <>
      <PageHeader title="Home" text={merchant?.name} />
      <Loaded query={combinedQuery} lines={10}>
        {({ days, open, waiting, failing, latest, figures, figuresAsOf }) => (
          <Stack gap="lg">
            <SetupGuide onSampleData={combinedQuery.refresh} />
            <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }}>
              <CollectedCard collected={getCollectedAmounts(days.at(-1))} />
              <OpenChargesCard count={open.totalCount} />
              <NeedsReviewCard count={waiting.totalCount} />
              <FailingEndpointsCard count={failing.totalCount} />
            </SimpleGrid>
            <CollectedCharts days={days} />
            <DataAge at={figuresAsOf} />
            <SubscriptionSummary figures={figures} />
            <Section
              title="Latest charges"
              aside={
                <Link to="/charges" size="sm">
                  All charges
                </Link>
              }
              isFlush
            >
              {latest.nodes.length > 0 ? (
                <ChargeTable label="Latest charges" charges={latest.nodes} />
              ) : (
                <EmptyState title="No charges yet">
                  Create a <Link to="/checkout-links">checkout link</Link> and open it, or create a charge via
                  the API.
                </EmptyState>
              )}
            </Section>
          </Stack>
        )}
      </Loaded>
    </>
  );
}

function FigureCard({ title, aside, children }: { title: string; aside?: ReactNode; children: ReactNode }) {
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
    <FigureCard
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
    </FigureCard>
  );
}

function OpenChargesCard(props: { count: number }) {
  return <CountCard title="Awaiting payment" to="/charges?status=pending" {...props} />;
}

function NeedsReviewCard(props: { count: number }) {
  return <CountCard title="Needs review" to="/transfers?status=exception" {...props} />;
}

/** Counts unread alerts about failing endpoints. */
function FailingEndpointsCard(props: { count: number }) {
  return <CountCard title="Alerts" to="/webhooks" {...props} />;
}

function CollectedCard({ collected }: { collected: readonly CollectedAmount[] }) {
  return (
    <FigureCard title="Collected today">
      {collected.length === 0 && (
        <Text size="lg" fw={650}>
          Nothing yet
        </Text>
      )}
      <Stack gap={2}>
        {collected.map(({ currency, amount, chargeCount }) => (
          <Group key={currency} justify="space-between" gap="sm" align="baseline">
            <Text size="lg" fw={650}>
              <Amount value={amount} currency={currency} />
            </Text>
            <Text size="sm" c="var(--causeway-muted)">
              {pluralize(chargeCount, 'charge')}
            </Text>
          </Group>
        ))}
      </Stack>
    </FigureCard>
  );
}
