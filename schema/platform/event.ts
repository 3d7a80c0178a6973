import { queryFromInfo } from '@pothos/plugin-prisma';
import type { Event, Prisma } from '../../prisma/client/client.ts';
import { requireAuditor } from '../../src/domain/accounts/api-key/require-auditor.ts';
import { readEventLog } from '../../src/event/read-event-log.ts';
import { invalidInput } from '../../src/kit/errors.ts';
import { merchantOnly } from '../kit/access.ts';
import { builder } from '../kit/builder.ts';
import { connectionOf, pageSizeMax } from '../kit/connection.ts';
import { pagePreset } from '../kit/field-cost.ts';
import { merchantCaller, owned } from '../kit/graphql-context.ts';
import { createLoader } from '../kit/loader.ts';

const EventType = builder.prismaNode('Event', {
  id: { field: 'id' },
  nullable: true,
  findUnique: (id, context) => ({ id, ...owned(context) }),
  description: 'Something that happened: what notifications tell of. Kept for 400 days.',
  fields: (t) => ({
    message: t.exposeString('message', {
      description: 'What happened: the `message` of notifications, such as `CHARGE_COMPLETE`.',
    }),
    sequence: t.field({
      type: 'Decimal',
      nullable: true,
      description: 'Its number in your event log, without gaps; null until it is numbered, within moments.',
      resolve: ({ sequence }) => sequence?.toString(),
    }),
    objectId: t.exposeID('objectId', { description: 'The id of the object it tells of.' }),
    objectVersion: t.exposeInt('objectVersion', {
      description: 'Rises with every event of the object: what is older may be dropped.',
    }),
    payload: t.exposeString('payload', {
      description: 'The `payload` of notifications: compact JSON, the very text that is signed and sent.',
    }),
    actor: t.exposeString('actor', {
      description: 'Who did it: `key:<id>`, `user:<id>`, `customer`, `bank` or `job:<name>`.',
    }),
    address: t.string({
      nullable: true,
      description:
        'The network address from which a key or user created the charge, as in the audit trail; null for other events. For those who may read the audit trail.',
      resolve: ({ address }, _args, context) => {
        requireAuditor(merchantCaller(context));
        return address;
      },
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it happened.' }),
    notifications: t.relation('notifications', {
      description: 'Its notifications, one for each address that is told, oldest first.',
      query: { orderBy: { id: 'asc' } },
    }),
  }),
});

const EventConnection = connectionOf(EventType, 'Event');
type Selection = { include: Prisma.EventInclude };

builder.queryField('event', (t) =>
  t.prismaField({
    type: EventType,
    nullable: true,
    description: 'One event.',
    args: { id: t.arg.id({ required: true, description: 'Its id, `ev_…`.' }) },
    resolve: (query, _root, { id }, context) =>
      context.service.prisma.event.findFirst({ ...query, where: { id, ...owned(context) } }),
  }),
);

builder.queryField('events', (t) =>
  t.field({
    type: EventConnection,
    description:
      'Your event log in the order of its numbers, without gaps, oldest first: of the last 400 days. The cursor of an event is its number. A cursor older than that, or beyond the end of the log (which was restored from a backup then), is refused with `event_cursor_expired`.',
    args: {
      after: t.arg.string({ description: 'Only events with a higher number than this, such as `"41"`.' }),
      first: t.arg.int({ description: 'How many, at most 50; 10 when left out.' }),
    },
    resolve: async (_root, args, context, info) => {
      // Refuses what is no size of a page.
      pageSizeMax(args);
      const size = args.first ?? pagePreset;
      const after = parseNumber(args.after);
      const { event } = context.service.prisma;
      const paths = [['nodes'], ['edges', 'node']];
      const selection = queryFromInfo({ context, info, typeName: 'Event', paths }) as Selection;
      const asked = { ...owned(context), after, limit: size + 1, selection };
      const rows = await readEventLog(context.service, asked);
      const edges = rows.slice(0, size).map((node) => ({ node, cursor: String(node.sequence) }));
      return {
        edges,
        totalCount: () => event.count({ where: { ...owned(context), sequence: { not: null } } }),
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

function parseNumber(text: string | null | undefined): bigint | null {
  if (text == null) return null;
  if (/^\d{1,18}$/.test(text)) return BigInt(text);
  throw invalidInput('/after', 'must be the number of an event');
}

/** There is no relation from an object to its events: those of a page of objects are read together. */
const loadOfObject = createLoader<Event[]>(async (context, objectIds) => {
  const rows = await context.service.prisma.event.findMany({
    where: { ...owned(context), objectId: { in: objectIds } },
    orderBy: [{ objectVersion: 'asc' }, { id: 'asc' }],
  });
  return Map.groupBy(rows, (row) => row.objectId);
});

for (const type of ['Charge', 'Refund', 'Subscription', 'Invoice'] as const) {
  builder.prismaObjectField(type, 'events', (t) =>
    t.field({
      ...merchantOnly,
      type: [EventType],
      description: 'What has happened to it, the oldest first; of the last 400 days.',
      resolve: async ({ id }, _args, context) => (await loadOfObject(context, id)) ?? [],
    }),
  );
}
