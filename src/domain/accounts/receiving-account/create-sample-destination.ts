import type { ReceivingAccount } from '../../../../prisma/client/client.ts';
import { getMinorPerMajor } from '../../../kit/currency.ts';
import { Decimal } from '../../../kit/decimal.ts';
import { type Money, parseMoney } from '../../../kit/money.ts';
import type { MethodCode } from '../../../method/catalog.ts';
import { paymentMethods } from '../../../method/catalog.ts';
import { createDestination, type Destination } from '../../../method/destination.ts';
import { toPayableAmount } from '../../../method/payable-amount.ts';
import { getLimits } from './account-limits.ts';
import { isActive } from './receiving-account-state.ts';

/** A text as long as a payment reference, but not a valid one, so money sent with it completes no charge. */
const sampleReference = 'SAMPLE1234';

/**
 * Returns sample payment instructions, which a merchant can scan with a banking app before going live. `amount` is in
 * major units. If it is null, the amount is one major unit, or the nearest amount within the limits of the account.
 * Returns null for a retired account. Errors: `invalid_request`, `amount_out_of_range`.
 */
export function createSampleDestination(
  account: ReceivingAccount,
  { amount }: { amount: string | null },
): Destination | null {
  if (!isActive(account)) return null;
  const method = account.method as MethodCode;
  return createDestination({
    method,
    details: account.details,
    holder: account.holder,
    bank: account.bank,
    amount: amount === null ? getSmallestAmount(account) : readAmount(account, amount),
    paymentReference: sampleReference,
    demo: account.demo,
  });
}

function readAmount(account: ReceivingAccount, amount: string): Money {
  const method = paymentMethods[account.method as MethodCode];
  const money = parseMoney(amount, account.currency, '/amount');
  return toPayableAmount(money, new Decimal(1), { ...method, ...getLimits(account) });
}

function getSmallestAmount(account: ReceivingAccount): Money {
  const { min, max } = getLimits(account);
  const wholeUnit = getMinorPerMajor(account.currency);
  if (min.minor >= wholeUnit) return min;
  return max.minor < wholeUnit ? max : { ...min, minor: wholeUnit };
}
