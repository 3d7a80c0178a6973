import type { MerchantUser } from '../../../../prisma/client/client.ts';
import type { MerchantCaller } from '../api-key/permissions.ts';
import { requireOwner } from '../api-key/permissions.ts';

/**
 * Requires a signed-in owner to invite, change or remove users; API keys never pass. Throws
 * `permission_denied`.
 */
export function requireUserManager(caller: MerchantCaller): MerchantUser {
  return requireOwner(caller, 'manage users');
}
