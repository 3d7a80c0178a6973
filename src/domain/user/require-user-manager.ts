import type { MerchantUser } from '../../../prisma/client/client.ts';
import { DomainError } from '../../kit/errors.ts';
import type { Caller } from '../api-key/permissions.ts';

/** Users are invited, changed and removed by a signed-in owner, never by a key. Error: `permission_denied`. */
export function requireUserManager({ user }: Caller): MerchantUser {
  if (user?.role === 'owner') return user;
  throw new DomainError('permission_denied', 'Only an owner who is signed in at the dashboard manages users');
}
