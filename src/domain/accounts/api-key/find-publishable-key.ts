import { DomainError } from '../../../kit/errors.ts';
import type { Service } from '../../platform/service.ts';
import { refuseDisabled } from '../merchant/refuse-disabled.ts';
import { isUsable } from './authenticate-key.ts';
import { findApiKey, type KeyWithMerchant } from './find-api-key.ts';
import { noteUse } from './note-use.ts';

/** The publishable key `pk_…`, which can only start a checkout. Errors: `unauthenticated`, `account_disabled`. */
export async function findPublishableKey(
  service: Pick<Service, 'prisma' | 'reads'>,
  key: string,
  now: Date,
): Promise<KeyWithMerchant> {
  const found = await findApiKey(service, key);
  if (found?.kind !== 'publishable' || !isUsable(found, now)) {
    throw new DomainError('unauthenticated', 'The apiKey is not a valid publishable key');
  }
  refuseDisabled(found.merchant);
  await noteUse(service, found, now);
  return found;
}
