import type { MerchantUser } from '../../../../prisma/client/client.ts';
import { DomainError } from '../../../kit/errors.ts';
import type { MerchantCaller } from '../api-key/permissions.ts';

/**
 * Requires a signed-in owner; API keys never pass. `action` completes the error message, for example `manage
 * API keys`. Throws `permission_denied`.
 */
export function requireOwner({ user }: MerchantCaller, action: string): MerchantUser {
  if (user?.role === 'owner') return user;
  throw new DomainError('permission_denied', `Only an owner signed in to the dashboard can ${action}`);
}
