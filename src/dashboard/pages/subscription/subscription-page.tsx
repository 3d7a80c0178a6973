import { Grid, Stack } from '@mantine/core';
import { BackLink } from '../../components/back-link.tsx';
import { CopyText } from '../../components/copy-text.tsx';
import { Empty } from '../../components/empty.tsx';
import { eventEntry } from '../../components/event-entry.ts';
import { Facts } from '../../components/facts.tsx';
import { History, type HistoryEntry } from '../../components/history.tsx';
import { Link } from '../../components/link.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Moment } from '../../components/moment.tsx';
import { NoSuch } from '../../components/no-such.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Section } from '../../components/section.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { formatAmount } from '../../format/amount.ts';
import { payerText } from '../../format/payer.ts';
import { languageText } from '../../format/words.ts';
import { useLive } from '../../graphql/use-live.ts';
import { useRead } from '../../graphql/use-read.ts';
import { useViewer } from '../../viewer.ts';
import { chargesUpdated } from '../charge/charge-row.ts';
import { ChargeTable } from '../charge/charge-table.tsx';
import { InvoiceTable } from '../invoice/invoice-table.tsx';
import { useMethodName } from '../payment-methods.ts';
import { recurringText } from '../subscription-plan/plan-row.ts';
import { SubscriptionActions } from './subscription-actions.tsx';
import { type SubscriptionDetails, subscriptionQuery, subscriptionUpdated } from './subscription-query.ts';
import { lookOf, progressText } from './subscription-row.ts';

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
          <Section title="Timeline">
            <History entries={subscriptionHistory(subscription, user.id)} />
          </Section>
        </Grid.Col>
        <Grid.Col span={12}>
          <Stack gap="lg">
            <Section title="Invoices" flush>
              {invoices.length > 0 ? (
                <InvoiceTable invoices={invoices} />
              ) : (
                <Empty title="No invoices yet">
                  The first payment has no invoice; each later payment has one.
                </Empty>
              )}
            </Section>
            <Section title="Charges" flush>
              {charges.length > 0 ? (
                <ChargeTable label="Charges" charges={charges} />
              ) : (
                <Empty title="No charges yet">This subscription started without a payment.</Empty>
              )}
            </Section>
          </Stack>
        </Grid.Col>
      </Grid>
    </>
  );
}

/** What happened to the subscription and its invoices, in plain words, and what comes next. */
function subscriptionHistory(subscription: SubscriptionDetails, viewerId: string): HistoryEntry[] {
  const events = subscription.events.map((event) => eventEntry(event, viewerId));
  const invoices = subscription.invoices.map(({ id, number, amount, currency, createdAt }) => ({
    id,
    at: createdAt,
    text: `Invoice ${number} of ${formatAmount(amount, currency)} created`,
  }));
  // Of the same instant: the invoice comes before what became of it.
  const happened = [...invoices, ...due(subscription), ...events];
  return happened.sort((one, other) => one.at.localeCompare(other.at));
}

function due({ status, nextPayment }: SubscriptionDetails): HistoryEntry[] {
  if (nextPayment === null) return [];
  const isAhead = status === 'active';
  const text = isAhead ? 'Next payment due' : 'Not paid by the due date';
  return [{ id: 'due', at: nextPayment, text, isAhead }];
}

function SubscriptionFacts({ subscription }: { subscription: SubscriptionDetails }) {
  const methodName = useMethodName();
  const { plan, nextPayment, activeUntil, endedAt } = subscription;
  return (
    <Facts
      facts={[
        [
          'Plan',
          <Link key="plan" to={`/plans/${plan.id}`}>
            {plan.name}
          </Link>,
        ],
        ['Price', recurringText(plan)],
        ['Payment method', methodName(subscription.method)],
        ['Payments', progressText(subscription)],
        ['Next payment', nextPayment && <Moment at={nextPayment} form="long" />],
        ['Paid until', activeUntil && <Moment at={activeUntil} form="long" />],
        ['Email', subscription.email],
        ['Phone', subscription.phone],
        ['Language', languageText(subscription.language)],
        ['Reminders', subscription.remindersOff && 'Turned off by the customer; invoices are still sent'],
        [
          'Customer’s page',
          <CopyText key="page" text="Copy link" value={subscription.manageUrl} what="the customer’s page" />,
        ],
        [
          'Your reference',
          subscription.notifyPayload && <CopyText text={subscription.notifyPayload} what="your reference" />,
        ],
        ['Enrolled', <Moment key="made" at={subscription.createdAt} form="long" />],
        ['Ended', endedAt && <Moment at={endedAt} form="long" />],
      ]}
    />
  );
}
