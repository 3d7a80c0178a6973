import type { ApiKey, Merchant } from '../../../prisma/client/client.ts';
import type { Db } from '../../kit/db.ts';
import { DomainError } from '../../kit/errors.ts';
import { isUsable, refuseDisabled } from './authenticate-key.ts';
import { noteUse } from './note-use.ts';

/** The publishable key `pk_…`, which can only start a checkout. Errors: `unauthenticated`, `account_disabled`. */
export async function findPublishableKey(
  db: Db,
  key: string,
  now: Date,
): Promise<ApiKey & { merchant: Merchant }> {
  const found = await db.prisma.apiKey.findUnique({ where: { key }, include: { merchant: true } });
  if (found?.kind !== 'publishable' || !isUsable(found, now)) {
    throw new DomainError('unauthenticated', 'The apiKey is not a publishable key of any merchant');
  }
  refuseDisabled(found.merchant);
  await noteUse(db, found, now);
  return found;
}
