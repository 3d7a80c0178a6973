import type { ReceivingAccount } from '../../../../prisma/client/client.ts';
import { minorPerMajor } from '../../../kit/currency.ts';
import { Decimal } from '../../../kit/decimal.ts';
import { type Money, parseMoney } from '../../../kit/money.ts';
import type { MethodCode } from '../../../method/catalogue.ts';
import { paymentMethods } from '../../../method/catalogue.ts';
import { type Destination, makeDestination } from '../../../method/destination.ts';
import { payableAmount } from '../../../method/payable-amount.ts';
import { limitsOf } from './account-limits.ts';
import { isActive } from './receiving-account-state.ts';

/** Has the length of a nonce and is none: money that is sent with it completes no charge. */
const sampleNonce = 'SAMPLE123';

/**
 * What a customer would be shown for an amount in major units (left out: the smallest the account takes, from one whole
 * unit), to be scanned before going live. Null for a retired account. Errors: `invalid_request`, `amount_out_of_range`.
 */
export function sampleDestination(
  account: ReceivingAccount,
  { amount }: { amount: string | null },
): Destination | null {
  if (!isActive(account)) return null;
  const method = account.method as MethodCode;
  return makeDestination({
    method,
    details: account.details,
    holder: account.holder,
    bank: account.bank,
    amount: amount === null ? smallestAmount(account) : readAmount(account, amount),
    nonce: sampleNonce,
    demo: account.demo,
  });
}

function readAmount(account: ReceivingAccount, amount: string): Money {
  const method = paymentMethods[account.method as MethodCode];
  const money = parseMoney(amount, account.currency, '/amount');
  return payableAmount(money, new Decimal(1), { ...method, ...limitsOf(account) });
}

function smallestAmount(account: ReceivingAccount): Money {
  const { min, max } = limitsOf(account);
  const whole = minorPerMajor(account.currency);
  if (min.minor >= whole) return min;
  return max.minor < whole ? max : { ...min, minor: whole };
}
