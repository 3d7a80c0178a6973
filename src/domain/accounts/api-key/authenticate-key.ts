import type { ApiKey, Merchant } from '../../../../prisma/client/client.ts';
import type { Db } from '../../../kit/db.ts';
import { minuteMs } from '../../../kit/duration.ts';
import { DomainError } from '../../../kit/errors.ts';
import { isSameText, sha256 } from '../../../kit/secrets.ts';
import { requireEnabledMerchant } from '../../platform/merchant/require-enabled-merchant.ts';
import { type CachedReader, readCached } from '../../platform/read-cached.ts';
import type { Service } from '../../platform/service.ts';
import type { MerchantCaller } from './permissions.ts';

/**
 * The hash that is compared if the key is unknown, so that the response takes as long as for a wrong secret.
 */
const decoyHash = '0'.repeat(64);

/**
 * Authenticates an API key by its secret and returns the caller. Throws the same error for an unknown, revoked or
 * expired key as for a wrong secret.
 */
export async function authenticateKey(
  service: Pick<Service, 'prisma' | 'reads'>,
  credentials: { key: string; secret: string },
  now: Date,
): Promise<MerchantCaller> {
  const apiKey = await findApiKey(service, credentials.key);
  const isSecretCorrect = isSameText(apiKey?.secretHash ?? decoyHash, sha256(credentials.secret));
  if (!apiKey || !isSecretCorrect || !isUsable(apiKey, now)) throw new DomainError('unauthenticated');
  requireEnabledMerchant(apiKey.merchant);
  await recordKeyUse(service, apiKey, now);
  return {
    merchant: apiKey.merchant,
    mode: apiKey.mode,
    permissions: new Set(apiKey.permissions),
    actor: `key:${apiKey.id}`,
  };
}

export function isUsable(apiKey: ApiKey, now: Date): boolean {
  return apiKey.revokedAt === null && (apiKey.expiresAt === null || apiKey.expiresAt > now);
}

export type KeyWithMerchant = ApiKey & { merchant: Merchant };

export function findApiKey(service: CachedReader, key: string): Promise<KeyWithMerchant | null> {
  return readCached(service, {
    name: `key ${key}`,
    read: (prisma) => prisma.apiKey.findUnique({ where: { key }, include: { merchant: true } }),
    getTopic: (apiKey) => apiKey?.merchantId,
  });
}

/** The minimum time between two updates of `lastUsedAt`, so that not every request writes. */
const lastUsedPrecisionMs = 5 * minuteMs;

/**
 * Records when a key was last used, at most once every five minutes across all processes. Also updates the
 * object `apiKey`, which may be cached.
 */
export async function recordKeyUse(db: Pick<Db, 'prisma'>, apiKey: ApiKey, now: Date): Promise<void> {
  const { id, lastUsedAt } = apiKey;
  const before = new Date(now.getTime() - lastUsedPrecisionMs);
  if (lastUsedAt !== null && lastUsedAt > before) return;
  apiKey.lastUsedAt = now;
  await db.prisma.apiKey.updateMany({
    where: { id, OR: [{ lastUsedAt: null }, { lastUsedAt: { lte: before } }] },
    data: { lastUsedAt: now },
  });
}
