import { formatActor, formatEvent } from '../format/labels.ts';
import type { HistoryEntry } from './event-history.tsx';

export type HistoryEvent = {
  id: string;
  type: string;
  actor: { kind: string; objectId: string | null; name: string | null };
  createdAt: string;
};

export function toHistoryEntry({ id, type, actor, createdAt }: HistoryEvent, viewerId: string): HistoryEntry {
  const by = formatActor(actor, viewerId, { isReporter: false });
  return { id, at: createdAt, text: formatEvent(type), by };
}
