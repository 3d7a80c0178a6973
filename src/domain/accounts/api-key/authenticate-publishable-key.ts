import type { ApiKey } from '../../../../prisma/client/client.ts';
import { DomainError, invalidInputError } from '../../../kit/errors.ts';
import { requireEnabledMerchant } from '../../platform/merchant/require-enabled-merchant.ts';
import { type CachedReader, readCached } from '../../platform/read-cached.ts';
import type { Service } from '../../platform/service.ts';
import { findApiKey, isUsable, type KeyWithMerchant, recordKeyUse } from './authenticate-key.ts';

/**
 * Authenticates a publishable key (`pk_…`), which can only start a checkout, and records its use. Also accepts the key
 * `ck_…` of a secret key without the secret, because the documented interface calls both keys `apiKey`.
 */
export async function authenticatePublishableKey(
  service: Pick<Service, 'prisma' | 'reads'>,
  key: string,
  now: Date,
): Promise<KeyWithMerchant> {
  const apiKey = await findApiKey(service, key);
  if (!apiKey || !isUsable(apiKey, now)) throw invalidKeyError();
  const publishable = apiKey.kind === 'publishable' ? apiKey : await toPublishable(service, apiKey, now);
  requireEnabledMerchant(apiKey.merchant);
  await recordKeyUse(service, apiKey, now);
  return publishable;
}

function invalidKeyError(): DomainError {
  return new DomainError('unauthenticated', 'The apiKey is not a valid publishable key');
}

async function toPublishable(
  service: CachedReader,
  apiKey: KeyWithMerchant,
  now: Date,
): Promise<KeyWithMerchant> {
  return { ...apiKey, allowedOrigins: await findStrictestOrigins(service, apiKey, now) };
}

/** No URL has this origin, so a list that contains only it allows none. */
const noOrigin = 'none';

/**
 * Returns the origins that all usable publishable keys of the merchant and mode allow; empty if none of them is
 * restricted. Throws `unauthenticated` if there is no such key, because the merchant then has no checkout without a
 * server.
 */
async function findStrictestOrigins(
  service: CachedReader,
  { merchantId, mode }: KeyWithMerchant,
  now: Date,
): Promise<string[]> {
  const keys = await readCached(service, {
    name: `publishable keys ${merchantId} ${mode}`,
    read: (prisma) => prisma.apiKey.findMany({ where: { merchantId, mode, kind: 'publishable' } }),
    getTopic: () => merchantId,
  });
  const usableKeys = keys.filter((publishableKey) => isUsable(publishableKey, now));
  if (usableKeys.length === 0) throw invalidKeyError();
  const lists = usableKeys
    .map((publishableKey) => publishableKey.allowedOrigins)
    .filter(({ length }) => length > 0);
  const [first, ...others] = lists;
  if (!first) return [];
  const common = first.filter((origin) => others.every((list) => list.includes(origin)));
  return common.length > 0 ? common : [noOrigin];
}

/**
 * Throws 400 at `path` if the key has allowed origins and `url` is on none of them. URLs of apps have no
 * origin, so they pass; the merchant's `redirectSchemes` restrict them.
 */
export function requireAllowedOrigin(
  { allowedOrigins }: Pick<ApiKey, 'allowedOrigins'>,
  url: string | null | undefined,
  path: string,
): void {
  if (url == null || allowedOrigins.length === 0 || !URL.canParse(url)) return;
  const { protocol, origin } = new URL(url);
  if (!['http:', 'https:'].includes(protocol) || allowedOrigins.includes(origin)) return;
  throw invalidInputError(
    path,
    `must be on an allowed origin of the publishable key, or ${origin} must be added to its allowed origins`,
  );
}
