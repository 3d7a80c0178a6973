import type { Merchant, Mode } from '../../../../prisma/client/client.ts';
import { invalidInputError } from '../../../kit/errors.ts';
import { type Money, parseMoney } from '../../../kit/money.ts';
import {
  authenticatePublishableKey,
  requireAllowedOrigin,
} from '../../accounts/api-key/authenticate-publishable-key.ts';
import { parseNotifyPayload } from '../../platform/notify-payload.ts';
import type { Service } from '../../platform/service.ts';
import { parseTargetUrl } from '../../platform/target-url.ts';
import { checkChargeHash } from '../charge/charge-hash.ts';

/**
 * The validated query of a checkout URL with a publishable key, `/checkout?apiKey&amount&currency…`, to which a
 * shop can link without an API call.
 */
export type CheckoutUrlTerms = {
  merchant: Merchant;
  mode: Mode;
  /** The ID of the publishable key. */
  keyId: string;
  money: Money;
  notifyPayload: string | null;
  notifyUrl: string | null;
};

/**
 * Parses the query of a checkout URL. Throws `unauthenticated` for an unknown key, `invalid_request`,
 * `currency_unsupported`, `target_refused`, `hash_mismatch`, `hash_required` in secure mode, and the errors of
 * `requireEnabledMerchant`.
 */
export async function parseCheckoutUrl(
  service: Service,
  query: Record<string, string | undefined>,
  now: Date,
): Promise<CheckoutUrlTerms> {
  const key = await authenticatePublishableKey(service, query.apiKey ?? '', now);
  const { merchant, mode } = key;
  if (!query.currency) throw invalidInputError('/currency', 'is required');
  if (!query.amount) throw invalidInputError('/amount', 'is required');
  const notifyUrl = query.notifyUrl
    ? parseTargetUrl(query.notifyUrl, '/notifyUrl', { mode, ...service.settings })
    : null;
  requireAllowedOrigin(key, notifyUrl, '/notifyUrl');
  const money = parseMoney(query.amount, query.currency, '/amount');
  const notifyPayload = parseNotifyPayload(query.notifyPayload || null);
  const terms = { money, orders: [], notifyPayload, notifyUrl };
  await checkChargeHash(service.secrets, { merchant, mode }, { ...terms, hash: query.hash });
  return { merchant, mode, keyId: key.id, money, notifyPayload, notifyUrl };
}
