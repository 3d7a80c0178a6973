import { DomainError } from '../../../kit/errors.ts';
import type { Service } from '../../platform/service.ts';
import { requireEnabledMerchant } from '../merchant/require-enabled-merchant.ts';
import { isUsable } from './authenticate-key.ts';
import { findApiKey, type KeyWithMerchant } from './find-api-key.ts';
import { recordKeyUse } from './record-key-use.ts';

/**
 * Authenticates a publishable key (`pk_…`), which can only start a checkout, and records its use. Errors: `unauthenticated`,
 * `account_disabled`.
 */
export async function authenticatePublishableKey(
  service: Pick<Service, 'prisma' | 'reads'>,
  key: string,
  now: Date,
): Promise<KeyWithMerchant> {
  const apiKey = await findApiKey(service, key);
  if (apiKey?.kind !== 'publishable' || !isUsable(apiKey, now)) {
    throw new DomainError('unauthenticated', 'The apiKey is not a valid publishable key');
  }
  requireEnabledMerchant(apiKey.merchant);
  await recordKeyUse(service, apiKey, now);
  return apiKey;
}
