import { type EventType, eventTypes } from '../event/catalog.ts';
import { minuteMs } from '../kit/duration.ts';
import { type ApiCommand, UsageError } from './command.ts';
import { connectToSandbox, type SandboxApi } from './sandbox-api.ts';
import { type TriggerCall, triggers } from './triggers.ts';

const pollMs = 100;
/** A worker publishes an event within a second, unless it is stopped or overloaded. */
const publishedWithinMs = minuteMs;

const eventDocument = `query ($filter: EventFilter!) { events(first: 1, filter: $filter) { edges { cursor node { id } } } }`;

type PublishedEvent = { cursor: string; node: { id: string } };

/** Creates the objects in the sandbox whose changes record an event of the type, and prints the ID of the event. */
export const triggerCommand: ApiCommand = {
  async runOverApi({ positionals: [name = ''], options, env, signal, onProgress }) {
    if (!Object.hasOwn(eventTypes, name))
      throw new UsageError(`${name} is no event type. The types are ${Object.keys(eventTypes).join(', ')}`);
    const type = name as EventType;
    const sandbox = await connectToSandbox(options, env, signal);
    const call: TriggerCall = { ...sandbox, signal, onProgress };
    const objectId = await triggers[type](call);
    const { cursor, node } = await findEvent(sandbox, { type, objectId, signal });
    return {
      json: { eventType: type, eventId: node.id, objectId, cursor },
      text: `${cursor} ${type} ${node.id} of ${objectId}`,
    };
  },
};

/** Waits until the event is in the log. The object is new, so the log has no earlier event of this type about it. */
async function findEvent(
  { client }: SandboxApi,
  { type, objectId, signal }: { type: EventType; objectId: string; signal: AbortSignal },
): Promise<PublishedEvent> {
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(publishedWithinMs)]);
  const filter = { types: [type], objectId };
  while (!deadline.aborted) {
    const { events } = await client.graphql<{ events: { edges: PublishedEvent[] } }>(
      eventDocument,
      { filter },
      { signal },
    );
    if (events.edges[0]) return events.edges[0];
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
  throw new Error(
    `The event of ${objectId} was not published within ${publishedWithinMs / 1000} seconds: check that a worker is running`,
  );
}
