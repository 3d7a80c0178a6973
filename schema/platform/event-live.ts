import { queryFromInfo } from '@pothos/plugin-prisma';
import type { Prisma } from '../../prisma/client/client.ts';
import { readLastSequence } from '../../src/event/find-changed-objects.ts';
import { eventLogTopic } from '../../src/event/notice.ts';
import { type EventLogFilter, readEventLog } from '../../src/event/read-event-log.ts';
import { abortable } from '../../src/live/abortable.ts';
import { toMerchantTopic } from '../../src/live/hub.ts';
import { watchTopic } from '../../src/live/watch.ts';
import { builder } from '../kit/builder.ts';
import { type GraphqlContext, getMerchantScope } from '../kit/graphql-context.ts';
import { EventEdge, EventFilterInput, parseEventFilter, parseSequence } from './event.ts';

const pageSize = 50;

type EventPosition = { id: string; sequence: bigint };

/**
 * Yields the position of each event after `after`, in the order of the log. Without `after`, yields new
 * events only.
 */
function watchEventLog(
  context: GraphqlContext,
  { after, filter }: { after: bigint | null; filter: EventLogFilter },
): AsyncGenerator<EventPosition> {
  const scope = getMerchantScope(context);
  return abortable(async function* (signal) {
    const topic = toMerchantTopic(scope.merchantId, scope.mode);
    const changes = watchTopic(context.hub, { topic, signal });
    let position = after ?? (await readLastSequence(context.service, scope));
    const readPage = () =>
      readEventLog<EventPosition>(context.service, {
        ...scope,
        after: position,
        limit: pageSize,
        filter,
        selection: { select: { id: true, sequence: true } },
      });
    const readNew = async function* () {
      for (;;) {
        const page = await readPage();
        for (const row of page) {
          position = row.sequence;
          yield row;
        }
        if (page.length < pageSize) return;
      }
    };
    yield* readNew();
    for await (const batch of changes) if (!batch || batch.has(eventLogTopic)) yield* readNew();
  });
}

builder.subscriptionField('eventAdded', (t) =>
  t.field({
    type: EventEdge,
    description:
      'Sends the events after the cursor `after`, in the order of their `sequence`, and then each new event. To continue after an interruption, pass the cursor of the last event that you processed. Nothing is lost or sent twice. Cursors are rejected as in `events`.',
    args: {
      after: t.arg.string({
        description:
          'Sends the events with a higher `sequence` than this one, such as `"41"`. `"0"` begins with the first event that is available. If omitted, only new events are sent.',
      }),
      filter: t.arg({
        type: EventFilterInput,
        description: 'The conditions that the events must meet. If omitted, all events are sent.',
      }),
    },
    subscribe: (_root, { after, filter }, context) =>
      watchEventLog(context, { after: parseSequence(after), filter: parseEventFilter(filter) }),
    resolve: async ({ id, sequence }, _args, context, info) => {
      const selection = queryFromInfo({ context, info, typeName: 'Event', path: ['node'] });
      const where = { id, ...getMerchantScope(context) };
      const node = await context.service.prisma.event.findFirstOrThrow({
        ...(selection as { include: Prisma.EventInclude }),
        where,
      });
      return { node, cursor: String(sequence) };
    },
  }),
);
