import { SimpleGrid, Stack } from '@mantine/core';
import { shownTimeZone } from '../../format/moment.ts';
import { graphql } from '../../graphql/graphql.ts';
import { useInterval } from '../../graphql/use-interval.ts';
import { useLive } from '../../graphql/use-live.ts';
import { useRead } from '../../graphql/use-read.ts';
import { Empty } from '../../parts/empty.tsx';
import { Link } from '../../parts/link.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { Section } from '../../parts/section.tsx';
import { useViewer } from '../../viewer.ts';
import { chargeRow, chargesUpdated } from '../charge/charge-row.ts';
import { ChargeTable } from '../charge/charge-table.tsx';
import { transfersUpdated } from '../transfer/transfer-row.ts';
import { collectedDay, collectedOn } from './collected.ts';
import { CollectedCharts } from './collected-charts.tsx';
import { CollectedCard, FailingEndpointsCard, OpenChargesCard, WaitingTransfersCard } from './figures.tsx';
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
                  Make a <Link to="/checkout-links">checkout link</Link> and open it, or create a charge by
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
