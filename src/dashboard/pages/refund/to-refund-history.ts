import type { HistoryEntry } from '../../components/event-history.tsx';
import { type HistoryEvent, toHistoryEntry } from '../../components/to-history-entry.ts';
import { t } from '../../language/texts.ts';

/**
 * A repeated `refund_initiated` means that the payout was returned, and `refund_processing` after `refund_completed`
 * that marking the refund as paid was undone.
 */
export function toRefundHistory(events: readonly HistoryEvent[], viewerId: string): HistoryEntry[] {
  return events.map((event, i) => {
    const entry = toHistoryEntry(event, viewerId);
    if (event.type === 'refund_initiated' && i > 0) return { ...entry, text: t.refund.payoutReturnedNewBank };
    const isUndone = event.type === 'refund_processing' && events[i - 1]?.type === 'refund_completed';
    return isUndone ? { ...entry, text: t.refund.markedAsNotPaid } : entry;
  });
}
