import type { UserRole } from '../../../../prisma/client/client.ts';
import { invalidInputError } from '../../../kit/errors.ts';

/** The roles that a merchant may assign. Only the command line creates operators. */
export const merchantRoles: readonly UserRole[] = [
  'owner',
  'developer',
  'accountant',
  'support',
  'cashier',
  'read_only',
];

/** Returns a role that a merchant may assign. Throws 400 for `operator`. */
export function checkRole(role: UserRole): UserRole {
  if (!merchantRoles.includes(role))
    throw invalidInputError('/role', `must be one of ${merchantRoles.join(', ')}`);
  return role;
}
