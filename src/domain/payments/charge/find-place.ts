import type { ReceivingAccount } from '../../../../prisma/client/client.ts';
import { minorPerMajor } from '../../../kit/currency.ts';
import { hourMs, minuteMs } from '../../../kit/duration.ts';
import type { Money } from '../../../kit/money.ts';
import type { Sql } from '../../../kit/sql.ts';
import { takeTurn } from '../../../kit/take-turn.ts';
import { limitsOf } from '../../accounts/receiving-account/account-limits.ts';

/** Where a charge is to be paid, and how much, with what was added; null where the amount need not be unique. */
export type Place = { account: ReceivingAccount; customerMoney: Money; amountAdded: bigint | null };

/**
 * How long after its window the amount of a charge that was not paid is left alone: money that comes late must not
 * complete the charge of somebody else.
 */
const amountRestMs = hourMs;

/**
 * The first of the accounts that has an amount to give: where only the amount tells payments apart, the smallest that no
 * other charge asks. When none has one left, the first account with the plain amount, whose money then needs assigning
 * by hand: no sale is lost for it. Others that look on the same account wait until the caller's transaction ends.
 */
export async function findPlace(
  tx: Sql,
  { accounts, customerMoney }: { accounts: readonly ReceivingAccount[]; customerMoney: Money },
  now: Date,
): Promise<Place> {
  for (const account of accounts) {
    if (account.uniqueAmountsMax === null) return { account, customerMoney, amountAdded: null };
    const amountAdded = await findFree(tx, account, { customerMoney, now });
    if (amountAdded === null) continue;
    const minor = customerMoney.minor + amountAdded;
    return { account, customerMoney: { ...customerMoney, minor }, amountAdded };
  }
  return { account: accounts[0]!, customerMoney, amountAdded: null };
}

/** Whole units of the currency, as few as possible: nobody mistypes them, and no app or statement rounds them away. */
async function findFree(
  tx: Sql,
  account: ReceivingAccount,
  { customerMoney, now }: { customerMoney: Money; now: Date },
): Promise<bigint | null> {
  await takeTurn(tx, `unique amounts ${account.id}`);
  const unit = minorPerMajor(customerMoney.currency);
  const steps = Array.from({ length: (account.uniqueAmountsMax ?? 0) + 1 }, (_, i) => BigInt(i) * unit);
  const { max } = limitsOf(account);
  const amounts = steps.map((added) => customerMoney.minor + added).filter((minor) => minor <= max.minor);
  const isTaken = await readTaken(tx, account, { amounts, now });
  const free = amounts.find((minor) => !isTaken.has(minor));
  return free === undefined ? null : free - customerMoney.minor;
}

/** What open charges ask, and what those asked that have ended while somebody may still pay by their instructions. */
async function readTaken(
  tx: Sql,
  account: ReceivingAccount,
  options: { amounts: readonly bigint[]; now: Date },
): Promise<ReadonlySet<bigint>> {
  const { now } = options;
  const amounts = options.amounts.map(String);
  const restedSince = new Date(now.getTime() - amountRestMs);
  // Times that banks cut to the minute still fall into one window alone.
  const paidSince = new Date(now.getTime() - minuteMs);
  const values = [account.id, amounts, restedSince.toISOString(), paidSince.toISOString()];
  const rows = await tx.$queryRawUnsafe<{ minor: string }[]>(readTakenSql, ...values);
  return new Set(rows.map(({ minor }) => BigInt(minor)));
}

const readTakenSql = `
  SELECT customer_amount::text AS minor FROM charge
  WHERE receiving_account_id = $1 AND customer_amount = ANY($2::bigint[]) AND status = 'pending'
  UNION
  SELECT customer_amount::text AS minor FROM charge
  WHERE receiving_account_id = $1 AND customer_amount = ANY($2::bigint[])
    AND amount_added IS NOT NULL AND expires_at > $3::timestamptz
    AND (status <> 'completed' OR expires_at > $4::timestamptz)`;
