import { createHmac } from 'node:crypto';
import type { Merchant } from '../../../prisma/client/client.ts';
import { canonicalJson } from '../../kit/canonical-json.ts';
import { DomainError } from '../../kit/errors.ts';
import { type Money, toDecimal } from '../../kit/money.ts';
import { type Secrets, sameText } from '../../kit/secrets.ts';
import type { Order } from '../order.ts';

/** What secure mode protects: a charge with another amount, currency or order does not fit the hash. */
export type HashedTerms = {
  money: Money;
  orders: Order[];
  /** Only of the bare checkout address. */
  notifyPayload?: string | null;
  notifyUrl?: string | null;
};

/** HMAC-SHA-256 (hex) under the merchant's hash key over a canonical form of the terms. */
export function chargeHash(secrets: Secrets, merchant: Merchant, terms: HashedTerms): string {
  const { money, orders, notifyPayload, notifyUrl } = terms;
  const form = canonicalJson({
    merchantAmount: toDecimal(money),
    merchantCurrency: money.currency,
    orders,
    ...(notifyPayload != null && { notifyPayload }),
    ...(notifyUrl != null && { notifyUrl }),
  });
  return createHmac('sha256', secrets.unseal(merchant.hashKeySealed)).update(form).digest('hex');
}

/** Errors: `hash_mismatch` for a hash that does not fit; `hash_required` for none with secure mode on. */
export function checkHash(
  secrets: Secrets,
  merchant: Merchant,
  terms: HashedTerms & { hash: string | null | undefined },
): void {
  if (terms.hash == null) {
    if (merchant.secureMode) throw new DomainError('hash_required');
    return;
  }
  if (!sameText(terms.hash, chargeHash(secrets, merchant, terms))) throw new DomainError('hash_mismatch');
}
