import { Alert, Grid, Stack } from '@mantine/core';
import { useState } from 'react';
import { fillText } from '../../../language/fill-text.ts';
import { BackLink } from '../../components/back-link.tsx';
import { CopyLinkButton } from '../../components/copy-link-button.tsx';
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
import { formatLanguage, formatMethod } from '../../format/labels.ts';
import { formatMoment } from '../../format/moment.ts';
import { formatPayer } from '../../format/payer.ts';
import { useLiveUpdates } from '../../graphql/use-live-updates.ts';
import { useCachedQuery } from '../../graphql/use-query-state.ts';
import { t } from '../../language/texts.ts';
import { useViewer } from '../../viewer.ts';
import { chargesUpdated } from '../charge/charge-row.ts';
import { ChargeTable } from '../charge/charge-table.tsx';
import { InvoiceTable } from '../invoice/invoice-table.tsx';
import { TestClockHint } from '../test-clock/test-clock-hint.tsx';
import { SubscriptionActions } from './subscription-actions.tsx';
import { type SubscriptionDetails, subscriptionQuery, subscriptionUpdated } from './subscription-query.ts';
import {
  formatPaymentAfterResuming,
  formatPrice,
  formatProgress,
  getRemainingPaidMs,
  getStatusBadge,
  getUpcomingPayment,
} from './subscription-row.ts';

export default function SubscriptionPage({ id }: { id: string }) {
  const query = useCachedQuery(subscriptionQuery, { id });
  useLiveUpdates(subscriptionUpdated, { id }, query.refresh);
  useLiveUpdates(chargesUpdated, {}, query.refresh);
  return (
    <Loaded query={query} lines={12}>
      {({ subscription }) =>
        subscription ? (
          <Details key={id} subscription={subscription} onChanged={query.refresh} />
        ) : (
          <ObjectNotFound title={t.subscription.notFound} />
        )
      }
    </Loaded>
  );
}

type SubscriptionDetailsProps = { subscription: SubscriptionDetails; onChanged: () => void };

function Details({ subscription, onChanged }: SubscriptionDetailsProps) {
  const { user } = useViewer();
  const [areLinksReplaced, setLinksReplaced] = useState(false);
  const { recentInvoices, recentCharges } = subscription;
  return (
    <>
      <BackLink to="/subscriptions">{t.common.subscriptions}</BackLink>
      <PageHeader
        title={formatPayer(subscription)}
        objectType={t.subscription.subscription}
        badge={<StatusBadge status={getStatusBadge(subscription)} />}
        text={<CopyText text={subscription.id} label={t.components.copyId} />}
      >
        <SubscriptionActions
          subscription={subscription}
          onChanged={onChanged}
          onLinksReplaced={() => setLinksReplaced(true)}
        />
      </PageHeader>
      <div role="status">
        {areLinksReplaced && (
          <Alert color="teal" variant="light" mb="lg">
            {t.subscription.linksReplaced}
          </Alert>
        )}
      </div>
      {subscription.hasReversedPayment && (
        <Alert color="amber" variant="light" title={t.subscription.aPaymentWasReversed} mb="lg">
          {t.subscription.theBankReversedMoney}
        </Alert>
      )}
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, md: 6 }}>
          <Section title={t.common.details}>
            <SubscriptionFacts subscription={subscription} />
          </Section>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 6 }}>
          <Section title={t.common.timeline}>
            <EventHistory entries={toSubscriptionHistory(subscription, user.id)} />
          </Section>
        </Grid.Col>
        <Grid.Col span={12}>
          <Stack gap="lg">
            <Section title={t.common.invoices} isFlush>
              {recentInvoices.length > 0 ? (
                <InvoiceTable invoices={recentInvoices} />
              ) : (
                <EmptyState title={t.subscription.noInvoicesYet}>
                  {t.subscription.theFirstPaymentHas}
                  <TestClockHint />
                </EmptyState>
              )}
            </Section>
            <Section title={t.common.charges} isFlush>
              {recentCharges.length > 0 ? (
                <ChargeTable label={t.common.charges} charges={recentCharges} />
              ) : (
                <EmptyState title={t.common.noChargesYet}>
                  {t.subscription.thisSubscriptionStartedWithout}
                </EmptyState>
              )}
            </Section>
          </Stack>
        </Grid.Col>
      </Grid>
    </>
  );
}

function toSubscriptionHistory(subscription: SubscriptionDetails, viewerId: string): HistoryEntry[] {
  const events = subscription.events.map((event, i) => ({
    ...toHistoryEntry(event, viewerId),
    ...toSkipText(event, subscription.events[i - 1]),
    ...toTermsText(event, subscription),
  }));
  const invoices = subscription.recentInvoices.map(({ id, number, amount, currency, createdAt }) => ({
    id,
    at: createdAt,
    text: fillText(t.subscription.invoiceOfCreated, { number, amount: formatAmount(amount, currency) }),
  }));
  const endIds = new Set(subscription.events.filter(({ type }) => endTypes.has(type)).map(({ id }) => id));
  const entries: HistoryEntry[] = [...events];
  // Recent invoices are sorted from new to old.
  for (const entry of [...invoices.reverse(), ...toDueEntry(subscription)]) {
    const isLater = ({ id, at }: HistoryEntry) => at > entry.at || (at === entry.at && endIds.has(id));
    const position = entries.findIndex(isLater);
    entries.splice(position === -1 ? entries.length : position, 0, entry);
  }
  return entries;
}

/** Events that follow an invoice or a due date of the same time. Others, such as a resumption, precede it. */
const endTypes = new Set(['subscription_paused', 'subscription_cancelled', 'subscription_completed']);

type SubscriptionEvent = SubscriptionDetails['events'][number];

/** Returns the text of an update that moved the next payment: the merchant skipped a payment, or voided its invoice. */
function toSkipText(event: SubscriptionEvent, previous: SubscriptionEvent | undefined): { text?: string } {
  const [skippedAt, nextAt] = [getNextPayment(previous), getNextPayment(event)];
  if (event.type !== 'subscription_updated' || !skippedAt || !nextAt || nextAt <= skippedAt) return {};
  return { text: fillText(t.subscription.skippedThePayment, { date: formatMoment(skippedAt, 'day') }) };
}

/** Returns the text of an update by which the merchant changed the plan or the price. */
function toTermsText(
  { id }: SubscriptionEvent,
  { termsChanges, subscriptionPlan: { currency } }: SubscriptionDetails,
): { text?: string } {
  const change = termsChanges.find(({ eventId }) => eventId === id);
  if (!change) return {};
  const [before, after] = [change.priceBefore, change.priceAfter].map((price) =>
    formatAmount(price, currency),
  );
  return change.planBefore.id === change.planAfter.id
    ? { text: fillText(t.subscription.priceChanged, { before: before!, after: after! }) }
    : {
        text: fillText(t.subscription.planChanged, {
          before: `${change.planBefore.name} (${before})`,
          after: `${change.planAfter.name} (${after})`,
        }),
      };
}

function getNextPayment(event: SubscriptionEvent | undefined): string | null {
  return event?.payload.__typename === 'SubscriptionEventPayload' ? event.payload.nextPaymentAt : null;
}

function toDueEntry(subscription: SubscriptionDetails): HistoryEntry[] {
  const { status, nextPaymentAt, resumesAt } = subscription;
  const upcomingAt = getUpcomingPayment(subscription);
  if (resumesAt !== null && upcomingAt !== null)
    return [
      { id: 'resume', at: resumesAt, text: t.subscription.resumesOn, isUpcoming: true },
      { id: 'due', at: upcomingAt, text: t.subscription.nextPaymentDue, isUpcoming: true },
    ];
  if (nextPaymentAt === null) return [];
  const isUpcoming = status === 'active';
  const text = isUpcoming ? t.subscription.nextPaymentDue : t.subscription.notPaidByThe;
  return [{ id: 'due', at: nextPaymentAt, text, isUpcoming }];
}

function SubscriptionFacts({ subscription }: { subscription: SubscriptionDetails }) {
  const { status, subscriptionPlan, nextPaymentAt, activeUntil, endedAt } = subscription;
  const { pausedAt, resumesAt } = subscription;
  const upcomingPaymentAt = getUpcomingPayment(subscription);
  return (
    <Facts
      facts={[
        [
          t.common.plan,
          <Link key="plan" to={`/plans/${subscriptionPlan.id}`}>
            {subscriptionPlan.name}
          </Link>,
        ],
        [t.common.price, formatPrice(subscription)],
        [t.subscription.paymentMethod, formatMethod(subscription.method)],
        [t.common.payments, formatProgress(subscription)],
        [
          t.subscription.nextPayment,
          upcomingPaymentAt === null ? (
            pausedAt && formatPaymentAfterResuming(getRemainingPaidMs(subscription, pausedAt))
          ) : (
            <Moment key="next" at={upcomingPaymentAt} format="long" />
          ),
        ],
        [
          t.subscription.unpaidSince,
          status === 'inactive' && nextPaymentAt && <Moment at={nextPaymentAt} format="long" />,
        ],
        [t.common.pausedByYou, pausedAt && <Moment at={pausedAt} format="long" />],
        [t.subscription.resumesOn, resumesAt && <Moment at={resumesAt} format="long" />],
        [
          t.subscription.activeUntil,
          status !== 'inactive' && activeUntil && <Moment at={activeUntil} format="long" />,
        ],
        [
          t.common.customer,
          subscription.customer && (
            <Link to={`/customers/${subscription.customer.id}`}>{formatPayer(subscription)}</Link>
          ),
        ],
        [t.common.email, subscription.email],
        [t.common.phone, subscription.phone],
        [t.subscription.language, formatLanguage(subscription.locale)],
        [t.subscription.reminders, subscription.hasOptedOutOfReminders && t.subscription.turnedOffByThe],
        [
          t.subscription.customersPage,
          <CopyLinkButton
            key="page"
            label={t.common.copyLink}
            name={t.subscription.copyLinkToTheCustomersPage}
            url={subscription.manageUrl}
          />,
        ],
        [
          t.common.yourReference,
          subscription.notifyPayload && (
            <CopyText text={subscription.notifyPayload} label={t.components.copyYourReference} />
          ),
        ],
        [t.subscription.enrolled, <Moment key="created" at={subscription.createdAt} format="long" />],
        [t.subscription.ended, endedAt && <Moment at={endedAt} format="long" />],
      ]}
    />
  );
}
