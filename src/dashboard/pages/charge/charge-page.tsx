import { Grid, Stack } from '@mantine/core';
import { formatAmount } from '../../format/amount.ts';
import type { ResultOf } from '../../graphql/graphql.ts';
import { useLive } from '../../graphql/use-live.ts';
import { useRead } from '../../graphql/use-read.ts';
import { BackLink } from '../../parts/back-link.tsx';
import { CopyText } from '../../parts/copy-text.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { NoSuch } from '../../parts/no-such.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { Section } from '../../parts/section.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { notificationsUpdated } from '../notification/notifications-query.ts';
import { NewRefundButton } from '../refund/new-refund.tsx';
import { refundsUpdated } from '../refund/refund-row.ts';
import { ChargeActions } from './charge-actions.tsx';
import { ChargeDestination } from './charge-destination.tsx';
import { ChargeFacts } from './charge-facts.tsx';
import { ChargeNotifications } from './charge-notifications.tsx';
import { type ChargeDetails, chargeQuery, chargeUpdated } from './charge-query.ts';
import { ChargeRefunds } from './charge-refunds.tsx';
import { ChargeTimeline } from './charge-timeline.tsx';
import { ChargeTransfers } from './charge-transfers.tsx';
import { SimulateTransferButton } from './simulate-transfer.tsx';

/** One charge: what was asked, how it is paid, what has happened. */
export default function ChargePage({ id }: { id: string }) {
  const read = useRead(chargeQuery, { id });
  useLive(chargeUpdated, { id }, read.refresh);
  const isOfCharge = ({ notificationsUpdated: { event } }: ResultOf<typeof notificationsUpdated>) =>
    event.objectId === id;
  useLive(notificationsUpdated, {}, read.refresh, isOfCharge);
  useLive(refundsUpdated, {}, read.refresh);
  return (
    <Loaded read={read} lines={12}>
      {({ charge }) =>
        charge ? <Details charge={charge} onChanged={read.refresh} /> : <NoSuch noun="charge" />
      }
    </Loaded>
  );
}

function Details({ charge, onChanged }: { charge: ChargeDetails; onChanged: () => void }) {
  return (
    <>
      <BackLink to="/charges">Charges</BackLink>
      <PageHeader
        title={formatAmount(charge.customerAmount, charge.customerCurrency)}
        noun="Charge"
        badge={<StatusBadge status={charge.status} />}
        text={<CopyText text={charge.id} what="charge id" />}
      >
        <ChargeActions charge={charge} />
        <SimulateTransferButton charge={charge} onDone={onChanged} />
        <NewRefundButton charge={charge} onMade={onChanged} />
      </PageHeader>
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, md: 7 }}>
          <Stack gap="lg">
            <Section title="Details">
              <ChargeFacts charge={charge} />
            </Section>
            <Section title="What happened">
              <ChargeTimeline charge={charge} />
            </Section>
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 5 }}>
          <Section title="How it is paid">
            <ChargeDestination charge={charge} />
          </Section>
        </Grid.Col>
        <Grid.Col span={12}>
          <Stack gap="lg">
            <Section title="Transfers" flush>
              <ChargeTransfers charge={charge} />
            </Section>
            {charge.refunds.length > 0 && (
              <Section title="Refunds" flush>
                <ChargeRefunds charge={charge} onChanged={onChanged} />
              </Section>
            )}
            <Section title="Notifications">
              <ChargeNotifications charge={charge} />
            </Section>
          </Stack>
        </Grid.Col>
      </Grid>
    </>
  );
}
