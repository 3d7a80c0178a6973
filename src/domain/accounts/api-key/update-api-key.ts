import type { ApiKey } from '../../../../prisma/client/client.ts';
import { transact } from '../../../event/unit-of-work.ts';
import type { Db } from '../../../kit/db.ts';
import { recordAudit } from '../../platform/audit/record-audit.ts';
import { type ApiKeyInput, parseName, parseOrigins, parsePermissions } from './api-key-input.ts';
import { lockApiKey } from './lock-api-key.ts';
import { type RequestContext, requireOwner } from './permissions.ts';

/**
 * Changes a key's name, permissions or origins. Omitted properties stay unchanged.
 * Errors: `permission_denied`, `api_key_not_found`, `invalid_request`.
 */
export async function updateApiKey(
  db: Db,
  options: RequestContext & { id: string; input: ApiKeyInput },
): Promise<ApiKey> {
  const { caller, id, input, now, ipAddress } = options;
  requireOwner(caller, 'manage API keys');
  return transact(db, async (uow) => {
    const before = await lockApiKey(uow.tx, caller, id);
    const detail = {
      ...(input.name != null && { name: parseName(input.name) }),
      ...(input.permissions != null && { permissions: parsePermissions(input.permissions, before.kind) }),
      ...(input.allowedOrigins != null && { allowedOrigins: parseOrigins(input.allowedOrigins, before) }),
    };
    const apiKey = await uow.tx.apiKey.update({ where: { id }, data: detail });
    const { merchantId, mode } = before;
    const entry = { merchantId, mode, actor: caller.actor, ipAddress, objectId: id, detail, now };
    await recordAudit(uow, { ...entry, action: 'api_key.updated' });
    return apiKey;
  });
}
