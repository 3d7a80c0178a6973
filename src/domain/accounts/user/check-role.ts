import type { UserRole } from '../../../../prisma/client/client.ts';
import { invalidInput } from '../../../kit/errors.ts';

/** A role that a merchant gives; operators are made by those who run the installation. Error: 400. */
export function checkRole(role: UserRole): UserRole {
  if (role === 'operator') throw invalidInput('/role', 'must be owner, developer or support');
  return role;
}
