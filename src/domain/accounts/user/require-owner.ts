import type { MerchantUser } from '../../../../prisma/client/client.ts';
import { DomainError } from '../../../kit/errors.ts';
import type { MerchantCaller } from '../api-key/permissions.ts';

/**
 * What is the business of owners who are signed in, never of a key. `action` is what they do, as in `manage API keys`. Error:
 * `permission_denied`.
 */
export function requireOwner({ user }: MerchantCaller, action: string): MerchantUser {
  if (user?.role === 'owner') return user;
  throw new DomainError('permission_denied', `Only an owner signed in to the dashboard can ${action}`);
}
