import { SimpleGrid, Stack } from '@mantine/core';
import { useState } from 'react';
import { useQuery } from 'urql';
import { startOfToday } from '../../format/moment.ts';
import { graphql } from '../../graphql/graphql.ts';
import { useLive } from '../../graphql/use-live.ts';
import { Empty } from '../../parts/empty.tsx';
import { Link } from '../../parts/link.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { Section } from '../../parts/section.tsx';
import { useViewer } from '../../viewer.ts';
import { chargeRow, chargesUpdated } from '../charge/charge-row.ts';
import { ChargeTable } from '../charge/charge-table.tsx';
import { transfersUpdated } from '../transfer/transfer-row.ts';
import { CollectedCard, OpenChargesCard, WaitingTransfersCard } from './figures.tsx';
import { SubscriptionFigures } from './subscription-figures.tsx';

const homeQuery = graphql(
  `
    query Home($today: DateTime!) {
      collected(from: $today) {
        currency
        amount
        charges
      }
      open: charges(filter: { status: [pending] }, first: 1) {
        totalCount
      }
      waiting: transfers(filter: { status: [exception] }, first: 1) {
        totalCount
      }
      latest: charges(first: 8) {
        nodes {
          ...ChargeRow
        }
      }
    }
  `,
  [chargeRow],
);

/** How things stand today; what happens shows at once. */
export default function HomePage() {
  const { merchant } = useViewer();
  const [today, setToday] = useState(() => startOfToday());
  const [{ data, error }, reload] = useQuery({ query: homeQuery, variables: { today } });
  const refresh = () => {
    // A page that stays open over midnight begins a new day.
    setToday(startOfToday());
    reload({ requestPolicy: 'network-only' });
  };
  useLive(chargesUpdated, {}, refresh);
  useLive(transfersUpdated, {}, refresh);
  return (
    <>
      <PageHeader title="Home" text={merchant?.name} />
      <Loaded data={data} error={error} onRetry={refresh}>
        {({ collected, open, waiting, latest }) => (
          <Stack gap="lg">
            <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }}>
              <OpenChargesCard count={open.totalCount} />
              <WaitingTransfersCard count={waiting.totalCount} />
              <CollectedCard collected={collected} />
            </SimpleGrid>
            <SubscriptionFigures />
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
