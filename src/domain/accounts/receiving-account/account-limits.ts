import type { ReceivingAccount } from '../../../../prisma/client/client.ts';
import type { Money } from '../../../kit/money.ts';
import { type MethodCode, paymentMethods } from '../../../method/catalogue.ts';

export type Limits = { min: Money; max: Money };

type Limited = Pick<ReceivingAccount, 'currency' | 'minAmount' | 'maxAmount'> & { method: string };

/** The smallest and largest amount of one payment to an account: its own, else those of its method. */
export function limitsOf({ method, currency, minAmount, maxAmount }: Limited): Limits {
  const { min, max } = paymentMethods[method as MethodCode];
  return {
    min: minAmount === null ? min : { minor: minAmount, currency },
    max: maxAmount === null ? max : { minor: maxAmount, currency },
  };
}

/** From the smallest amount that one of the accounts takes to the largest that one takes; there may be gaps between. */
export function widestLimits(accounts: readonly [Limited, ...Limited[]]): Limits {
  return accounts.map(limitsOf).reduce((a, b) => ({
    min: b.min.minor < a.min.minor ? b.min : a.min,
    max: b.max.minor > a.max.minor ? b.max : a.max,
  }));
}

export function takesAmount(account: Limited, { minor }: Money): boolean {
  const { min, max } = limitsOf(account);
  return min.minor <= minor && minor <= max.minor;
}
