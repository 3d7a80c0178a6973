import { merchantOnly } from '../kit/access.ts';
import { builder } from '../kit/builder.ts';
import { type GraphqlContext, requireMerchantCaller } from '../kit/graphql-context.ts';
import { createLoader } from '../kit/loader.ts';
import { ChargeType } from './charge.ts';

/** Loads the names of users, or their email addresses. */
const loadSellerName = createLoader<string>(async ({ service }, ids) => {
  const users = await service.prisma.merchantUser.findMany({
    where: { id: { in: ids } },
    select: { id: true, name: true, email: true },
  });
  return new Map(users.map(({ id, name, email }) => [id, name || email]));
});

/** Returns the name of a seller; null if the user was removed, or for API keys without the permission `manage`. */
export async function getSellerName(context: GraphqlContext, sellerId: string): Promise<string | null> {
  const { user, permissions } = requireMerchantCaller(context);
  if (!user && !permissions.has('manage')) return null;
  return (await loadSellerName(context, sellerId)) ?? null;
}

builder.prismaObjectFields(ChargeType, (t) => ({
  sellerId: t.id({
    ...merchantOnly,
    nullable: true,
    description:
      'The ID of the user who sold at the counter, `usr_…`. Null for charges of other origin, and for callers with a client token.',
    select: { session: { select: { sellerId: true } } },
    resolve: ({ session }) => session?.sellerId ?? null,
  }),
  sellerName: t.string({
    ...merchantOnly,
    nullable: true,
    description:
      'The name of the user who sold at the counter or, without a name, the email address. Null for charges of other origin, for callers with a client token, and for API keys without the permission `manage`.',
    select: { session: { select: { sellerId: true } } },
    resolve: ({ session }, _args, context) =>
      session?.sellerId == null ? null : getSellerName(context, session.sellerId),
  }),
}));
