import { type GraphqlContext, requireScopedCaller } from './graphql-context.ts';

/** The description of mutations that API keys cannot use, regardless of their permissions. */
export const ownerOnlyDescription = 'Requires an owner who is signed in to the dashboard, not an API key.';

/** Hides a field from callers with a client token, for whom it fails with `permission_denied`. */
export const merchantOnly = { authScopes: { merchant: true } } as const;

/** Returns whether the caller sees fields that are only for the merchant. */
export function canSeeMerchantFields({ caller }: Pick<GraphqlContext, 'caller'>): boolean {
  return caller.kind !== 'clientToken';
}

/**
 * Allows a query for callers with a client token. Its resolver must restrict the result to the object of the token.
 */
export const allowClientToken = {
  skipTypeScopes: true,
  authScopes: (_parent: unknown, _args: unknown, { caller }: GraphqlContext) =>
    caller.kind === 'clientToken' ? { clientToken: true } : { permission: 'read' as const },
};

/**
 * Returns the condition for a session that the caller may see. With a client token, it matches only the session for
 * which the token was issued.
 */
export function buildSessionAccessFilter(context: GraphqlContext, id: string) {
  const caller = requireScopedCaller(context);
  const { merchant, mode } = caller;
  const where = { id, merchantId: merchant.id, mode };
  if (caller.kind !== 'clientToken') return where;
  return { ...where, AND: [{ id: caller.objectType === 'session' ? caller.id : '' }] };
}

/**
 * Returns the condition for a charge that the caller may see. With a client token, it matches only the charge for
 * which the token was issued, or the charge of its session.
 */
export function buildChargeAccessFilter(context: GraphqlContext, id: string) {
  const caller = requireScopedCaller(context);
  const { merchant, mode } = caller;
  const where = { id, merchantId: merchant.id, mode };
  if (caller.kind !== 'clientToken') return where;
  return { ...where, AND: [caller.objectType === 'charge' ? { id: caller.id } : { sessionId: caller.id }] };
}
