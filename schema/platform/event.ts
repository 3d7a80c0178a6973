import { queryFromInfo } from '@pothos/plugin-prisma';
import type { Event, Prisma } from '../../prisma/client/client.ts';
import { requireAuditor } from '../../src/domain/accounts/api-key/permissions.ts';
import type { EventType } from '../../src/event/catalog.ts';
import { buildEventFilter, type EventLogFilter, readEventLog } from '../../src/event/read-event-log.ts';
import { invalidInputError } from '../../src/kit/errors.ts';
import { merchantOnly } from '../kit/access.ts';
import { builder, type InferInput } from '../kit/builder.ts';
import { checkPageSize, createConnectionType, createEdgeType } from '../kit/connection.ts';
import { defaultPageSize } from '../kit/field-cost.ts';
import { type GraphqlContext, getMerchantScope, requireMerchantCaller } from '../kit/graphql-context.ts';
import { createLoader } from '../kit/loader.ts';
import { createdBetweenFields, filterArg, parseCreatedBetween } from '../list-filters.ts';
import { ActorType } from './actor.ts';
import { EventPayloadType, parsePayload } from './event-payload.ts';
import { EventTypeEnum } from './event-type.ts';

const EventNode = builder.prismaNode('Event', {
  id: { field: 'id' },
  nullable: true,
  findUnique: (id, context) => ({ id, ...getMerchantScope(context) }),
  description: 'A change to an object, as reported by notifications. Events are kept for 400 days.',
  fields: (t) => ({
    type: t.field({
      type: EventTypeEnum,
      description: 'The type of the event. Notifications contain it as `message`.',
      resolve: ({ type }) => type as EventType,
    }),
    sequence: t.expose('sequence', {
      type: 'BigInt',
      nullable: true,
      description:
        'The position of the event in your event log, without gaps. Null until the position is assigned, which takes a moment, and for test events.',
    }),
    objectId: t.exposeID('objectId', {
      description:
        'The ID of the object that the event concerns. The query `node` returns the object in its current state.',
    }),
    objectVersion: t.exposeInt('objectVersion', {
      description:
        'The version of the object after the event. Each event of an object has a higher version than the event before it. Versions can be skipped, because some changes have no event. Notifications can arrive out of order, so use the version to keep the newest state of the object. Do not use it to drop events, because a later event does not repeat an earlier one.',
    }),
    payload: t.field({
      type: EventPayloadType,
      description: 'The state of the object that the event concerns, at the time of the event.',
      resolve: parsePayload,
    }),
    payloadJson: t.exposeString('payload', {
      description: 'The `payload` of the notifications as compact JSON, exactly as it is signed and sent.',
    }),
    actor: t.expose('actor', {
      type: ActorType,
      description:
        'The actor that caused the event. If a payment caused the event, this is the actor that reported the transfer.',
    }),
    ipAddress: t.string({
      nullable: true,
      description:
        'The IP address from which an API key or a user created the charge. Null for events other than the creation of a charge. Callers without access to the audit trail get null and the error `permission_denied`.',
      resolve: ({ ipAddress }, _args, context) => {
        requireAuditor(requireMerchantCaller(context));
        return ipAddress;
      },
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      description: 'The time at which the event occurred.',
    }),
    notifications: t.relation('notifications', {
      description: 'The notifications of the event, one per endpoint, oldest first.',
      query: { orderBy: { id: 'asc' } },
    }),
  }),
});

export const EventEdge = createEdgeType(EventNode, 'Event');
const EventConnection = createConnectionType(EventNode, 'Event', EventEdge);
type EventSelection = { include: Prisma.EventInclude };

export const EventFilterInput = builder.inputType('EventFilter', {
  description:
    'The conditions that the events of a list must meet. If several are given, all of them must be met.',
  fields: (t) => ({
    types: t.field({ type: [EventTypeEnum], description: 'Returns only events of one of these types.' }),
    objectId: t.id({
      description: 'Returns only events that concern the object with this ID, such as `ch_…`.',
    }),
    ...createdBetweenFields(t, 'events'),
  }),
});

export function parseEventFilter(
  filter: InferInput<typeof EventFilterInput> | null | undefined,
): EventLogFilter {
  const { startDate, endDate } = parseCreatedBetween(filter);
  return {
    types: filter?.types?.length ? filter.types : undefined,
    objectId: filter?.objectId ?? undefined,
    createdAt: { ...(startDate && { gte: startDate }), ...(endDate && { lte: endDate }) },
  };
}

builder.queryField('event', (t) =>
  t.prismaField({
    type: EventNode,
    nullable: true,
    description: 'Returns the event with this ID, or null if it does not exist.',
    args: { id: t.arg.id({ required: true, description: 'The ID of the event, `ev_…`.' }) },
    resolve: (query, _root, { id }, context) =>
      context.service.prisma.event.findFirst({ ...query, where: { id, ...getMerchantScope(context) } }),
  }),
);

builder.queryField('events', (t) =>
  t.field({
    type: EventConnection,
    nullable: true,
    description:
      'Returns your event log of the last 400 days, ordered by `sequence`, oldest first. The sequence has no gaps, and the cursor of an event is its `sequence`. A cursor that is older than 400 days is rejected with the error `event_cursor_expired`. So is a cursor beyond the end of the log, which you can have if the database was restored from a backup.',
    args: {
      after: t.arg.string({
        description: 'Returns only events with a higher `sequence` than this one, such as `"41"`.',
      }),
      first: t.arg.int({ description: 'The number of events to return, at most 50. The default is 10.' }),
      filter: t.arg(filterArg(EventFilterInput, 'events')),
    },
    resolve: async (_root, args, context, info) => {
      checkPageSize(args);
      const size = args.first ?? defaultPageSize;
      const after = parseSequence(args.after);
      const { event } = context.service.prisma;
      const paths = [['nodes'], ['edges', 'node']];
      const selection = queryFromInfo({ context, info, typeName: 'Event', paths }) as EventSelection;
      const filter = parseEventFilter(args.filter);
      const scope = getMerchantScope(context);
      const options = { ...scope, after, limit: size + 1, filter, selection };
      const rows = await readEventLog(context.service, options);
      const edges = rows.slice(0, size).map((node) => ({ node, cursor: String(node.sequence) }));
      return {
        edges,
        totalCount: () => event.count({ where: buildEventFilter(scope, filter) }),
        pageInfo: {
          hasNextPage: rows.length > size,
          hasPreviousPage: (after ?? 0n) > 0n,
          startCursor: edges.at(0)?.cursor ?? null,
          endCursor: edges.at(-1)?.cursor ?? null,
        },
      };
    },
  }),
);

export function parseSequence(text: string | null | undefined): bigint | null {
  if (text == null) return null;
  if (/^\d{1,18}$/.test(text)) return BigInt(text);
  throw invalidInputError('/after', 'must be an event number');
}

/** Events have no relation to their objects, so the events of a page of objects are batched. */
const loadObjectEvents = createLoader<Event[]>(async (context, objectIds) => {
  const rows = await context.service.prisma.event.findMany({
    where: { ...getMerchantScope(context), objectId: { in: objectIds } },
    orderBy: [{ objectVersion: 'asc' }, { id: 'asc' }],
  });
  return Map.groupBy(rows, (row) => row.objectId);
});

const findEvents = async ({ id }: { id: string }, _args: object, context: GraphqlContext) =>
  (await loadObjectEvents(context, id)) ?? [];

for (const type of ['Subscription', 'Invoice'] as const) {
  builder.prismaObjectField(type, 'events', (t) =>
    t.field({
      ...merchantOnly,
      type: [EventNode],
      description: `The events of the ${type.toLowerCase()} in the last 400 days, oldest first.`,
      resolve: findEvents,
    }),
  );
}

for (const type of ['Charge', 'Refund'] as const) {
  builder.prismaObjectField(type, 'events', (t) =>
    t.field({
      ...merchantOnly,
      nullable: true,
      type: [EventNode],
      description: `The events of the ${type.toLowerCase()} in the last 400 days, oldest first. Null for callers with a client token.`,
      resolve: findEvents,
    }),
  );
}
