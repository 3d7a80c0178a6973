import type { Merchant, Mode } from '../../../../prisma/client/client.ts';
import { DomainError } from '../../../kit/errors.ts';
import type { Money } from '../../../kit/money.ts';
import type { MethodCode } from '../../../method/catalog.ts';
import {
  filterAvailableMethods,
  findAvailableMethods,
} from '../../accounts/receiving-account/find-available-methods.ts';
import type { Rate } from '../../platform/forex/get-rate.ts';
import type { Service } from '../../platform/service.ts';
import { prepareCharge } from './prepare-charge.ts';

/** The current price of a payment by one method. */
export type MethodQuote = { method: MethodCode; customerMoney: Money; rate: Rate };

/**
 * Quotes the amount for each of `methods` that can accept it; an empty list means all of the merchant's
 * methods. If none can, throws the first error: `method_unavailable`, `amount_out_of_range`,
 * `rate_unavailable` or `rate_stale`.
 */
export async function quoteMethods(
  service: Service,
  options: { merchant: Merchant; mode: Mode; money: Money; methods: readonly string[]; now: Date },
): Promise<MethodQuote[]> {
  const { merchant, mode, money, now } = options;
  const available = await findAvailableMethods(service, { merchantId: merchant.id, mode });
  const quotes: MethodQuote[] = [];
  let firstError: DomainError | undefined;
  for (const method of filterAvailableMethods(available, options.methods)) {
    try {
      const terms = { merchantMoney: money, method, customer: {}, orders: [] };
      const { customerMoney, rate } = await prepareCharge(service, { merchant, mode, terms, now });
      quotes.push({ method, customerMoney, rate });
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      firstError ??= error;
    }
  }
  if (quotes.length > 0) return quotes;
  throw firstError ?? noMethodError();
}

export function noMethodError(): DomainError {
  return new DomainError('method_unavailable', 'None of the payment methods are available');
}
