import { createHmac } from 'node:crypto';
import type { Merchant, Mode } from '../../../../prisma/client/client.ts';
import { toCanonicalJson } from '../../../kit/canonical-json.ts';
import { DomainError } from '../../../kit/errors.ts';
import { type Money, parseMoney, toDecimal } from '../../../kit/money.ts';
import { isSameText, type Secrets } from '../../../kit/secrets.ts';
import { type OrderLine, type OrderLineInput, parseOrderLines } from '../../platform/order-line.ts';
import type { Service } from '../../platform/service.ts';

/** The terms that secure mode protects against changes. */
type HashedTerms = {
  money: Money;
  orders: OrderLine[];
  /** Only for checkout URLs with a publishable key; see `parseCheckoutUrl`. */
  notifyPayload?: string | null;
  notifyUrl?: string | null;
};

/**
 * The merchant and the mode of a hash. Each mode has its own derived key, so a hash is valid in only one
 * mode.
 */
type HashScope = { merchant: Merchant; mode: Mode };

/** Returns the HMAC-SHA-256 (hex) of the terms in canonical JSON, keyed by merchant and mode. */
async function computeChargeHash(
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

type CreateChargeHashInput = {
  merchantAmount: number | string;
  merchantCurrency: string;
  orders?: readonly OrderLineInput[] | null | undefined;
  /** Only for checkout URLs with a publishable key, whose hash includes them. */
  notifyPayload?: string | null | undefined;
  notifyUrl?: string | null | undefined;
};

/**
 * Computes the hash that secure mode requires for these terms. Throws `invalid_request` or
 * `currency_unsupported`.
 */
export async function createChargeHash(
  service: Service,
  { input, ...scope }: HashScope & { input: CreateChargeHashInput },
): Promise<string> {
  const { merchantAmount, merchantCurrency, orders, notifyPayload, notifyUrl } = input;
  const money = parseMoney(merchantAmount, merchantCurrency, '/merchantAmount');
  return computeChargeHash(service.secrets, scope, {
    money,
    orders: parseOrderLines(orders, merchantCurrency),
    // An empty value means none, as in the query string of the checkout URL.
    notifyPayload: notifyPayload || null,
    notifyUrl: notifyUrl || null,
  });
}
