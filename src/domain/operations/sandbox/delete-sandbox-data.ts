import type { Merchant } from '../../../../prisma/client/client.ts';
import type { Db } from '../../../kit/db.ts';
import { DomainError } from '../../../kit/errors.ts';
import { type RequestContext, requireOwner } from '../../accounts/api-key/permissions.ts';
import { resetSandbox } from './reset-sandbox.ts';

/**
 * Deletes the sandbox data of the caller's merchant; the caller must be an owner in the sandbox. Returns the merchant.
 * Errors: `permission_denied`, `sandbox_only`, and those of `resetSandbox`.
 */
export async function deleteSandboxData(db: Db, options: RequestContext): Promise<Merchant> {
  const { caller, ipAddress, now } = options;
  requireOwner(caller, 'delete the sandbox data');
  if (caller.mode !== 'sandbox')
    throw new DomainError('sandbox_only', 'Data can be deleted only in the sandbox');
  const { id } = caller.merchant;
  await resetSandbox(db, { merchantId: id, actor: caller.actor, ipAddress, now });
  return db.prisma.merchant.findUniqueOrThrow({ where: { id } });
}
