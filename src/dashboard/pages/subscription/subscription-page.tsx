import { Grid, Stack } from '@mantine/core';
import { payerText } from '../../format/payer.ts';
import { useLive } from '../../graphql/use-live.ts';
import { useRead } from '../../graphql/use-read.ts';
import { BackLink } from '../../parts/back-link.tsx';
import { CopyText } from '../../parts/copy-text.tsx';
import { Empty } from '../../parts/empty.tsx';
import { History } from '../../parts/history.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { NoSuch } from '../../parts/no-such.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { Section } from '../../parts/section.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { useViewer } from '../../viewer.ts';
import { chargesUpdated } from '../charge/charge-row.ts';
import { ChargeTable } from '../charge/charge-table.tsx';
import { InvoiceTable } from '../invoice/invoice-table.tsx';
import { SubscriptionActions } from './subscription-actions.tsx';
import { SubscriptionFacts } from './subscription-facts.tsx';
import { subscriptionHistory } from './subscription-history.ts';
import { type SubscriptionDetails, subscriptionQuery, subscriptionUpdated } from './subscription-query.ts';
import { lookOf } from './subscription-row.ts';

/** One subscription: how it stands, its invoices and charges, what has happened. */
export default function SubscriptionPage({ id }: { id: string }) {
  const read = useRead(subscriptionQuery, { id });
  useLive(subscriptionUpdated, { id }, read.refresh);
  useLive(chargesUpdated, {}, read.refresh);
  return (
    <Loaded read={read} lines={12}>
      {({ subscription }) =>
        subscription ? (
          <Details subscription={subscription} onChanged={read.refresh} />
        ) : (
          <NoSuch noun="subscription" />
        )
      }
    </Loaded>
  );
}

type Props = { subscription: SubscriptionDetails; onChanged: () => void };

function Details({ subscription, onChanged }: Props) {
  const { user } = useViewer();
  const { invoices, charges } = subscription;
  return (
    <>
      <BackLink to="/subscriptions">Subscriptions</BackLink>
      <PageHeader
        title={payerText(subscription)}
        noun="Subscription"
        badge={<StatusBadge status={lookOf(subscription)} />}
        text={<CopyText text={subscription.id} what="subscription id" />}
      >
        <SubscriptionActions subscription={subscription} onChanged={onChanged} />
      </PageHeader>
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, md: 6 }}>
          <Section title="Details">
            <SubscriptionFacts subscription={subscription} />
          </Section>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 6 }}>
          <Section title="What happened">
            <History entries={subscriptionHistory(subscription, user.id)} />
          </Section>
        </Grid.Col>
        <Grid.Col span={12}>
          <Stack gap="lg">
            <Section title="Invoices" flush>
              {invoices.length > 0 ? (
                <InvoiceTable invoices={invoices} />
              ) : (
                <Empty title="No invoices yet">The first payment has none; each one after it has.</Empty>
              )}
            </Section>
            <Section title="Charges" flush>
              {charges.length > 0 ? (
                <ChargeTable label="Charges" charges={charges} />
              ) : (
                <Empty title="No charges yet">It began without a payment.</Empty>
              )}
            </Section>
          </Stack>
        </Grid.Col>
      </Grid>
    </>
  );
}
