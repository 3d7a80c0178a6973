import { Alert, Grid, Stack } from '@mantine/core';
import { BackLink } from '../../components/back-link.tsx';
import { CopyText } from '../../components/copy-text.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { EventHistory, type HistoryEntry } from '../../components/event-history.tsx';
import { Facts } from '../../components/facts.tsx';
import { Link } from '../../components/link.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Moment } from '../../components/moment.tsx';
import { ObjectNotFound } from '../../components/object-not-found.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Section } from '../../components/section.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { toHistoryEntry } from '../../components/to-history-entry.ts';
import { formatAmount } from '../../format/amount.ts';
import { formatLanguage } from '../../format/labels.ts';
import { formatPayer } from '../../format/payer.ts';
import { useLiveUpdates } from '../../graphql/use-live-updates.ts';
import { useCachedQuery } from '../../graphql/use-query-state.ts';
import { useViewer } from '../../viewer.ts';
import { chargesUpdated } from '../charge/charge-row.ts';
import { ChargeTable } from '../charge/charge-table.tsx';
import { InvoiceTable } from '../invoice/invoice-table.tsx';
import { useMethodName } from '../payment-methods.ts';
import { SubscriptionActions } from './subscription-actions.tsx';
import { type SubscriptionDetails, subscriptionQuery, subscriptionUpdated } from './subscription-query.ts';
import { formatPrice, formatProgress, getStatusBadge } from './subscription-row.ts';

/** Shows a subscription: its billing state, invoices, charges and history. */
export default function SubscriptionPage({ id }: { id: string }) {
  const query = useCachedQuery(subscriptionQuery, { id });
  useLiveUpdates(subscriptionUpdated, { id }, query.refresh);
  useLiveUpdates(chargesUpdated, {}, query.refresh);
  return (
    <Loaded query={query} lines={12}>
      {({ subscription }) =>
        subscription ? (
          <Details subscription={subscription} onChanged={query.refresh} />
        ) : (
          <ObjectNotFound objectType="subscription" />
        )
      }
    </Loaded>
  );
}

type SubscriptionDetailsProps = { subscription: SubscriptionDetails; onChanged: () => void };

function Details({ subscription, onChanged }: SubscriptionDetailsProps) {
  const { user } = useViewer();
  const { recentInvoices, recentCharges } = subscription;
  return (
    <>
      <BackLink to="/subscriptions">Subscriptions</BackLink>
      <PageHeader
        title={formatPayer(subscription)}
        objectType="Subscription"
        badge={<StatusBadge status={getStatusBadge(subscription)} />}
        text={<CopyText text={subscription.id} label="subscription id" />}
      >
        <SubscriptionActions subscription={subscription} onChanged={onChanged} />
      </PageHeader>
      {subscription.hasReversedPayment && (
        <Alert color="amber" variant="light" title="A payment was reversed" mb="lg">
          The bank reversed money of a paid charge, or its statement was undone. The paid period does not
          change. Review the transfer of the charge.
        </Alert>
      )}
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, md: 6 }}>
          <Section title="Details">
            <SubscriptionFacts subscription={subscription} />
          </Section>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 6 }}>
          <Section title="Timeline">
            <EventHistory entries={toSubscriptionHistory(subscription, user.id)} />
          </Section>
        </Grid.Col>
        <Grid.Col span={12}>
          <Stack gap="lg">
            <Section title="Invoices" isFlush>
              {recentInvoices.length > 0 ? (
                <InvoiceTable invoices={recentInvoices} />
              ) : (
                <EmptyState title="No invoices yet">
                  The first payment has no invoice; each later payment has one.
                </EmptyState>
              )}
            </Section>
            <Section title="Charges" isFlush>
              {recentCharges.length > 0 ? (
                <ChargeTable label="Charges" charges={recentCharges} />
              ) : (
                <EmptyState title="No charges yet">This subscription started without a payment.</EmptyState>
              )}
            </Section>
          </Stack>
        </Grid.Col>
      </Grid>
    </>
  );
}

/** Returns the history of the subscription and its invoices, and the next payment. */
function toSubscriptionHistory(subscription: SubscriptionDetails, viewerId: string): HistoryEntry[] {
  const events = subscription.events.map((event) => toHistoryEntry(event, viewerId));
  const invoices = subscription.recentInvoices.map(({ id, number, amount, currency, createdAt }) => ({
    id,
    at: createdAt,
    text: `Invoice ${number} of ${formatAmount(amount, currency)} created`,
  }));
  // The sort is stable: at equal times, an invoice precedes the events that it caused.
  const entries = [...invoices, ...toDueEntry(subscription), ...events];
  return entries.sort((a, b) => a.at.localeCompare(b.at));
}

function toDueEntry({ status, nextPaymentAt }: SubscriptionDetails): HistoryEntry[] {
  if (nextPaymentAt === null) return [];
  const isUpcoming = status === 'active';
  const text = isUpcoming ? 'Next payment due' : 'Not paid by the due date';
  return [{ id: 'due', at: nextPaymentAt, text, isUpcoming }];
}

function SubscriptionFacts({ subscription }: { subscription: SubscriptionDetails }) {
  const methodName = useMethodName();
  const { subscriptionPlan, nextPaymentAt, activeUntil, endedAt, pausedAt } = subscription;
  return (
    <Facts
      facts={[
        [
          'Plan',
          <Link key="plan" to={`/plans/${subscriptionPlan.id}`}>
            {subscriptionPlan.name}
          </Link>,
        ],
        ['Price', formatPrice(subscription)],
        ['Payment method', methodName(subscription.method)],
        ['Payments', formatProgress(subscription)],
        ['Next payment', nextPaymentAt && <Moment at={nextPaymentAt} format="long" />],
        ['Paused by you', pausedAt && <Moment at={pausedAt} format="long" />],
        ['Paid until', activeUntil && <Moment at={activeUntil} format="long" />],
        [
          'Customer',
          subscription.customer && (
            <Link to={`/customers/${subscription.customer.id}`}>{formatPayer(subscription)}</Link>
          ),
        ],
        ['Email', subscription.email],
        ['Phone', subscription.phone],
        ['Language', formatLanguage(subscription.locale)],
        [
          'Reminders',
          subscription.hasOptedOutOfReminders && 'Turned off by the customer; invoices are still sent',
        ],
        [
          'Customer’s page',
          <CopyText key="page" text="Copy link" value={subscription.manageUrl} label="the customer’s page" />,
        ],
        [
          'Your reference',
          subscription.notifyPayload && <CopyText text={subscription.notifyPayload} label="your reference" />,
        ],
        ['Enrolled', <Moment key="created" at={subscription.createdAt} format="long" />],
        ['Ended', endedAt && <Moment at={endedAt} format="long" />],
      ]}
    />
  );
}
