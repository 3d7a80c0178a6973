import { type GraphqlContext, requireScopedCaller } from './graphql-context.ts';

/** The description of operations that API keys cannot use, whatever their permissions. */
export const ownerOnlyDescription =
  'Requires an owner who is signed in to the dashboard. API keys cannot use this mutation.';

/** Hides a field from pages with a client token. */
export const merchantOnly = { authScopes: { merchant: true } } as const;

/** Returns whether the caller sees fields that are only for the merchant. */
export function canSeeMerchantFields({ caller }: Pick<GraphqlContext, 'caller'>): boolean {
  return caller.kind !== 'page';
}

/**
 * Opens a root field to pages with a client token; its resolver must restrict the result to the page's own
 * object.
 */
export const allowClientToken = {
  skipTypeScopes: true,
  authScopes: (_parent: unknown, _args: unknown, { caller }: GraphqlContext) =>
    caller.kind === 'page' ? { page: true } : { permission: 'read' as const },
};

/**
 * Selects a session that the caller may see: a page with a session's token sees only that session, other
 * pages none.
 */
export function buildSessionWhere(context: GraphqlContext, id: string) {
  const caller = requireScopedCaller(context);
  const { merchant, mode } = caller;
  const where = { id, merchantId: merchant.id, mode };
  if (caller.kind !== 'page') return where;
  return { ...where, AND: [{ id: caller.objectType === 'session' ? caller.id : '' }] };
}

/** Selects a charge that the caller may see: a page sees only its own charge, or those of its session. */
export function buildChargeWhere(context: GraphqlContext, id: string) {
  const caller = requireScopedCaller(context);
  const { merchant, mode } = caller;
  const where = { id, merchantId: merchant.id, mode };
  if (caller.kind !== 'page') return where;
  return { ...where, AND: [caller.objectType === 'charge' ? { id: caller.id } : { sessionId: caller.id }] };
}
