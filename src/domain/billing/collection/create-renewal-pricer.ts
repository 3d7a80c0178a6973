import type { Merchant } from '../../../../prisma/client/client.ts';
import type { MerchantTime } from '../../../kit/clock.ts';
import { DomainError } from '../../../kit/errors.ts';
import type { MethodCode } from '../../../method/catalog.ts';
import type { PreparedCharge } from '../../payments/charge/charge-terms.ts';
import { prepareCharge } from '../../payments/charge/prepare-charge.ts';
import type { Service } from '../../platform/service.ts';
import { getRenewalMoney } from '../subscription/billing-terms.ts';
import type { LockedSubscription } from '../subscription/lock-subscription.ts';

export type RenewalQuote = Omit<PreparedCharge, 'terms'>;

/** Resolves to null if the method cannot accept the payment. */
export type RenewalPricer = (target: LockedSubscription, merchant: Merchant) => Promise<RenewalQuote | null>;

/**
 * Creates a function that prices renewals: the open invoice, or else the next one. It caches one quote per merchant,
 * mode, method and amount.
 */
export function createRenewalPricer(service: Service, now: MerchantTime): RenewalPricer {
  const quotes = new Map<string, ReturnType<RenewalPricer>>();
  return async (target, merchant) => {
    const { openInvoice, subscription } = target;
    const { mode, methods } = subscription;
    const method = subscription.method as MethodCode;
    if (methods.length > 0 && !methods.includes(method)) return null;
    // An open invoice keeps its amount when the terms of the subscription change.
    const money = openInvoice
      ? { minor: openInvoice.amount, currency: openInvoice.currency }
      : getRenewalMoney(target);
    const key = [merchant.id, mode, method, money.minor, money.currency].join(' ');
    const terms = { merchantMoney: money, method, customer: {}, orders: [] };
    const quote = quotes.get(key) ?? toRenewalQuote(prepareCharge(service, { merchant, mode, terms, now }));
    quotes.set(key, quote);
    return quote;
  };
}

/** Returns null if the method cannot accept the payment now. */
async function toRenewalQuote(preparation: Promise<PreparedCharge>): ReturnType<RenewalPricer> {
  try {
    const { terms: _, ...quote } = await preparation;
    return quote;
  } catch (error) {
    if (error instanceof DomainError) return null;
    throw error;
  }
}
