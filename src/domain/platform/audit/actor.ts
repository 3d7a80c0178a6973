import type { Prisma } from '../../../../prisma/client/client.ts';

/** The kinds of actors by the first part of their stored text. */
const actorKinds = {
  key: 'api_key',
  customer: 'customer',
  job: 'job',
  operator: 'operator',
  user: 'user',
} as const;
type ActorPrefix = keyof typeof actorKinds;
export type ActorKind = (typeof actorKinds)[ActorPrefix];

/** An actor as read from its stored text. */
type StoredActor = { kind: ActorKind; detail: string | null };

/** Parses the actor of an event, allocation or audit entry, such as `key:<id>` or `customer`. */
export function parseActor(text: string): StoredActor {
  const [prefix, detail = null] = text.split(':', 2);
  const kind = actorKinds[prefix as ActorPrefix];
  if (!kind) throw new Error(`The kind of the actor is unknown: ${text}`);
  return { kind, detail };
}

/** Returns the conditions for actors of a kind and with an ID. */
export function buildActorFilters(filter: {
  kind: ActorKind | null | undefined;
  id: string | null | undefined;
}): Prisma.AuditEntryWhereInput[] {
  const { kind, id } = filter;
  const prefix = (Object.keys(actorKinds) as ActorPrefix[]).find((text) => actorKinds[text] === kind);
  return [
    // A semicolon is the character after the colon.
    ...(prefix ? [{ actor: { gte: prefix, lt: `${prefix};` } }] : []),
    ...(id ? [{ actor: { in: Object.keys(actorKinds).map((text) => `${text}:${id}`) } }] : []),
  ];
}
