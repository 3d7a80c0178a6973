import { formatAmount } from '../../format/amount.ts';
import { eventEntry } from '../../parts/event-entry.ts';
import type { HistoryEntry } from '../../parts/history.tsx';
import type { SubscriptionDetails } from './subscription-query.ts';

/** What happened to the subscription and its invoices, in plain words, and what comes next. */
export function subscriptionHistory(subscription: SubscriptionDetails, viewerId: string): HistoryEntry[] {
  const events = subscription.events.map((event) => eventEntry(event, viewerId));
  const invoices = subscription.invoices.map(({ id, number, amount, currency, createdAt }) => ({
    id,
    at: createdAt,
    text: `Invoice ${number} of ${formatAmount(amount, currency)} made`,
  }));
  // Of the same instant: the invoice comes before what became of it.
  const happened = [...invoices, ...due(subscription), ...events];
  return happened.sort((one, other) => one.at.localeCompare(other.at));
}

function due({ status, nextPayment }: SubscriptionDetails): HistoryEntry[] {
  if (nextPayment === null) return [];
  const isAhead = status === 'active';
  const text = isAhead ? 'The next payment is due' : 'Not paid when it was due';
  return [{ id: 'due', at: nextPayment, text, isAhead }];
}
