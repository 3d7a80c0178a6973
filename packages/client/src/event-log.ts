import type { CausewayError } from './error.ts';
import type { EventPayload, EventType } from './events.ts';
import { sendGraphql } from './graphql.ts';
import { followSubscription } from './live.ts';
import { iterateConnection } from './pages.ts';
import type { RequestOptions, Transport } from './transport.ts';

type LoggedEventOfType<Type extends EventType> = {
  id: string;
  /** The number of the event in the log, for `after`. Store it after you have processed the event. */
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
  /** Continues with new events at the end of the log instead of ending, and reconnects after interruptions. */
  follow?: boolean | undefined;
  /** Returns only events of these types. */
  types?: readonly EventType[] | undefined;
  /** Called before each reconnection, as in `subscribe`. */
  onDisconnect?: ((error: CausewayError | undefined) => void) | undefined;
};

const node = 'cursor node { id type objectId objectVersion createdAt payloadJson }';
const pageDocument = `query Events($after: String, $filter: EventFilter) {
  events(first: 50, after: $after, filter: $filter) { edges { ${node} } pageInfo { hasNextPage endCursor } }
}`;
const streamDocument = `subscription Follow($after: String, $filter: EventFilter) {
  eventAdded(after: $after, filter: $filter) { ${node} }
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
type AddedEvent = { eventAdded: EventEdge };
type StreamVariables = { after: string; filter: object };

export async function* iterateEventLog(
  transport: Transport,
  { after, follow = false, types, signal, onDisconnect }: EventLogOptions,
): AsyncGenerator<LoggedEvent, void, undefined> {
  const filter = types ? { types } : {};
  if (follow) {
    const variables = { after: after ?? '0', filter };
    const resume = ({ eventAdded }: AddedEvent) => ({ after: eventAdded.cursor, filter });
    const options = { signal, onDisconnect, resume };
    const added = followSubscription<AddedEvent, StreamVariables>(
      transport,
      streamDocument,
      variables,
      options,
    );
    for await (const { eventAdded } of added) yield toLoggedEvent(eventAdded);
    return;
  }
  const readPage = (cursor: string | undefined) =>
    sendGraphql<EventPage>(transport, pageDocument, { after: cursor, filter }, { signal });
  const selectEdges = ({ events }: EventPage) => ({ nodes: events.edges, pageInfo: events.pageInfo });
  for await (const edge of iterateConnection(readPage, selectEdges, after)) yield toLoggedEvent(edge);
}

function toLoggedEvent({ cursor, node: { payloadJson, ...event } }: EventEdge): LoggedEvent {
  return { ...event, cursor, payload: JSON.parse(payloadJson) } as LoggedEvent;
}
