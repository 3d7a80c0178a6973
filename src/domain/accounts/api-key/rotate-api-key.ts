import type { ApiKey } from '../../../../prisma/client/client.ts';
import { transact } from '../../../event/unit-of-work.ts';
import type { Db } from '../../../kit/db.ts';
import { hourMs } from '../../../kit/duration.ts';
import { DomainError } from '../../../kit/errors.ts';
import { checkInteger } from '../../../kit/integer.ts';
import { recordAudit } from '../../platform/audit/record-audit.ts';
import { isUsable } from './authenticate-key.ts';
import type { NewApiKey } from './create-api-key.ts';
import { insertApiKey, insertPublishableKey } from './insert-api-key.ts';
import { lockApiKey } from './lock-api-key.ts';
import { type Permission, type RequestContext, requireOwner } from './permissions.ts';

const defaultOverlapHours = 24;
const overlapHoursMax = 90 * 24;

/**
 * Replaces a key by a new one with the same permissions. The old key works for `overlapHours`, by
 * default 24. A key can be rotated only once; after that, its replacement can be rotated.
 * Errors: `permission_denied`, `api_key_not_found`, `api_key_ended`, `invalid_request`.
 */
export async function rotateApiKey(
  db: Db,
  options: RequestContext & { id: string; overlapHours?: number | null | undefined },
): Promise<NewApiKey & { replaced: ApiKey }> {
  const { caller, id, now, ipAddress } = options;
  requireOwner(caller, 'manage API keys');
  const limits = { min: 0, max: overlapHoursMax };
  const overlapHours = checkInteger(options.overlapHours ?? defaultOverlapHours, '/overlapHours', limits);
  return transact(db, async (uow) => {
    const { tx } = uow;
    const old = await lockApiKey(tx, caller, id);
    if (!isUsable(old, now) || old.replacedById !== null) {
      throw new DomainError(
        'api_key_ended',
        `The API key "${old.name}" was revoked, has expired or was replaced`,
      );
    }
    const { merchantId, mode, name, allowedOrigins } = old;
    const fields = { merchantId, mode, name, now };
    const newKey: NewApiKey =
      old.kind === 'secret'
        ? await insertApiKey(tx, { ...fields, permissions: old.permissions as Permission[] })
        : { apiKey: await insertPublishableKey(tx, { ...fields, allowedOrigins }), secret: null };
    const expiresAt = earliest(old.expiresAt, new Date(now.getTime() + overlapHours * hourMs));
    const data = { expiresAt, replacedById: newKey.apiKey.id };
    const replaced = await tx.apiKey.update({ where: { id }, data });
    const detail = { replacedById: newKey.apiKey.id, previousKeyExpiresAt: expiresAt.toISOString() };
    const entry = { merchantId, mode, actor: caller.actor, ipAddress, objectId: id, detail, now };
    await recordAudit(uow, { ...entry, action: 'api_key.rotated' });
    return { ...newKey, replaced };
  });
}

function earliest(end: Date | null, until: Date): Date {
  return end !== null && end < until ? end : until;
}
