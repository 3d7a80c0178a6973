import type { Context } from '../context.ts';
import {
  authenticatePublishableKey,
  requireAllowedOrigin,
} from '../domain/accounts/api-key/authenticate-publishable-key.ts';
import type { MerchantCaller } from '../domain/accounts/api-key/permissions.ts';
import { DomainError, invalidInputError } from '../kit/errors.ts';

/**
 * Requires a publishable key of the caller's merchant and mode that allows the origin of `redirectUrl`. Call
 * it within the idempotent work, so that a key revoked later does not reject a replay.
 */
export async function requireOwnPublishableKey(
  service: Context['service'],
  caller: MerchantCaller,
  { apiKey, redirectUrl }: { apiKey: string; redirectUrl?: string | undefined },
  now: Date,
): Promise<void> {
  const message =
    'must be a publishable key (pk_…) of your account and of the same mode as the key that authenticates the request';
  const key = await authenticatePublishableKey(service, apiKey, now).catch((error: unknown) => {
    throw error instanceof DomainError ? invalidInputError('/apiKey', message) : error;
  });
  if (key.merchantId !== caller.merchant.id || key.mode !== caller.mode)
    throw invalidInputError('/apiKey', message);
  requireAllowedOrigin(key, redirectUrl, '/redirectUrl');
}
