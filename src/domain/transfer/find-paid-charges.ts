import type { Charge, ReceivingAccount, Transfer } from '../../../prisma/client/client.ts';
import type { Tx } from '../../kit/db.ts';
import { findChargesByAmount } from './find-charges-by-amount.ts';
import { noncesOf } from './nonces-of.ts';
import { wasPaidInTime } from './paid-in-time.ts';
import type { ExceptionReason } from './transfer-state.ts';

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
