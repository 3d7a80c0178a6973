import type { Charge, Transfer } from '../../../../../prisma/client/client.ts';
import type { Tx } from '../../../../kit/db.ts';
import { dayMs, minuteMs } from '../../../../kit/duration.ts';
import { createDateFormatter } from '../../../../kit/time-zone.ts';
import type { BankAccount } from '../../../accounts/receiving-account/bank-account.ts';
import type { ExceptionReason } from '../../../payments/allocation/transfer-state.ts';
import { findReplacedIds } from '../../../payments/charge/find-replacements.ts';
import {
  getOutstandingMoney,
  type PartlyPaidCharge,
  readPartlyPaidCharges,
} from '../../../payments/charge/outstanding-money.ts';
import { findUndoneCharges } from './undone-payments.ts';

/** The locked charge that a transfer pays, or the reason why it pays none, with the ended charge that it names. */
export type ChargeMatch = { charge: Charge } | { reason: ExceptionReason; namedCharge?: Charge };

/**
 * Finds and locks the charges that transfers without a payment reference pay, by their amount. A charge matches
 * only if its amount is unique, the charge was open when the transfer was paid, and no other charge of the bank
 * account for the same amount, or of which this amount is outstanding, was open then. A replaced charge does not match.
 * Otherwise returns why the transfer is not matched automatically, or nothing if no charge with a unique amount was
 * open, or if the transfer seems to name another charge. A transfer with only a date may match several charges; the
 * merchant then decides. `matchedCharges` are the charges that other transfers of the same batch pay. `similarCharges`
 * are the IDs of the charges whose reference may be mistyped in the transfer.
 */
export async function findChargesByAmount(
  tx: Tx,
  transfers: readonly Transfer[],
  {
    account,
    matchedCharges,
    similarCharges,
  }: {
    account: BankAccount;
    matchedCharges: readonly Charge[];
    similarCharges: ReadonlyMap<Transfer, ReadonlySet<string>>;
  },
): Promise<ReadonlyMap<Transfer, ChargeMatch>> {
  const { charges, partlyPaidCharges } = await lockChargesByAmount(tx, transfers, account);
  const undoneIds = await findUndoneCharges(tx, charges);
  const replacedIds = await findReplacedIds(tx, charges);
  const matchedIds = new Set(matchedCharges.map(({ id }) => id));
  const toDate = createDateFormatter(account.timeZone);
  const toWindow = <C extends PaymentPeriod>(charge: C): ChargeWindow<C> => ({
    charge,
    from: toDate(charge.createdAt),
    until: toDate(charge.expiresAt),
  });
  const windows = Map.groupBy(charges.map(toWindow), ({ charge }) => charge.customerAmount);
  const outstandingWindows = Map.groupBy(
    partlyPaidCharges.map(toWindow),
    ({ charge }) => getOutstandingMoney(charge).minor,
  );
  const match = (transfer: Transfer): ChargeMatch | undefined => {
    const candidates = (windows.get(transfer.amount) ?? [])
      .filter((window) => wasOpenAt(transfer, window))
      .map(({ charge }) => charge);
    if (!candidates.some(({ amountOffset }) => amountOffset !== null)) return undefined;
    const [charge, another] = candidates;
    const isOutstanding = outstandingWindows
      .get(transfer.amount)
      ?.some((window) => wasOpenAt(transfer, window));
    if (!charge || another || isOutstanding) return { reason: 'multiple_charges' };
    if (similarCharges.get(transfer)?.has(charge.id) === false) return undefined;
    // The exact amount completes the charge, so the next transfer finds it completed.
    const isPaid = charge.status === 'completed' && !undoneIds.has(charge.id);
    if (matchedIds.has(charge.id) || isPaid) return { reason: 'charge_completed' };
    if (charge.status === 'cancelled') return { reason: 'charge_cancelled', namedCharge: charge };
    if (replacedIds.has(charge.id)) return { reason: 'charge_expired', namedCharge: charge };
    matchedIds.add(charge.id);
    return { charge };
  };
  const matches = new Map<Transfer, ChargeMatch>();
  for (const transfer of transfers) {
    const amountMatch = match(transfer);
    if (amountMatch) matches.set(transfer, amountMatch);
  }
  return matches;
}

type ChargesByAmount = { charges: readonly Charge[]; partlyPaidCharges: readonly PartlyPaidCharge[] };

/**
 * Locks and returns the charges with a unique amount that may have been open when the transfers were paid.
 * Also returns other charges with the same amounts, and the partly paid charges, without locking them.
 */
async function lockChargesByAmount(
  tx: Tx,
  transfers: readonly Transfer[],
  account: BankAccount,
): Promise<ChargesByAmount> {
  if (transfers.length === 0) return { charges: [], partlyPaidCharges: [] };
  const amounts = [...new Set(transfers.map(({ amount }) => String(amount)))];
  const times = transfers.map(({ paidAt }) => paidAt.getTime());
  // The range is wide enough for a date in any time zone; the windows are compared later.
  const [since, until] = [new Date(Math.min(...times) - 2 * dayMs), new Date(Math.max(...times) + 2 * dayMs)];
  const uniqueCharges = await tx.$queryRaw<{ id: string; amount: bigint }[]>`
    SELECT id, customer_amount AS amount FROM charge
    WHERE receiving_account_id = ANY(${account.sharedIds}) AND customer_amount = ANY(${amounts}::bigint[])
      AND amount_offset IS NOT NULL AND expires_at >= ${since} AND created_at <= ${until}
    ORDER BY id FOR UPDATE`;
  if (uniqueCharges.length === 0) return { charges: [], partlyPaidCharges: [] };
  const sameAmountCharges = await tx.$queryRaw<{ id: string }[]>`
    SELECT id FROM charge
    WHERE receiving_account_id = ANY(${account.sharedIds}) AND customer_amount = ANY(${uniqueCharges.map(({ amount }) => String(amount))}::bigint[])
      AND amount_offset IS NULL AND status <> 'completed' AND created_at <= ${until} AND expires_at >= ${since}`;
  const ids = [...uniqueCharges, ...sameAmountCharges].map(({ id }) => id);
  const charges = await tx.charge.findMany({ where: { id: { in: ids } }, orderBy: { id: 'asc' } });
  return { charges, partlyPaidCharges: await readPartlyPaidCharges(tx, account, { since, until }) };
}

type PaymentPeriod = Pick<Charge, 'createdAt' | 'expiresAt'>;

/** The days on which the charge can be paid, in the time zone of its account. */
type ChargeWindow<C extends PaymentPeriod = PaymentPeriod> = { charge: C; from: string; until: string };

/**
 * Returns whether the charge was open when the transfer was paid. Banks truncate times to the minute, so the
 * minute in which the charge was created is included.
 */
function wasOpenAt({ paidAt, isPaidAtDateOnly }: Transfer, { charge, from, until }: ChargeWindow): boolean {
  if (!isPaidAtDateOnly)
    return paidAt.getTime() >= startOfMinute(charge.createdAt) && paidAt <= charge.expiresAt;
  const day = paidAt.toISOString().slice(0, 10);
  return from <= day && day <= until;
}

function startOfMinute(time: Date): number {
  return Math.floor(time.getTime() / minuteMs) * minuteMs;
}
