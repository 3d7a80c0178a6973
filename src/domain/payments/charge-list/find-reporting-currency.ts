import type { Merchant } from '../../../../prisma/client/client.ts';
import type { CurrencyCode } from '../../../kit/currency.ts';
import type { MerchantScope } from '../../../kit/merchant-scope.ts';
import type { StaleReads } from '../../../kit/stale-reads.ts';
import { paymentMethods } from '../../../method/catalog.ts';

/**
 * Returns the currency in which a merchant's totals are shown unless the user chooses another. It is a
 * currency of the active live receiving accounts, if there are any; demo accounts apply only without others.
 * Of several, it is the one in which most charges were paid, in this mode or else in the other, then that of
 * the country's method. It does not depend on a period, so that totals of different periods can be compared.
 */
export async function findReportingCurrency(
  { stale }: StaleReads,
  { merchant, mode }: { merchant: Merchant; mode: MerchantScope['mode'] },
): Promise<CurrencyCode> {
  const { id: merchantId, country } = merchant;
  const [accounts, paidCurrencies] = await Promise.all([
    stale.receivingAccount.findMany({
      where: { merchantId, mode: 'live', status: 'active' },
      select: { currency: true, demo: true },
      orderBy: [{ demo: 'asc' }, { id: 'asc' }],
    }),
    readPaidCurrencies({ stale }, { merchantId, mode }),
  ]);
  const ownAccounts = accounts.filter(({ demo }) => !demo);
  const currencies = (ownAccounts.length > 0 ? ownAccounts : accounts).map(({ currency }) => currency);
  const countryMethod = Object.values(paymentMethods).find((method) => method.country === country);
  const preferred = countryMethod ? [...paidCurrencies, countryMethod.currency] : paidCurrencies;
  return (
    preferred.find((currency) => currencies.includes(currency)) ?? currencies[0] ?? preferred[0] ?? 'USD'
  );
}

/**
 * Returns the currencies in which charges were ever paid: first those of this mode, each mode by number of
 * charges.
 */
async function readPaidCurrencies(
  { stale }: Pick<StaleReads, 'stale'>,
  { merchantId, mode }: MerchantScope,
): Promise<CurrencyCode[]> {
  const rows = await stale.$queryRaw<{ currency: string }[]>`
    SELECT currency FROM (
      SELECT mode, customer_currency AS currency, count FROM charge_count
      WHERE merchant_id = ${merchantId} AND mode IN ('live', 'sandbox') AND grain = 'all' AND status = 'completed'
      UNION ALL
      SELECT mode, customer_currency,
        (to_status IS NOT DISTINCT FROM 'completed')::int - (from_status IS NOT DISTINCT FROM 'completed')::int
      FROM charge_count_delta WHERE merchant_id = ${merchantId}
    ) AS counts
    GROUP BY mode, currency HAVING sum(count) > 0
    ORDER BY mode = ${mode}::mode DESC, sum(count) DESC,
      -- If several currencies have equally many charges, the one of the newest price is first.
      currency IS NOT DISTINCT FROM (SELECT merchant_currency FROM charge
        WHERE merchant_id = ${merchantId} AND charge.mode = counts.mode ORDER BY id DESC LIMIT 1) DESC,
      currency`;
  return rows.map(({ currency }) => currency);
}
