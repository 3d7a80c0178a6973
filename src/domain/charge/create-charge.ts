import type { Charge, Merchant, Mode } from '../../../prisma/client/client.ts';
import { parseEmail } from '../../kit/contact.ts';
import { isCurrencyCode } from '../../kit/currency.ts';
import { type Tx, transact } from '../../kit/db.ts';
import { DomainError, invalidInput } from '../../kit/errors.ts';
import { parseMoney } from '../../kit/money.ts';
import { checkText } from '../../kit/text.ts';
import { isMethodCode } from '../../method/catalogue.ts';
import { recordCustomer } from '../customer/record-customer.ts';
import { type OrderInput, parseOrders } from '../order.ts';
import type { Service } from '../service.ts';
import { parseTargetUrl } from '../target-url.ts';
import { checkHash } from './charge-hash.ts';
import type { ChargeTerms } from './charge-terms.ts';
import { insertCharge, prepareCharge } from './open-charge.ts';

export const notifyPayloadMax = 4_096;

/** As it arrives: amounts in major units, a number (REST) or a decimal string (GraphQL). */
export type CreateChargeInput = {
  email?: string | null | undefined;
  merchantAmount: number | string;
  merchantCurrency: string;
  method: string;
  orders?: readonly OrderInput[] | null | undefined;
  notifyPayload?: string | null | undefined;
  notifyUrl?: string | null | undefined;
  /** Of `POST /charges/hash`; required with the merchant's secure mode on. */
  hash?: string | null | undefined;
};

export type CreatedCharge = { charge: Charge; isDuplicate: boolean };

/**
 * Creates a charge on the customer's behalf. An equal one that is still pending, with at least half of its payment
 * window left, is returned instead of a second. Errors: `invalid_request`, `method_unavailable`, `amount_out_of_range`,
 * `rate_unavailable`, `rate_stale`, `currency_unsupported`, `hash_mismatch`, `hash_required`.
 */
export async function createCharge(
  service: Service,
  options: { merchant: Merchant; mode: Mode; actor: string; input: CreateChargeInput; now: Date },
): Promise<CreatedCharge> {
  const { merchant, mode, actor, now } = options;
  const terms = parseTerms(service, options);
  const { merchantMoney: money, orders } = terms;
  checkHash(service.secrets, merchant, { money, orders, hash: options.input.hash });
  const prepared = await prepareCharge(service, { merchant, mode, terms, now });
  return transact(service, async (tx) => {
    const customer = await recordCustomer(tx, {
      merchantId: merchant.id,
      mode,
      details: terms.customer,
      now,
    });
    const same = await findSame(tx, { merchantId: merchant.id, mode, customerId: customer.id, terms, now });
    if (same) return { charge: same, isDuplicate: true };
    return {
      charge: await insertCharge(tx, prepared, { customerId: customer.id, actor, now }),
      isDuplicate: false,
    };
  });
}

function parseTerms(service: Service, options: { mode: Mode; input: CreateChargeInput }): ChargeTerms {
  const { mode, input } = options;
  if (!isCurrencyCode(input.merchantCurrency)) {
    throw new DomainError('currency_unsupported', `${input.merchantCurrency} is no supported currency`);
  }
  if (!isMethodCode(input.method)) throw invalidInput('/method', 'must be a payment method');
  if (input.email == null) throw invalidInput('', 'needs an email or a verificationCode');
  const { settings } = service;
  return {
    merchantMoney: parseMoney(input.merchantAmount, input.merchantCurrency, '/merchantAmount'),
    method: input.method,
    customer: { email: parseEmail(input.email, '/email') },
    orders: parseOrders(input.orders, input.merchantCurrency),
    notifyPayload:
      input.notifyPayload == null ? null : checkText(input.notifyPayload, '/notifyPayload', notifyPayloadMax),
    notifyUrl:
      input.notifyUrl == null ? null : parseTargetUrl(input.notifyUrl, '/notifyUrl', { mode, ...settings }),
  };
}

/** An equal pending charge. The customer's row is locked, so two equal creations at once meet here one by one. */
async function findSame(
  tx: Tx,
  options: { merchantId: string; mode: Mode; customerId: string; terms: ChargeTerms; now: Date },
): Promise<Charge | undefined> {
  const { terms, now } = options;
  const candidates = await tx.charge.findMany({
    where: {
      merchantId: options.merchantId,
      mode: options.mode,
      customerId: options.customerId,
      status: 'pending',
      method: terms.method,
      merchantAmount: terms.merchantMoney.minor,
      merchantCurrency: terms.merchantMoney.currency,
      notifyPayload: terms.notifyPayload ?? null,
      notifyUrl: terms.notifyUrl ?? null,
      sessionId: null,
      checkoutLinkId: null,
      subscriptionId: null,
    },
    orderBy: { id: 'desc' },
  });
  const orders = JSON.stringify(terms.orders);
  return candidates.find((charge) => canonicalOrders(charge) === orders && hasHalfItsWindow(charge, now));
}

/** The stored orders in the order of members that parseOrders gives them; jsonb keeps its own. */
function canonicalOrders(charge: Charge): string {
  return JSON.stringify(parseOrders(charge.orders as OrderInput[], charge.merchantCurrency));
}

function hasHalfItsWindow(charge: Charge, now: Date): boolean {
  const windowMs = charge.expiresAt.getTime() - charge.createdAt.getTime();
  return charge.expiresAt.getTime() - now.getTime() >= windowMs / 2;
}
