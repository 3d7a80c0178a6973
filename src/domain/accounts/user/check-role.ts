import type { UserRole } from '../../../../prisma/client/client.ts';
import { invalidInputError } from '../../../kit/errors.ts';

/**
 * Returns a role that a merchant may assign. Throws 400 for `operator`: only the command line creates
 * operators.
 */
export function checkRole(role: UserRole): UserRole {
  if (role === 'operator') throw invalidInputError('/role', 'must be owner, developer or support');
  return role;
}
