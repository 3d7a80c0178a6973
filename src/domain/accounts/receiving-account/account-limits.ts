import type { ReceivingAccount } from '../../../../prisma/client/client.ts';
import type { Money } from '../../../kit/money.ts';
import { type MethodCode, paymentMethods } from '../../../method/catalog.ts';

export type AmountLimits = { min: Money; max: Money };

type LimitedAccount = Pick<ReceivingAccount, 'currency' | 'minAmount' | 'maxAmount'> & { method: string };

/**
 * Returns the smallest and the largest amount of one payment to an account. An account without its own limit
 * has the limit of its payment method.
 */
export function getLimits({ method, currency, minAmount, maxAmount }: LimitedAccount): AmountLimits {
  const { min, max } = paymentMethods[method as MethodCode];
  return {
    min: minAmount === null ? min : { minor: minAmount, currency },
    max: maxAmount === null ? max : { minor: maxAmount, currency },
  };
}

/**
 * Returns the range from the smallest to the largest amount that any of the accounts accepts. Some amounts
 * within the range may be accepted by no account.
 */
export function getWidestLimits(accounts: readonly [LimitedAccount, ...LimitedAccount[]]): AmountLimits {
  return accounts.map(getLimits).reduce((a, b) => ({
    min: b.min.minor < a.min.minor ? b.min : a.min,
    max: b.max.minor > a.max.minor ? b.max : a.max,
  }));
}

export function acceptsAmount(account: LimitedAccount, { minor }: Money): boolean {
  const { min, max } = getLimits(account);
  return min.minor <= minor && minor <= max.minor;
}
