import type { Charge, ReceivingAccount, Transfer } from '../../../prisma/client/client.ts';
import type { Tx } from '../../kit/db.ts';
import { dayMs, minuteMs } from '../../kit/duration.ts';
import { datesIn } from '../../kit/time-zone.ts';
import type { ExceptionReason } from './transfer-state.ts';

/** Undefined where the account asks no amounts that tell payments apart. */
export type FindingByAmount = { charge: Charge } | { reason: ExceptionReason } | undefined;

/**
 * For transfers that carry no nonce, the charge that asked the very amount at the time it was paid, locked; or why it is
 * not to be counted by itself. A charge is found so only if its amount was made unique, and only if no other charge of
 * the account asked the same then: a date without a time may name several, and then the merchant decides. `found` are the
 * charges that other transfers of the same recording pay for.
 */
export async function findChargesByAmount(
  tx: Tx,
  transfers: readonly Transfer[],
  { account, found }: { account: ReceivingAccount; found: readonly Charge[] },
): Promise<FindingByAmount[]> {
  const asked = await lockThoseThatAsked(tx, transfers, account);
  const taken = new Set(found.map(({ id }) => id));
  const dateOf = datesIn(account.timeZone);
  const windows = Map.groupBy(
    asked.map((charge) => ({ charge, from: dateOf(charge.createdAt), until: dateOf(charge.expiresAt) })),
    ({ charge }) => charge.customerAmount,
  );
  return transfers.map((transfer) => {
    const candidates = (windows.get(transfer.amount) ?? [])
      .filter((window) => wasOpenAt(transfer, window))
      .map(({ charge }) => charge);
    if (!candidates.some(({ amountAdded }) => amountAdded !== null)) return undefined;
    const [charge, another] = candidates;
    if (!charge || another) return { reason: 'several_charges' };
    // The exact amount completes it, so the next one finds it paid.
    if (taken.has(charge.id) || charge.status === 'completed') return { reason: 'charge_completed' };
    if (charge.status === 'cancelled') return { reason: 'charge_cancelled' };
    taken.add(charge.id);
    return { charge };
  });
}

/** Of the charges whose amount was made unique, those that may have been open then; and whatever else asks the same. */
async function lockThoseThatAsked(
  tx: Tx,
  transfers: readonly Transfer[],
  account: ReceivingAccount,
): Promise<Charge[]> {
  if (transfers.length === 0) return [];
  const amounts = [...new Set(transfers.map(({ amount }) => String(amount)))];
  const times = transfers.map(({ paidAt }) => paidAt.getTime());
  // Wide enough for a date in any time zone; the windows themselves are compared later.
  const [since, until] = [new Date(Math.min(...times) - 2 * dayMs), new Date(Math.max(...times) + 2 * dayMs)];
  const unique = await tx.$queryRaw<{ id: string; amount: bigint }[]>`
    SELECT id, customer_amount AS amount FROM charge
    WHERE receiving_account_id = ${account.id} AND customer_amount = ANY(${amounts}::bigint[])
      AND amount_added IS NOT NULL AND expires_at >= ${since} AND created_at <= ${until}
    ORDER BY id FOR UPDATE`;
  if (unique.length === 0) return [];
  const alike = await tx.$queryRaw<{ id: string }[]>`
    SELECT id FROM charge
    WHERE receiving_account_id = ${account.id} AND customer_amount = ANY(${unique.map(({ amount }) => String(amount))}::bigint[])
      AND amount_added IS NULL AND status <> 'completed' AND created_at <= ${until} AND expires_at >= ${since}`;
  const ids = [...unique, ...alike].map(({ id }) => id);
  return tx.charge.findMany({ where: { id: { in: ids } }, orderBy: { id: 'asc' } });
}

/** A charge, and the days by its account's calendar from and until which it can be paid. */
type AskedWindow = { charge: Charge; from: string; until: string };

/** Banks cut times to the minute, so the minute in which the charge was made counts whole. */
function wasOpenAt({ paidAt, paidAtIsDate }: Transfer, { charge, from, until }: AskedWindow): boolean {
  if (!paidAtIsDate) return paidAt.getTime() >= minuteOf(charge.createdAt) && paidAt <= charge.expiresAt;
  const day = paidAt.toISOString().slice(0, 10);
  return from <= day && day <= until;
}

function minuteOf(time: Date): number {
  return Math.floor(time.getTime() / minuteMs) * minuteMs;
}
