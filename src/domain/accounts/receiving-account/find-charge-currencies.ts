import type { Merchant } from '../../../../prisma/client/client.ts';
import type { CurrencyCode } from '../../../kit/currency.ts';
import { type MethodCode, paymentMethods } from '../../../method/catalog.ts';
import { findCurrencies } from '../../platform/forex/find-currencies.ts';
import type { RateContext } from '../../platform/forex/get-rate.ts';
import type { Service } from '../../platform/service.ts';
import { canUseDemoRates } from './can-use-demo-rates.ts';

export type CurrencyOptions = RateContext & { merchant: Pick<Merchant, 'id'> };

/**
 * Returns the currencies in which the merchant can charge, in alphabetical order: those with a usable exchange rate,
 * and those of active receiving accounts, which need none.
 */
export async function findChargeCurrencies(
  service: Service,
  options: CurrencyOptions,
): Promise<CurrencyCode[]> {
  const { merchant } = options;
  const accountCurrencies = await findAccountCurrencies(service, options);
  const demo = accountCurrencies.size === 0 ? merchant.demo : [...accountCurrencies.values()].includes(true);
  const converted = await findCurrencies(service, { ...options, merchant: { ...merchant, demo } });
  return [...new Set([...converted, ...accountCurrencies.keys()])].sort();
}

export type MissingRate = { from: CurrencyCode; to: CurrencyCode };

/**
 * Returns the pairs of currencies of active receiving accounts without a usable exchange rate. Prices in `from` cannot
 * be paid to accounts in `to`.
 */
export async function findMissingRates(service: Service, options: CurrencyOptions): Promise<MissingRate[]> {
  const { merchant } = options;
  const accountCurrencies = await findAccountCurrencies(service, options);
  const missing = [...accountCurrencies].map(async ([to, demo]) => {
    const converted = await findCurrencies(service, { ...options, merchant: { ...merchant, demo } });
    const isMissing = (from: CurrencyCode) => !(converted.includes(from) && converted.includes(to));
    return [...accountCurrencies.keys()]
      .filter((from) => from !== to && isMissing(from))
      .map((from) => ({ from, to }));
  });
  return (await Promise.all(missing)).flat();
}

/** Returns the currencies of active receiving accounts, and whether payments in each may use demo rates. */
export async function findAccountCurrencies(
  { prisma }: Service,
  { merchant, mode }: CurrencyOptions,
): Promise<Map<CurrencyCode, boolean>> {
  const accounts = await prisma.receivingAccount.findMany({
    where: { merchantId: merchant.id, mode, status: 'active' },
    select: { method: true, demo: true },
    orderBy: { id: 'asc' },
  });
  const byCurrency = Map.groupBy(accounts, ({ method }) => paymentMethods[method as MethodCode].currency);
  return new Map([...byCurrency].map(([currency, group]) => [currency, canUseDemoRates(merchant, group)]));
}
