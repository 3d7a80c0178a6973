import { Prisma, type ReceivingAccount } from '../../../../prisma/client/client.ts';
import { getMinorPerMajor } from '../../../kit/currency.ts';
import { hourMs, minuteMs } from '../../../kit/duration.ts';
import { lockByName } from '../../../kit/lock-by-name.ts';
import type { Money } from '../../../kit/money.ts';
import type { Sql } from '../../../kit/sql.ts';
import { type MethodCode, paymentMethods } from '../../../method/catalog.ts';
import { getLimits } from '../../accounts/receiving-account/account-limits.ts';
import { sharedIdsSql } from '../../accounts/receiving-account/bank-account.ts';
import { getOutstandingMoney, readPartlyPaidCharges } from './outstanding-money.ts';

/** The chosen account and the amount to pay. `amountOffset` is null if the amount need not be unique. */
export type PaymentTarget = { account: ReceivingAccount; customerMoney: Money; amountOffset: bigint | null };

/**
 * How long the amount of an unpaid charge stays reserved after its window, so that a late payment does not
 * complete another customer's charge.
 */
const amountCooldownMs = hourMs;

/**
 * Chooses the first account with a free amount. On an account that identifies payments by amount, adds the
 * smallest offset to the amount that is free in the bank account, to which other receiving accounts may belong.
 * Returns null if no account has a free amount. Locks the unique amounts of each account that it tries until the
 * caller's transaction ends.
 */
export async function chooseAccountAndAmount(
  tx: Sql,
  { accounts, customerMoney }: { accounts: readonly ReceivingAccount[]; customerMoney: Money },
  now: Date,
): Promise<PaymentTarget | null> {
  for (const account of accounts) {
    if (account.maxAmountOffset === null) return { account, customerMoney, amountOffset: null };
    await lockUniqueAmounts(tx, account);
    const amountOffset = await findAvailableOffset(tx, account, { customerMoney, now });
    if (amountOffset === null) continue;
    const minor = customerMoney.minor + amountOffset;
    return { account, customerMoney: { ...customerMoney, minor }, amountOffset };
  }
  return null;
}

/** Locks the unique amounts of a bank account until the caller's transaction ends. */
export function lockUniqueAmounts(
  tx: Sql,
  { id, sharedBankAccountId }: Pick<ReceivingAccount, 'id' | 'sharedBankAccountId'>,
): Promise<void> {
  return lockByName(tx, `unique amounts ${sharedBankAccountId ?? id}`);
}

/** Returns whether a charge of the amount could be created on the account now. */
export async function hasAvailableAmount(
  tx: Sql,
  account: ReceivingAccount,
  options: { customerMoney: Money; now: Date },
): Promise<boolean> {
  return account.maxAmountOffset === null || (await findAvailableOffset(tx, account, options)) !== null;
}

/**
 * Finds the smallest free offset. The amount itself is free only if no other charge with a unique amount is open in
 * the bank account, because customers may overlook the addition. Returns null if no offset is free.
 */
async function findAvailableOffset(
  tx: Sql,
  account: ReceivingAccount,
  { customerMoney, now }: { customerMoney: Money; now: Date },
): Promise<bigint | null> {
  const { max } = getLimits(account);
  const first = (await hasOpenCharge(tx, account, now)) ? 1 : 0;
  const amounts = listOffsets(account, customerMoney)
    .slice(first)
    .map((offset) => customerMoney.minor + offset)
    .filter((minor) => minor <= max.minor);
  const reservedAmounts = await readReservedAmounts(tx, account, { amounts, now });
  const availableAmount = amounts.find((minor) => !reservedAmounts.has(minor));
  return availableAmount === undefined ? null : availableAmount - customerMoney.minor;
}

/** Customers accept an addition of at most one percent. */
export const offsetDivisor = 100n;
/** If the method has minor units, and fewer whole units than this may be added, offsets are minor units. */
const wholeUnitsMin = 10n;
const offsetsMax = 999n;

/**
 * Returns the offsets from zero, smallest first. They are whole currency units for most amounts, because customers
 * mistype minor units, and apps and statements round them.
 */
function listOffsets({ method, maxAmountOffset }: ReceivingAccount, { minor, currency }: Money): bigint[] {
  const unit = getMinorPerMajor(currency);
  const share = minor / offsetDivisor;
  const max = share < BigInt(maxAmountOffset ?? 0) * unit ? share : BigInt(maxAmountOffset ?? 0) * unit;
  const hasMinorUnits = paymentMethods[method as MethodCode].payableUnit === 'minor';
  const step = hasMinorUnits && share < wholeUnitsMin * unit ? 1n : unit;
  const steps = max / step < offsetsMax ? max / step : offsetsMax;
  return Array.from({ length: Number(steps) + 1 }, (_, i) => BigInt(i) * step);
}

async function hasOpenCharge(tx: Sql, account: ReceivingAccount, now: Date): Promise<boolean> {
  const rows = await tx.$queryRawUnsafe<object[]>(openChargeSql, account.id, now.toISOString());
  return rows.length > 0;
}

const ofBankAccountSql = `receiving_account_id = ANY (ARRAY(${sharedIdsSql(Prisma.raw('$1')).sql}))`;

const openChargeSql = `
  SELECT 1 FROM charge
  WHERE ${ofBankAccountSql} AND amount_offset IS NOT NULL AND status = 'pending' AND expires_at > $2::timestamptz
  LIMIT 1`;

/**
 * Returns those of `amounts` that a pending charge requests, or at which a late payment could still match an
 * ended charge, and the outstanding amounts of partly paid charges.
 */
async function readReservedAmounts(
  tx: Sql,
  account: ReceivingAccount,
  options: { amounts: readonly bigint[]; now: Date },
): Promise<ReadonlySet<bigint>> {
  const { now } = options;
  const amounts = options.amounts.map(String);
  const cooldownSince = new Date(now.getTime() - amountCooldownMs);
  // Some banks truncate times to the minute. The margin ensures that such a time is not in the payment windows
  // of two charges.
  const paidSince = new Date(now.getTime() - minuteMs);
  const values = [account.id, amounts, cooldownSince.toISOString(), paidSince.toISOString()];
  const rows = await tx.$queryRawUnsafe<{ minor: string }[]>(reservedAmountsSql, ...values);
  const partlyPaidCharges = await readPartlyPaidCharges(tx, account, { since: cooldownSince, until: now });
  return new Set([
    ...rows.map(({ minor }) => BigInt(minor)),
    ...partlyPaidCharges.map((charge) => getOutstandingMoney(charge).minor),
  ]);
}

const reservedAmountsSql = `
  SELECT customer_amount::text AS minor FROM charge
  WHERE ${ofBankAccountSql} AND customer_amount = ANY($2::bigint[]) AND status = 'pending'
  UNION
  SELECT customer_amount::text AS minor FROM charge
  WHERE ${ofBankAccountSql} AND customer_amount = ANY($2::bigint[])
    AND amount_offset IS NOT NULL AND expires_at > $3::timestamptz
    AND (status <> 'completed' OR expires_at > $4::timestamptz)`;
