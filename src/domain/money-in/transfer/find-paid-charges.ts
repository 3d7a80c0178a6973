import type { Charge, ReceivingAccount, Transfer } from '../../../../prisma/client/client.ts';
import type { Tx } from '../../../kit/db.ts';
import { dayMs, minuteMs } from '../../../kit/duration.ts';
import { datesIn } from '../../../kit/time-zone.ts';
import { noncesOf } from '../../payments/allocation/nonces-of.ts';
import { wasPaidInTime } from '../../payments/allocation/paid-in-time.ts';
import type { ExceptionReason } from '../../payments/allocation/transfer-state.ts';

export type Finding = { charge: Charge } | { reason: ExceptionReason };

/**
 * For each transfer the charge it pays for, found by the nonce in its reference (or without one by an amount that only
 * it asks) and locked, or the reason why there is none. A transfer counts by when it was paid: an expired charge is still
 * found when that was in time, a pending one is not when it was not. The transfers share no nonce.
 */
export async function findPaidCharges(
  tx: Tx,
  transfers: readonly Transfer[],
  account: ReceivingAccount,
): Promise<Finding[]> {
  const nonces = transfers.flatMap(noncesOf);
  const charges = await lockNewestOfEachNonce(tx, account.id, nonces);
  const strangers = nonces.filter((nonce) => !charges.has(nonce));
  const elsewhere = await findElsewhere(tx, account, strangers);
  const findings = transfers.map((transfer): Finding => {
    if (transfer.currency !== account.currency) return { reason: 'wrong_currency' };
    const own = noncesOf(transfer);
    if (own.length === 0) return { reason: 'no_nonce' };
    const named = own.flatMap((nonce) => charges.get(nonce) ?? []);
    if (named.length > 0) return pickCharge(transfer, named, account);
    return { reason: own.some((nonce) => elsewhere.has(nonce)) ? 'wrong_account' : 'unknown_nonce' };
  });
  return findByAmount(tx, { transfers, findings, account });
}

/** What carries no nonce may still be known by its amount. */
async function findByAmount(
  tx: Tx,
  options: { transfers: readonly Transfer[]; findings: readonly Finding[]; account: ReceivingAccount },
): Promise<Finding[]> {
  const { transfers, findings, account } = options;
  const bare = transfers.filter((_, i) => isNonceless(findings[i]));
  const found = findings.flatMap((finding) => ('charge' in finding ? finding.charge : []));
  const byAmount = await findChargesByAmount(tx, bare, { account, found });
  return findings.map((finding) => (isNonceless(finding) ? (byAmount.shift() ?? finding) : finding));
}

function isNonceless(finding: Finding | undefined): boolean {
  return finding !== undefined && 'reason' in finding && finding.reason === 'no_nonce';
}

function pickCharge(transfer: Transfer, named: Charge[], account: ReceivingAccount): Finding {
  const inTime = named.filter((charge) => wasPaidInTime(transfer, charge, account));
  for (const status of ['pending', 'expired'] as const) {
    const payable = inTime.filter((charge) => charge.status === status);
    if (payable.length > 1) return { reason: 'several_nonces' };
    if (payable[0]) return { charge: payable[0] };
  }
  return { reason: reasonForClosed(named[0]!) };
}

/** A nonce may have been used before, long ago: only its newest charge counts. Locked in the order of ids. */
async function lockNewestOfEachNonce(
  tx: Tx,
  receivingAccountId: string,
  nonces: readonly string[],
): Promise<Map<string, Charge>> {
  if (nonces.length === 0) return new Map();
  const rows = await tx.$queryRaw<{ id: string }[]>`
    SELECT id FROM charge WHERE receiving_account_id = ${receivingAccountId} AND nonce = ANY(${nonces})
    ORDER BY id FOR UPDATE`;
  const charges = await tx.charge.findMany({
    where: { id: { in: rows.map((row) => row.id) } },
    orderBy: { id: 'asc' },
  });
  return new Map(charges.map((charge) => [charge.nonce, charge]));
}

/** Which of the nonces belong to charges on other accounts of the merchant. */
async function findElsewhere(
  tx: Tx,
  { merchantId, mode }: ReceivingAccount,
  nonces: readonly string[],
): Promise<Set<string>> {
  if (nonces.length === 0) return new Set();
  const charges = await tx.charge.findMany({
    where: { receivingAccount: { merchantId, mode }, nonce: { in: [...nonces] } },
    select: { nonce: true },
  });
  return new Set(charges.map(({ nonce }) => nonce));
}

function reasonForClosed(charge: Charge): ExceptionReason {
  if (charge.status === 'completed') return 'charge_completed';
  return charge.status === 'cancelled' ? 'charge_cancelled' : 'charge_expired';
}

/** Undefined where the account asks no amounts that tell payments apart. */
type FindingByAmount = { charge: Charge } | { reason: ExceptionReason } | undefined;

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
