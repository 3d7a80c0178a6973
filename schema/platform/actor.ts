import { type ActorKind, parseActor } from '../../src/domain/platform/audit/actor.ts';
import { builder } from '../kit/builder.ts';
import { requireMerchantCaller } from '../kit/graphql-context.ts';
import { createLoader } from '../kit/loader.ts';

/** Loads the names of actors by their stored text: the email address of a user, or the name of an API key. */
export const loadActorName = createLoader<string>(async ({ service: { prisma } }, actors) => {
  const selectIds = (kind: ActorKind) =>
    actors.map(parseActor).flatMap((actor) => (actor.kind === kind && actor.detail) || []);
  const [users, keys] = await Promise.all([
    prisma.merchantUser.findMany({
      where: { id: { in: [...selectIds('user'), ...selectIds('operator')] } },
      select: { id: true, email: true, role: true },
    }),
    prisma.apiKey.findMany({ where: { id: { in: selectIds('api_key') } }, select: { id: true, name: true } }),
  ]);
  return new Map([
    ...users.map(
      ({ id, email, role }) => [`${role === 'operator' ? 'operator' : 'user'}:${id}`, email] as const,
    ),
    ...keys.map(({ id, name }) => [`key:${id}`, name] as const),
  ]);
});

export const ActorKindType = builder.enumType('ActorKind', {
  description:
    'Whether an actor is a user, an API key, a customer, an operator or a job. More values may be added.',
  values: {
    api_key: { description: 'An API key, which your server uses.' },
    customer: { description: 'A customer on one of the payment pages.' },
    job: { description: 'A background job of the service, such as the one that expires charges.' },
    operator: { description: 'An operator of this installation of Causeway.' },
    user: { description: 'A user of your account.' },
  } satisfies Record<ActorKind, object>,
});

/** The source is the text stored with an event or audit entry, such as `key:key_…`. */
export const ActorType = builder.objectRef<string>('Actor').implement({
  description: 'The person or program that made a change.',
  fields: (t) => ({
    kind: t.field({
      type: ActorKindType,
      description: 'Whether the actor is a user, an API key, a customer, an operator or a job.',
      resolve: (actor) => parseActor(actor).kind,
    }),
    objectId: t.id({
      nullable: true,
      description:
        'The ID of the API key (`key_…`) or of the user (`usr_…`). Null for actors of any other kind.',
      resolve: (actor) => {
        const { kind, detail } = parseActor(actor);
        return kind === 'api_key' || kind === 'user' ? detail : null;
      },
    }),
    name: t.string({
      nullable: true,
      description:
        'The name of the actor: the email address of a user, the name of an API key, or the name of a job, such as `expire-charges`. Null for customers and operators. Also null for users if you use an API key without the permission `manage`.',
      resolve: async (actor, _args, context) => {
        const { kind, detail } = parseActor(actor);
        if (kind === 'job') return detail;
        // Merchants do not see who the operators are.
        if (kind === 'operator') return null;
        const { user, permissions } = requireMerchantCaller(context);
        if (kind === 'user' && !user && !permissions.has('manage')) return null;
        return loadActorName(context, actor);
      },
    }),
  }),
});
