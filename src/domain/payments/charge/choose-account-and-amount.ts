import type { ReceivingAccount } from '../../../../prisma/client/client.ts';
import { minorPerMajor } from '../../../kit/currency.ts';
import { hourMs, minuteMs } from '../../../kit/duration.ts';
import { lockByName } from '../../../kit/lock-by-name.ts';
import type { Money } from '../../../kit/money.ts';
import type { Sql } from '../../../kit/sql.ts';
import { getLimits } from '../../accounts/receiving-account/account-limits.ts';

/** Where a charge is to be paid, and how much, with what was added; null where the amount need not be unique. */
export type PaymentTarget = { account: ReceivingAccount; customerMoney: Money; amountAdded: bigint | null };

/**
 * How long after its window the amount of a charge that was not paid is left alone: money that comes late must not
 * complete the charge of somebody else.
 */
const amountCooldownMs = hourMs;

/**
 * The first of the accounts that has an amount to give: where only the amount tells payments apart, the smallest that no
 * other charge asks. When none has one left, the first account with the plain amount, whose money then needs assigning
 * by hand: no sale is lost for it. Others that look on the same account wait until the caller's transaction ends.
 */
export async function chooseAccountAndAmount(
  tx: Sql,
  { accounts, customerMoney }: { accounts: readonly ReceivingAccount[]; customerMoney: Money },
  now: Date,
): Promise<PaymentTarget> {
  for (const account of accounts) {
    if (account.uniqueAmountsMax === null) return { account, customerMoney, amountAdded: null };
    const amountAdded = await findFreeOffset(tx, account, { customerMoney, now });
    if (amountAdded === null) continue;
    const minor = customerMoney.minor + amountAdded;
    return { account, customerMoney: { ...customerMoney, minor }, amountAdded };
  }
  return { account: accounts[0]!, customerMoney, amountAdded: null };
}

/** Whole units of the currency, as few as possible: nobody mistypes them, and no app or statement rounds them away. */
async function findFreeOffset(
  tx: Sql,
  account: ReceivingAccount,
  { customerMoney, now }: { customerMoney: Money; now: Date },
): Promise<bigint | null> {
  await lockByName(tx, `unique amounts ${account.id}`);
  const unit = minorPerMajor(customerMoney.currency);
  const offsets = Array.from({ length: (account.uniqueAmountsMax ?? 0) + 1 }, (_, i) => BigInt(i) * unit);
  const { max } = getLimits(account);
  const amounts = offsets.map((offset) => customerMoney.minor + offset).filter((minor) => minor <= max.minor);
  const takenAmounts = await readTakenAmounts(tx, account, { amounts, now });
  const freeAmount = amounts.find((minor) => !takenAmounts.has(minor));
  return freeAmount === undefined ? null : freeAmount - customerMoney.minor;
}

/** What open charges ask, and what those asked that have ended while somebody may still pay by their instructions. */
async function readTakenAmounts(
  tx: Sql,
  account: ReceivingAccount,
  options: { amounts: readonly bigint[]; now: Date },
): Promise<ReadonlySet<bigint>> {
  const { now } = options;
  const amounts = options.amounts.map(String);
  const cooldownSince = new Date(now.getTime() - amountCooldownMs);
  // Times that banks cut to the minute still fall into one window alone.
  const paidSince = new Date(now.getTime() - minuteMs);
  const values = [account.id, amounts, cooldownSince.toISOString(), paidSince.toISOString()];
  const rows = await tx.$queryRawUnsafe<{ minor: string }[]>(takenAmountsSql, ...values);
  return new Set(rows.map(({ minor }) => BigInt(minor)));
}

const takenAmountsSql = `
  SELECT customer_amount::text AS minor FROM charge
  WHERE receiving_account_id = $1 AND customer_amount = ANY($2::bigint[]) AND status = 'pending'
  UNION
  SELECT customer_amount::text AS minor FROM charge
  WHERE receiving_account_id = $1 AND customer_amount = ANY($2::bigint[])
    AND amount_added IS NOT NULL AND expires_at > $3::timestamptz
    AND (status <> 'completed' OR expires_at > $4::timestamptz)`;
