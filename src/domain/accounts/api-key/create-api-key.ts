import type { ApiKey, ApiKeyKind } from '../../../../prisma/client/client.ts';
import { transact } from '../../../event/unit-of-work.ts';
import type { Db } from '../../../kit/db.ts';
import { recordAudit } from '../../platform/audit/record-audit.ts';
import { type ApiKeyInput, parseName, parseOrigins, parsePermissions } from './api-key-input.ts';
import { insertApiKey, insertPublishableKey } from './insert-api-key.ts';
import type { RequestContext } from './permissions.ts';
import { requireOwner } from './permissions.ts';

/** A new key. The secret is not shown again; it is null for a publishable key, which has none. */
export type NewApiKey = { apiKey: ApiKey; secret: string | null };

/**
 * Creates an API key in the caller's mode; the caller must be an owner. By default, a secret key has the
 * permissions `read`, `write` and `refund`.
 * Errors: `permission_denied`, `invalid_request`.
 */
export async function createApiKey(
  db: Db,
  options: RequestContext & { input: ApiKeyInput & { name: string; kind: ApiKeyKind } },
): Promise<NewApiKey> {
  const { caller, input, now, ipAddress } = options;
  requireOwner(caller, 'manage API keys');
  const { mode, actor } = caller;
  const { kind } = input;
  const name = parseName(input.name);
  const permissions = parsePermissions(input.permissions, kind);
  const allowedOrigins = parseOrigins(input.allowedOrigins, { kind, mode });
  const fields = { merchantId: caller.merchant.id, mode, name, now };
  return transact(db, async (uow) => {
    const newKey: NewApiKey =
      kind === 'secret'
        ? await insertApiKey(uow.tx, { ...fields, permissions })
        : { apiKey: await insertPublishableKey(uow.tx, { ...fields, allowedOrigins }), secret: null };
    await recordAudit(uow, {
      ...fields,
      actor,
      ipAddress,
      action: 'api_key.created',
      objectId: newKey.apiKey.id,
      detail: { name, kind, permissions, allowedOrigins },
    });
    return newKey;
  });
}
