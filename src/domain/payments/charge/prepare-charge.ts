import type { Merchant, Mode, ReceivingAccount } from '../../../../prisma/client/client.ts';
import { convert } from '../../../kit/convert.ts';
import type { Db } from '../../../kit/db.ts';
import { Decimal } from '../../../kit/decimal.ts';
import { DomainError } from '../../../kit/errors.ts';
import { formatMoney, type Money } from '../../../kit/money.ts';
import { type MethodCode, paymentMethods } from '../../../method/catalog.ts';
import { toPayableAmount } from '../../../method/payable-amount.ts';
import { acceptsAmount, getWidestLimits } from '../../accounts/receiving-account/account-limits.ts';
import { canUseDemoRates } from '../../accounts/receiving-account/can-use-demo-rates.ts';
import { getActiveAccounts } from '../../accounts/receiving-account/get-active-accounts.ts';
import { rankReceivingAccounts } from '../../accounts/receiving-account/rank-receiving-accounts.ts';
import { getRate, type RateContext } from '../../platform/forex/get-rate.ts';
import type { ChargeTerms, PreparedCharge } from './charge-terms.ts';
import { hasAvailableAmount } from './choose-account-and-amount.ts';

/**
 * Chooses the possible accounts, the rate and the amount of a new charge. Throws `method_unavailable`,
 * `amount_out_of_range`, `rate_unavailable` or `rate_stale`.
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
  const customerMoney = toPayableAmount(merchantMoney, rate.rate, methodLimits);
  const eligibleAccounts = activeAccounts.filter((account) => acceptsAmount(account, customerMoney));
  if (eligibleAccounts.length === 0) throw amountOutOfRangeError(customerMoney);
  const availableAccounts = await filterByAvailableAmount(db, eligibleAccounts, { customerMoney, now });
  const [account, ...others] = await rankReceivingAccounts(db, availableAccounts);
  if (!account) throw noUniqueAmountError(method, customerMoney);
  const windows = merchant.paymentWindows as Partial<Record<MethodCode, number>>;
  return {
    terms,
    accounts: [account, ...others],
    rate,
    customerMoney,
    usdMinor: await convertToUsd(db, terms.merchantMoney, rateOptions),
    paymentWindowMinutes: windows[method] ?? paymentMethods[method].paymentWindowMinutes,
  };
}

/** Returns the accounts that have a unique amount left, or need none. */
async function filterByAvailableAmount(
  { prisma }: Db,
  accounts: readonly ReceivingAccount[],
  options: { customerMoney: Money; now: Date },
): Promise<ReceivingAccount[]> {
  const available: ReceivingAccount[] = [];
  for (const account of accounts)
    if (await hasAvailableAmount(prisma, account, options)) available.push(account);
  return available;
}

function noUniqueAmountError(method: MethodCode, money: Money): DomainError {
  const detail = `Open charges use all unique amounts for ${formatMoney(money)} on your ${method} accounts; add a receiving account or try again later`;
  return new DomainError('method_unavailable', detail);
}

function amountOutOfRangeError(money: Money): DomainError {
  const amount = formatMoney(money);
  return new DomainError('amount_out_of_range', `No receiving account accepts ${amount} in one payment`);
}

/** Converts an amount to US cents without the merchant's markup. Returns null if there is no valid rate. */
export async function convertToUsd(
  db: Db,
  money: Money,
  { mode, merchant, now }: RateContext,
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
