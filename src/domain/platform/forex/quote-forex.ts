import { convert } from '../../../kit/convert.ts';
import { getMinorPerMajor, isCurrencyCode } from '../../../kit/currency.ts';
import type { Db } from '../../../kit/db.ts';
import { DomainError } from '../../../kit/errors.ts';
import { type Money, majorLimit, parseMoney, unsupportedCurrencyError } from '../../../kit/money.ts';
import { getPayableDigits } from '../../../method/payable-amount.ts';
import { getRate, type Rate, type RateContext } from './get-rate.ts';

/**
 * Converts an amount to another currency as for a charge: with the same rate, and rounded to a payable
 * amount. Errors: those of `getRate`, `invalid_request`, `currency_unsupported`, and `amount_out_of_range` if
 * the converted amount is 10^12 or more.
 */
export async function quoteForex(
  db: Db,
  options: RateContext & {
    sourceCurrency: string;
    sourceAmount: string | number;
    destinationCurrency: string;
  },
): Promise<{ amount: Money; rate: Rate }> {
  const { sourceCurrency: from, destinationCurrency: to, merchant, mode, now } = options;
  const source = parseMoney(options.sourceAmount, from, '/sourceAmount');
  if (!isCurrencyCode(to)) throw unsupportedCurrencyError(to);
  const rate = await getRate(db, { from, to, merchant, mode, now });
  const amount = convert(source, rate.rate, to, getPayableDigits(to));
  if (amount.minor >= majorLimit * getMinorPerMajor(to)) {
    throw new DomainError('amount_out_of_range', `The converted amount must be below 10^12 ${to}`);
  }
  return { amount, rate };
}
