import type { Merchant } from '../../../../prisma/client/client.ts';
import type { CurrencyCode } from '../../../kit/currency.ts';
import { paymentMethods } from '../../../method/catalog.ts';
import { findCurrencies } from '../../platform/forex/find-currencies.ts';
import type { RateContext } from '../../platform/forex/get-rate.ts';
import type { Service } from '../../platform/service.ts';
import { findAvailableMethods } from './find-available-methods.ts';

type CurrencyOptions = RateContext & { merchant: Pick<Merchant, 'id'> };

/**
 * Returns the currencies in which the merchant can charge, in alphabetical order: those with a usable exchange rate,
 * and those of active receiving accounts, which need none.
 */
export async function findChargeCurrencies(
  service: Service,
  options: CurrencyOptions,
): Promise<CurrencyCode[]> {
  const [converted, accounts] = await Promise.all([
    findCurrencies(service, options),
    findAccountCurrencies(service, options),
  ]);
  return [...new Set([...converted, ...accounts])].sort();
}

export type MissingRate = { from: CurrencyCode; to: CurrencyCode };

/**
 * Returns the pairs of currencies of active receiving accounts without a usable exchange rate. Prices in `from` cannot
 * be paid to accounts in `to`.
 */
export async function findMissingRates(service: Service, options: CurrencyOptions): Promise<MissingRate[]> {
  const [accounts, converted] = await Promise.all([
    findAccountCurrencies(service, options),
    findCurrencies(service, options),
  ]);
  const pairs = accounts.flatMap((from) => accounts.map((to) => ({ from, to })));
  return pairs.filter(({ from, to }) => from !== to && !(converted.includes(from) && converted.includes(to)));
}

async function findAccountCurrencies(
  service: Service,
  { merchant, mode }: CurrencyOptions,
): Promise<CurrencyCode[]> {
  const methods = await findAvailableMethods(service, { merchantId: merchant.id, mode });
  return [...new Set(methods.map((method) => paymentMethods[method].currency))];
}
