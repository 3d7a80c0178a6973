import { type GraphqlContext, requireScopedCaller } from './graphql-context.ts';

/** Said of what keys do not do, whatever their permissions. */
export const ownerOnlyDescription =
  'Requires an owner who is signed in to the dashboard; API keys cannot use it.';

/** A field that a page with a client token does not see. */
export const merchantOnly = { authScopes: { merchant: true } } as const;

/** Whether fields that are the merchant's alone are shown. */
export function canSeeMerchantFields({ caller }: Pick<GraphqlContext, 'caller'>): boolean {
  return caller.kind !== 'page';
}

/** A root field that a page may use too; what it finds is narrowed to the page's own object. */
export const allowClientToken = {
  skipTypeScopes: true,
  authScopes: (_parent: unknown, _args: unknown, { caller }: GraphqlContext) =>
    caller.kind === 'page' ? { page: true } : { permission: 'read' as const },
};

/** The session a caller may see: a page with a session's token only its own, any other page none. */
export function buildSessionWhere(context: GraphqlContext, id: string) {
  const caller = requireScopedCaller(context);
  const { merchant, mode } = caller;
  const where = { id, merchantId: merchant.id, mode };
  if (caller.kind !== 'page') return where;
  return { ...where, AND: [{ id: caller.noun === 'session' ? caller.id : '' }] };
}

/** The charge a caller may see: a page only its own, or that of its session. */
export function buildChargeWhere(context: GraphqlContext, id: string) {
  const caller = requireScopedCaller(context);
  const { merchant, mode } = caller;
  const where = { id, merchantId: merchant.id, mode };
  if (caller.kind !== 'page') return where;
  return { ...where, AND: [caller.noun === 'charge' ? { id: caller.id } : { sessionId: caller.id }] };
}
