import type { MerchantUser } from '../../../../prisma/client/client.ts';
import { DomainError } from '../../../kit/errors.ts';
import type { MerchantCaller } from '../api-key/permissions.ts';

/**
 * What is the business of owners who are signed in, never of a key. `does` says what, as in `manages keys`. Error:
 * `permission_denied`.
 */
export function requireOwner({ user }: MerchantCaller, does: string): MerchantUser {
  if (user?.role === 'owner') return user;
  throw new DomainError('permission_denied', `Only an owner who is signed in at the dashboard ${does}`);
}
