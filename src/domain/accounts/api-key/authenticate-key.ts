import type { ApiKey } from '../../../../prisma/client/client.ts';
import { DomainError } from '../../../kit/errors.ts';
import { isSameHash, sha256 } from '../../../kit/secrets.ts';
import { requireEnabledMerchant } from '../../platform/merchant/require-enabled-merchant.ts';
import type { Service } from '../../platform/service.ts';
import { findApiKey } from './find-api-key.ts';
import type { MerchantCaller } from './permissions.ts';
import { recordKeyUse } from './record-key-use.ts';

/**
 * The hash that is compared if the key is unknown, so that the response takes as long as for a wrong secret.
 */
const decoyHash = '0'.repeat(64);

/**
 * Authenticates an API key by its secret and returns the caller. An unknown key and a wrong secret take the
 * same time and give the same response.
 * Errors: `unauthenticated`, `account_disabled`.
 */
export async function authenticateKey(
  service: Pick<Service, 'prisma' | 'reads'>,
  credentials: { key: string; secret: string },
  now: Date,
): Promise<MerchantCaller> {
  const apiKey = await findApiKey(service, credentials.key);
  const isSecretCorrect = isSameHash(apiKey?.secretHash ?? decoyHash, sha256(credentials.secret));
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
