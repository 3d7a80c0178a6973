import type { ApiKey } from '../../../../prisma/client/client.ts';
import { transact } from '../../../event/unit-of-work.ts';
import type { Db } from '../../../kit/db.ts';
import { dayMs, minuteMs } from '../../../kit/duration.ts';
import { DomainError, invalidInputError } from '../../../kit/errors.ts';
import { recordAudit } from '../../platform/audit/record-audit.ts';
import { isUsable } from './authenticate-key.ts';
import type { NewApiKey } from './create-api-key.ts';
import { insertApiKey, insertPublishableKey } from './insert-api-key.ts';
import { lockApiKey } from './lock-api-key.ts';
import { type Permission, type RequestContext, requireOwner } from './permissions.ts';

const defaultOverlapMs = dayMs;
const overlapMsMax = 90 * dayMs;
/** How far in the past the expiry may be, because a client's clock may be slightly behind. */
const clockToleranceMs = 5 * minuteMs;

/**
 * Replaces a key by a new one with the same permissions. The old key works until `previousKeyExpiresAt`, by
 * default for one more day. A key can be rotated only once; after that, its replacement can be rotated.
 * Errors: `permission_denied`, `api_key_not_found`, `api_key_ended`, `invalid_request`.
 */
export async function rotateApiKey(
  db: Db,
  options: RequestContext & { id: string; previousKeyExpiresAt?: Date | null | undefined },
): Promise<NewApiKey & { replaced: ApiKey }> {
  const { caller, id, now, ipAddress } = options;
  requireOwner(caller, 'manage API keys');
  const until = options.previousKeyExpiresAt ?? new Date(now.getTime() + defaultOverlapMs);
  if (until.getTime() < now.getTime() - clockToleranceMs)
    throw invalidInputError('/previousKeyExpiresAt', 'must not be in the past');
  if (until.getTime() > now.getTime() + overlapMsMax)
    throw invalidInputError('/previousKeyExpiresAt', 'must be at most 90 days in the future');
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
    const expiresAt = earliest(old.expiresAt, until < now ? now : until);
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
