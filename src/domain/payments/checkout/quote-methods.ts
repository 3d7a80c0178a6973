import type { Merchant, Mode } from '../../../../prisma/client/client.ts';
import { DomainError } from '../../../kit/errors.ts';
import type { Money } from '../../../kit/money.ts';
import type { MethodCode } from '../../../method/catalogue.ts';
import {
  filterAvailableMethods,
  findAvailableMethods,
} from '../../accounts/receiving-account/find-available-methods.ts';
import type { Rate } from '../../platform/forex/get-rate.ts';
import type { Service } from '../../platform/service.ts';
import { prepareCharge } from '../charge/prepare-charge.ts';

/** What paying an amount by one method would come to now. */
export type MethodQuote = { method: MethodCode; customerMoney: Money; rate: Rate };

/**
 * The methods that can take an amount, of those named (none: all the merchant has), each with what the customer would
 * pay. When none can, the first refusal: `method_unavailable`, `amount_out_of_range`, `rate_unavailable`, `rate_stale`.
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
  throw firstError ?? new DomainError('method_unavailable', 'None of the payment methods are available');
}
