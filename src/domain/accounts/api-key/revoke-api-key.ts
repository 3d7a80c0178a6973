import type { ApiKey } from '../../../../prisma/client/client.ts';
import { transact } from '../../../event/unit-of-work.ts';
import type { Db } from '../../../kit/db.ts';
import { recordAudit } from '../../platform/audit/record-audit.ts';
import { lockApiKey } from './lock-api-key.ts';
import { type RequestContext, requireOwner } from './permissions.ts';

/**
 * Revokes a key permanently. Does nothing if it is already revoked.
 * Errors: `permission_denied`, `api_key_not_found`.
 */
export async function revokeApiKey(db: Db, options: RequestContext & { id: string }): Promise<ApiKey> {
  const { caller, id, now, ipAddress } = options;
  requireOwner(caller, 'manage API keys');
  return transact(db, async (uow) => {
    const before = await lockApiKey(uow.tx, caller, id);
    if (before.revokedAt) return before;
    const apiKey = await uow.tx.apiKey.update({ where: { id }, data: { revokedAt: now } });
    const { merchantId, mode } = before;
    const entry = { merchantId, mode, actor: caller.actor, ipAddress, objectId: id, now };
    await recordAudit(uow, { ...entry, action: 'api_key.revoked' });
    return apiKey;
  });
}
