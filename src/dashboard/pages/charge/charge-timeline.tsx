import { fillText } from '../../../language/fill-text.ts';
import { EventHistory, type HistoryEntry } from '../../components/event-history.tsx';
import { toHistoryEntry } from '../../components/to-history-entry.ts';
import { formatAmount, isNegative } from '../../format/amount.ts';
import { formatActor, isMoneyEvent } from '../../format/labels.ts';
import { t } from '../../language/texts.ts';
import { useViewer } from '../../viewer.ts';
import { toRefundHistory } from '../refund/to-refund-history.ts';
import { sourceTexts } from '../transfer/transfer-row.ts';
import type { ChargeDetails } from './charge-query.ts';

export function ChargeTimeline({ charge }: { charge: ChargeDetails }) {
  const { user } = useViewer();
  const pastEntries = [
    ...toEventEntries(charge, user.id),
    ...toReversalEntries(charge),
    ...toRefundEntries(charge, user.id),
  ];
  const entries = pastEntries.sort((a, b) => a.at.localeCompare(b.at));
  return <EventHistory entries={[...entries, ...toExpiryEntry(charge)]} />;
}

/**
 * Omits `charge_completed`, which a subscription's charge has in addition to CHARGE_COMPLETE, with the same
 * meaning.
 */
function toEventEntries(charge: ChargeDetails, viewerId: string): HistoryEntry[] {
  const shownEvents = (charge.events ?? []).filter(({ type }) => type !== 'charge_completed');
  return shownEvents.map((event) => {
    const entry = toHistoryEntry(event, viewerId);
    return isMoneyEvent(event.type) ? { ...entry, ...describePayment(charge, event, viewerId) } : entry;
  });
}

type ChargeEvent = NonNullable<ChargeDetails['events']>[number];
type ChargeAllocation = NonNullable<ChargeDetails['allocations']>[number];

/**
 * Returns the source of the payment that caused an event. If a user decided instead, the user is the actor, and
 * nothing is returned unless the user accepted a part payment, or applied one again that the charge had released.
 */
function describePayment(
  { allocations }: ChargeDetails,
  { type, actor, createdAt }: ChargeEvent,
  viewerId: string,
): Partial<HistoryEntry> {
  const caused = (allocations ?? []).filter((allocation) => allocation.createdAt === createdAt);
  if (caused.some(({ reason }) => reason === 'shortfall_accepted'))
    return { text: t.transfer.acceptedAsFullPayment };
  const releasedIds = new Set(
    (allocations ?? []).flatMap(({ amount, transfer }) => (isNegative(amount) ? transfer.id : [])),
  );
  const isAgain = caused.some(
    ({ reason, transfer }) => reason === 'assigned' && releasedIds.has(transfer.id),
  );
  if (isAgain && type === 'charge_part_paid') return { text: t.charge.partPaymentAppliedAgain };
  const payment = caused.find(({ reason }) => reason === 'matched');
  if (!payment) return {};
  const source = sourceTexts[payment.transfer.source];
  if (actor.kind === 'job') return { by: source };
  return { by: `${source} · ${formatActor(actor, viewerId, { isReporter: true })}` };
}

const releaseTexts: Record<string, string> = {
  charge_cancelled: t.charge.releasedAsCancelled,
  charge_expired: t.charge.releasedAsExpired,
  statement_undone: t.charge.releasedAsStatementUndone,
  reversed: t.charge.reversedByTheBank,
  unassigned: t.charge.unassignedManually,
};

/** Derives entries from allocations, because the reversal of an allocation has no event. */
function toReversalEntries(charge: ChargeDetails): HistoryEntry[] {
  return (charge.allocations ?? [])
    .filter((allocation) => isNegative(allocation.amount) && !isCopied(allocation, charge))
    .map(({ id, amount, reason, createdAt, transfer }) => ({
      id,
      at: createdAt,
      text: fillText(releaseTexts[reason] ?? t.charge.released, {
        amount: formatAmount(amount.replace('-', ''), transfer.currency),
      }),
    }));
}

/** Returns whether a duplicate that replaced the undone transfer has a copy of the allocation. */
function isCopied(
  { id, amount, reason, createdAt, transfer }: ChargeAllocation,
  { allocations }: ChargeDetails,
): boolean {
  if (transfer.status !== 'undone' || reason === 'statement_undone') return false;
  return (allocations ?? []).some(
    (other) =>
      other.id > id &&
      other.transfer.id !== transfer.id &&
      other.amount === amount &&
      other.reason === reason &&
      other.createdAt === createdAt,
  );
}

function toRefundEntries(charge: ChargeDetails, viewerId: string): HistoryEntry[] {
  return charge.refunds.flatMap((refund) => {
    const amount = formatAmount(refund.customerAmount, refund.customerCurrency);
    return toRefundHistory(refund.events ?? [], viewerId).map((entry) => ({
      ...entry,
      text: fillText(t.charge.refundOf, { amount, event: entry.text }),
    }));
  });
}

function toExpiryEntry(charge: ChargeDetails): HistoryEntry[] {
  if (charge.status !== 'pending') return [];
  const text = t.charge.expiresUnlessPaid;
  return [{ id: 'waiting', at: charge.expiresAt, text, isUpcoming: true }];
}
