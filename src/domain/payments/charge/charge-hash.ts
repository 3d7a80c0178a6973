import { createHmac } from 'node:crypto';
import type { Merchant, Mode } from '../../../../prisma/client/client.ts';
import { toCanonicalJson } from '../../../kit/canonical-json.ts';
import { DomainError } from '../../../kit/errors.ts';
import { type Money, toDecimal } from '../../../kit/money.ts';
import { isSameText, type Secrets } from '../../../kit/secrets.ts';
import type { Order } from '../../platform/order.ts';

/** The terms that secure mode protects against changes. */
export type HashedTerms = {
  money: Money;
  orders: Order[];
  /** Only set for the bare checkout address. */
  notifyPayload?: string | null;
  notifyUrl?: string | null;
};

/** Each mode has its own derived key, so a hash is valid in one mode only. */
export type HashOwner = { merchant: Merchant; mode: Mode };

/** Returns the HMAC-SHA-256 (hex) of the terms in canonical JSON, keyed by merchant and mode. */
export async function computeChargeHash(
  secrets: Secrets,
  { merchant, mode }: HashOwner,
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
 * Verifies the hash of the terms. Throws `hash_mismatch`, or `hash_required` if it is missing in secure mode.
 */
export async function checkHash(
  secrets: Secrets,
  owner: HashOwner,
  terms: HashedTerms & { hash: string | null | undefined },
): Promise<void> {
  if (terms.hash == null) {
    if (owner.merchant.secureMode) throw new DomainError('hash_required');
    return;
  }
  if (!isSameText(terms.hash, await computeChargeHash(secrets, owner, terms)))
    throw new DomainError('hash_mismatch');
}
