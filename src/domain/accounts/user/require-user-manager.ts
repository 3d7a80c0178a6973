import type { MerchantUser } from '../../../../prisma/client/client.ts';
import type { MerchantCaller } from '../api-key/permissions.ts';
import { requireOwner } from './require-owner.ts';

/** Users are invited, changed and removed by a signed-in owner, never by a key. Error: `permission_denied`. */
export function requireUserManager(caller: MerchantCaller): MerchantUser {
  return requireOwner(caller, 'manage users');
}
