import { formatActor, formatEvent, isMoneyEvent } from '../format/labels.ts';
import type { HistoryEntry } from './event-history.tsx';

type HistoryEvent = { id: string; message: string; actor: string; createdAt: string };

export function toHistoryEntry(
  { id, message, actor, createdAt }: HistoryEvent,
  viewerId: string,
): HistoryEntry {
  const by = formatActor(actor, viewerId, { isReported: isMoneyEvent(message) });
  return { id, at: createdAt, text: formatEvent(message), by };
}
