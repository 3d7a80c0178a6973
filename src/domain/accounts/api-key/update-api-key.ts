import type { ApiKey } from '../../../../prisma/client/client.ts';
import { transact } from '../../../event/unit-of-work.ts';
import type { Db, Tx } from '../../../kit/db.ts';
import { DomainError } from '../../../kit/errors.ts';
import { recordAudit } from '../../platform/audit/record-audit.ts';
import { type ApiKeyInput, parseName, parseOrigins, parsePermissions } from './api-key-input.ts';
import { type MerchantCaller, type RequestContext, requireOwner } from './permissions.ts';

/**
 * Changes a key's name, permissions or origins, effective from the next request. Omitted properties stay
 * unchanged.
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

/**
 * Revokes a key permanently, effective from the next request. Does nothing if it is already revoked.
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

/**
 * Returns a key of the caller's merchant and mode, locked until the end of the transaction. Throws
 * `api_key_not_found`.
 */
export async function lockApiKey(tx: Tx, { merchant, mode }: MerchantCaller, id: string): Promise<ApiKey> {
  await tx.$queryRaw`SELECT 1 FROM api_key
    WHERE id = ${id} AND merchant_id = ${merchant.id} AND mode = ${mode}::mode FOR UPDATE`;
  const apiKey = await tx.apiKey.findFirst({ where: { id, merchantId: merchant.id, mode } });
  if (!apiKey) throw new DomainError('api_key_not_found', `API key not found: ${id}`);
  return apiKey;
}
