import { actorText, eventText, isOfMoney } from '../format/words.ts';
import type { HistoryEntry } from './history.tsx';

type Event = { id: string; message: string; actor: string; createdAt: string };

/** An event in a history. */
export function eventEntry({ id, message, actor, createdAt }: Event, viewerId: string): HistoryEntry {
  const by = actorText(actor, viewerId, { isTold: isOfMoney(message) });
  return { id, at: createdAt, text: eventText(message), by };
}
