import { createHmac } from 'node:crypto';
import type { Merchant, Mode } from '../../../../prisma/client/client.ts';
import { toCanonicalJson } from '../../../kit/canonical-json.ts';
import { DomainError } from '../../../kit/errors.ts';
import { type Money, toDecimal } from '../../../kit/money.ts';
import { isSameText, type Secrets } from '../../../kit/secrets.ts';
import type { OrderLine } from '../../platform/order-line.ts';

/** The terms that secure mode protects against changes. */
export type HashedTerms = {
  money: Money;
  orders: OrderLine[];
  /** Only for checkout URLs with a publishable key; see `parseCheckoutAddress`. */
  notifyPayload?: string | null;
  notifyUrl?: string | null;
};

/**
 * The merchant and the mode of a hash. Each mode has its own derived key, so a hash is valid in only one
 * mode.
 */
export type HashScope = { merchant: Merchant; mode: Mode };

/** Returns the HMAC-SHA-256 (hex) of the terms in canonical JSON, keyed by merchant and mode. */
export async function computeChargeHash(
  secrets: Secrets,
  { merchant, mode }: HashScope,
  terms: HashedTerms,
): Promise<string> {
  const { money, orders, notifyPayload, notifyUrl } = terms;
  const canonicalTerms = toCanonicalJson({
    merchantAmount: toDecimal(money),
    merchantCurrency: money.currency,
    orders,
    ...(notifyPayload != null && { notifyPayload }),
    ...(notifyUrl != null && { notifyUrl }),
  });
  const { id, hashKeyEncrypted } = merchant;
  const hashKey = await secrets.decrypt(hashKeyEncrypted, 'merchant.hash_key_encrypted', id);
  const key = createHmac('sha256', hashKey).update(mode).digest();
  return createHmac('sha256', key).update(canonicalTerms).digest('hex');
}

/**
 * Verifies the hash of the terms. Throws `hash_mismatch`, or `hash_required` if the hash is missing in secure
 * mode.
 */
export async function checkChargeHash(
  secrets: Secrets,
  scope: HashScope,
  terms: HashedTerms & { hash: string | null | undefined },
): Promise<void> {
  if (terms.hash == null) {
    if (scope.merchant.isSecureModeEnabled) throw new DomainError('hash_required');
    return;
  }
  if (!isSameText(terms.hash, await computeChargeHash(secrets, scope, terms)))
    throw new DomainError('hash_mismatch');
}
