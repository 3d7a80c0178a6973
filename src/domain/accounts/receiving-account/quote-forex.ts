import { convert } from '../../../kit/convert.ts';
import { getMinorPerMajor, isCurrencyCode } from '../../../kit/currency.ts';
import { DomainError } from '../../../kit/errors.ts';
import { type Money, majorLimit, parseMoney, unsupportedCurrencyError } from '../../../kit/money.ts';
import { getPayableDigits } from '../../../method/payable-amount.ts';
import { getRate, type Rate } from '../../platform/forex/get-rate.ts';
import type { Service } from '../../platform/service.ts';
import { type CurrencyOptions, findAccountCurrencies } from './find-charge-currencies.ts';

/**
 * Converts an amount to another currency as for a charge: with the same rate, and rounded to a payable
 * amount. Errors: those of `getRate`, `invalid_request`, `currency_unsupported`, and `amount_out_of_range` if
 * the converted amount is 10^12 or more.
 */
export async function quoteForex(
  service: Service,
  options: CurrencyOptions & {
    sourceCurrency: string;
    sourceAmount: string | number;
    destinationCurrency: string;
  },
): Promise<{ amount: Money; rate: Rate }> {
  const { sourceCurrency: from, destinationCurrency: to } = options;
  const source = parseMoney(options.sourceAmount, from, '/sourceAmount');
  if (!isCurrencyCode(to)) throw unsupportedCurrencyError(to);
  const accountCurrencies = await findAccountCurrencies(service, options);
  const demo = accountCurrencies.get(to) ?? options.merchant.demo;
  const rate = await getRate(service, { ...options, merchant: { ...options.merchant, demo }, from, to });
  const amount = convert(source, rate.rate, to, getPayableDigits(to));
  if (amount.minor >= majorLimit * getMinorPerMajor(to)) {
    throw new DomainError('amount_out_of_range', `The converted amount must be below 10^12 ${to}`);
  }
  return { amount, rate };
}
