import type { Merchant, Mode, ReceivingAccount } from '../../../../prisma/client/client.ts';
import { convert } from '../../../kit/convert.ts';
import type { Db } from '../../../kit/db.ts';
import { Decimal } from '../../../kit/decimal.ts';
import { DomainError } from '../../../kit/errors.ts';
import { type Money, toDecimal } from '../../../kit/money.ts';
import { type MethodCode, paymentMethods } from '../../../method/catalogue.ts';
import { payableAmount } from '../../../method/payable-amount.ts';
import { acceptsAmount, getWidestLimits } from '../../accounts/receiving-account/account-limits.ts';
import { getActiveAccounts } from '../../accounts/receiving-account/get-active-accounts.ts';
import { rankReceivingAccounts } from '../../accounts/receiving-account/rank-receiving-accounts.ts';
import { getRate, type RateTerms } from '../../platform/forex/get-rate.ts';
import type { ChargeTerms, PreparedCharge } from './charge-terms.ts';

/**
 * Chooses accounts, rate and amount. Throws `method_unavailable`, `amount_out_of_range`, `rate_unavailable`
 * or `rate_stale`.
 */
export async function prepareCharge(
  db: Db,
  options: { merchant: Merchant; mode: Mode; terms: ChargeTerms; now: Date },
): Promise<PreparedCharge> {
  const { merchant, mode, terms, now } = options;
  const { method, merchantMoney } = terms;
  const activeAccounts = await getActiveAccounts(db, { merchantId: merchant.id, mode, method });
  const { currency } = paymentMethods[method];
  const rateOptions = {
    merchant: { ...merchant, demo: canUseDemoRates(merchant, activeAccounts) },
    mode,
    now,
  };
  const rate = await getRate(db, { ...rateOptions, from: merchantMoney.currency, to: currency });
  const methodLimits = { ...paymentMethods[method], ...getWidestLimits(activeAccounts) };
  const customerMoney = payableAmount(merchantMoney, rate.rate, methodLimits);
  const eligible = activeAccounts.filter((account) => acceptsAmount(account, customerMoney));
  const [account, ...others] = await rankReceivingAccounts(db, eligible);
  if (!account) throw amountOutOfRange(customerMoney);
  const windows = merchant.paymentWindows as Partial<Record<MethodCode, number>>;
  return {
    terms,
    accounts: [account, ...others],
    rate,
    customerMoney,
    usdMinor: await convertToUsd(db, terms.merchantMoney, rateOptions),
    windowMinutes: windows[method] ?? paymentMethods[method].windowMinutes,
  };
}

/** Demo rates apply only if no real money moves: a demo merchant may have added a real account. */
function canUseDemoRates(merchant: Merchant, accounts: readonly ReceivingAccount[]): boolean {
  return merchant.demo && accounts.every(({ demo }) => demo);
}

function amountOutOfRange(money: Money): DomainError {
  const amount = `${toDecimal(money)} ${money.currency}`;
  return new DomainError('amount_out_of_range', `No receiving account accepts ${amount} in one payment`);
}

/** Converts to US cents at the service's rate without markup; null if there is no rate. */
async function convertToUsd(
  db: Db,
  money: Money,
  { mode, merchant, now }: RateTerms,
): Promise<bigint | null> {
  const rateOptions = { merchant: { ...merchant, markup: new Decimal(0) }, mode, now };
  try {
    const { rate } = await getRate(db, { ...rateOptions, from: money.currency, to: 'USD' });
    return convert(money, rate, 'USD').minor;
  } catch (error) {
    if (error instanceof DomainError) return null;
    throw error;
  }
}
