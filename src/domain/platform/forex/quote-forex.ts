import { convert } from '../../../kit/convert.ts';
import { isCurrencyCode, minorPerMajor } from '../../../kit/currency.ts';
import type { Db } from '../../../kit/db.ts';
import { DomainError } from '../../../kit/errors.ts';
import { type Money, majorLimit, parseMoney } from '../../../kit/money.ts';
import { payableDigits } from '../../../method/payable-amount.ts';
import { getRate, type Rate, type RateTerms } from './get-rate.ts';

/**
 * Converts an amount to another currency with the rates of charges, rounded like a charge to a payable amount.
 * Errors: those of `getRate`, `invalid_request`, `currency_unsupported`, and `amount_out_of_range` from 10^12.
 */
export async function quoteForex(
  db: Db,
  options: RateTerms & {
    sourceCurrency: string;
    sourceAmount: string | number;
    destinationCurrency: string;
  },
): Promise<{ amount: Money; rate: Rate }> {
  const { sourceCurrency: from, destinationCurrency: to, merchant, mode, now } = options;
  const source = parseMoney(options.sourceAmount, from, '/sourceAmount');
  if (!isCurrencyCode(to)) throw new DomainError('currency_unsupported', `Unsupported currency: ${to}`);
  const rate = await getRate(db, { from, to, merchant, mode, now });
  const amount = convert(source, rate.rate, to, payableDigits(to));
  if (amount.minor >= majorLimit * minorPerMajor(to)) {
    throw new DomainError('amount_out_of_range', `The converted amount must be below 10^12 ${to}`);
  }
  return { amount, rate };
}
