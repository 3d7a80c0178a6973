import { createHmac } from 'node:crypto';
import type { Merchant, Mode } from '../../../../prisma/client/client.ts';
import { toCanonicalJson } from '../../../kit/canonical-json.ts';
import { DomainError } from '../../../kit/errors.ts';
import { type Money, toDecimal } from '../../../kit/money.ts';
import { isSameText, type Secrets } from '../../../kit/secrets.ts';
import type { Order } from '../../platform/order.ts';

/** What secure mode protects: a charge with another amount, currency or order does not fit the hash. */
export type HashedTerms = {
  money: Money;
  orders: Order[];
  /** Only of the bare checkout address. */
  notifyPayload?: string | null;
  notifyUrl?: string | null;
};

/** Whose hash key it is: each mode has its own, so a hash of one mode never fits in the other. */
export type HashOwner = { merchant: Merchant; mode: Mode };

/** HMAC-SHA-256 (hex) under the hash key of the merchant and mode over a canonical form of the terms. */
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

/** Errors: `hash_mismatch` for a hash that does not fit; `hash_required` for none with secure mode on. */
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
