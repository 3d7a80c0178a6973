import { eventEntry } from '../../components/event-entry.ts';
import type { HistoryEntry } from '../../components/history.tsx';

type RefundEvent = { id: string; message: string; actor: string; createdAt: string };

/** What happened to a refund, in plain words: asking the customer a second time means that the money came back. */
export function refundHistory(events: readonly RefundEvent[], viewerId: string): HistoryEntry[] {
  return events.map((event, i) => {
    const entry = eventEntry(event, viewerId);
    const cameBack = event.message === 'refund_initiated' && i > 0;
    return cameBack ? { ...entry, text: 'Payout returned, new bank details requested' } : entry;
  });
}
