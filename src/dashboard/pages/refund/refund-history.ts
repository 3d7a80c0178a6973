import { actorText, eventText } from '../../format/words.ts';
import type { HistoryEntry } from '../../parts/history.tsx';

type RefundEvent = { id: string; message: string; actor: string; createdAt: string };

/** What happened to a refund, in plain words: asking the customer a second time means that the money came back. */
export function refundHistory(events: readonly RefundEvent[], viewerId: string): HistoryEntry[] {
  return events.map(({ id, message, actor, createdAt }, i) => {
    const cameBack = message === 'refund_initiated' && i > 0;
    const text = cameBack
      ? 'The money came back, the customer is asked again'
      : (eventText(message) ?? message);
    return { id, at: createdAt, text, by: actorText({ actor, message }, viewerId) };
  });
}
