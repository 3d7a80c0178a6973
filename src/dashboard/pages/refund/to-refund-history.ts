import type { HistoryEntry } from '../../components/event-history.tsx';
import { type HistoryEvent, toHistoryEntry } from '../../components/to-history-entry.ts';
import { t } from '../../language/texts.ts';

/** Returns the history of a refund. A repeated `refund_initiated` means that the payout was returned. */
export function toRefundHistory(events: readonly HistoryEvent[], viewerId: string): HistoryEntry[] {
  return events.map((event, i) => {
    const entry = toHistoryEntry(event, viewerId);
    const isReopened = event.type === 'refund_initiated' && i > 0;
    return isReopened ? { ...entry, text: t.refund.payoutReturnedNewBank } : entry;
  });
}
