import type { EventPayload, EventType } from './events.ts';
import { sendGraphql } from './graphql.ts';
import { iterateConnection } from './pages.ts';
import type { RequestOptions, Transport } from './transport.ts';
import { wait } from './wait.ts';

type LoggedEventOfType<Type extends EventType> = {
  id: string;
  /** The cursor: the number of the event, without gaps. Store it after you have processed the event. */
  cursor: string;
  type: Type;
  objectId: string;
  objectVersion: number;
  createdAt: string;
  payload: EventPayload<Type>;
};

export type LoggedEvent<Type extends EventType = EventType> = Type extends EventType
  ? LoggedEventOfType<Type>
  : never;

export type EventLogOptions = RequestOptions & {
  /** The cursor of the last event that you processed. Without it, the log begins with its first event. */
  after?: string | undefined;
  /** Waits for new events at the end of the log, instead of ending. */
  follow?: boolean | undefined;
  /** The time between two reads at the end of the log; 2 seconds by default. */
  pollMs?: number | undefined;
};

const document = `query Events($after: String) {
  events(first: 50, after: $after) {
    edges { cursor node { id type objectId objectVersion createdAt payloadJson } }
    pageInfo { hasNextPage endCursor }
  }
}`;

type EventRow = {
  id: string;
  type: EventType;
  objectId: string;
  objectVersion: number;
  createdAt: string;
  payloadJson: string;
};

type EventEdge = { cursor: string; node: EventRow };
type EventPage = {
  events: { edges: EventEdge[]; pageInfo: { hasNextPage: boolean; endCursor: string | null } };
};

export async function* iterateEventLog(
  transport: Transport,
  { after, follow = false, pollMs = 2_000, signal }: EventLogOptions,
): AsyncGenerator<LoggedEvent, void, undefined> {
  const readPage = (cursor: string | undefined) =>
    sendGraphql<EventPage>(transport, document, { after: cursor }, { signal });
  const selectEdges = ({ events }: EventPage) => ({ nodes: events.edges, pageInfo: events.pageInfo });
  for (let last = after; ; ) {
    for await (const { cursor, node } of iterateConnection(readPage, selectEdges, last)) {
      last = cursor;
      const { payloadJson, ...event } = node;
      yield { ...event, cursor, payload: JSON.parse(payloadJson) } as LoggedEvent;
    }
    if (!follow) return;
    await wait(pollMs, signal);
  }
}
