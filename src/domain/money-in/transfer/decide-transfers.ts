import type { Charge, Transfer } from '../../../../prisma/client/client.ts';
import type { UnitOfWork } from '../../../event/unit-of-work.ts';
import type { Tx } from '../../../kit/db.ts';
import { amountOpen, lockTransfers } from '../../payments/allocation/lock-transfer.ts';
import { type ExceptionReason, stillOpen } from '../../payments/allocation/transfer-state.ts';
import { transitionTransfer } from '../../payments/allocation/transition-transfer.ts';
import { findParts } from './batch-parts.ts';
import { isEnough } from './count-for-charges.ts';
import type { Recording, TransferInput } from './draft-transfer.ts';
import { type Finding, findPaidCharges } from './find-paid-charges.ts';
import { findTwins } from './find-twins.ts';
import { findTakenBack } from './waiting-reversals.ts';
import { settledStatus } from './where-it-went.ts';

/**
 * What new money is for: a locked charge, money that another source told of, or nothing yet and why; or the reversal, told
 * of before, by which it has gone again.
 */
export type Decision = {
  charge?: Charge;
  sameAsId?: string;
  reason?: ExceptionReason;
  takenBackBy?: Transfer;
};

/** A transfer that is not written yet, and the input that it was made of. */
type Draft = { transfer: Transfer; input: Pick<TransferInput, 'exception'> };

/**
 * Decides what each new transfer is applied to, before its row is written. A transfer that another source has reported
 * is a duplicate, even if its input has an `exception`. The transfers are of one source and share no
 * nonce.
 */
export async function decideTransfers<D extends Draft>(
  uow: UnitOfWork,
  recording: Recording,
  drafts: readonly D[],
): Promise<(D & Decision)[]> {
  const { tx } = uow;
  const { account } = recording;
  const decisions = new Map<Transfer, Decision>();
  const undecided = () => drafts.filter(({ transfer }) => !decisions.has(transfer));
  const toDecide = () => undecided().map(({ transfer }) => transfer);
  const parts = await findParts(tx, toDecide(), account);
  for (const [i, { transfer }] of drafts.entries()) {
    const sameAsId = parts[i];
    if (sameAsId) decisions.set(transfer, { sameAsId });
  }
  const twins = await findTwins(tx, toDecide(), account);
  const cameBack: string[] = [];
  for (const [i, draft] of undecided().entries()) {
    const { transfer } = draft;
    const { exception } = draft.input;
    const twin = twins[i];
    if (twin && 'sameAsId' in twin && exception === 'returned_payment') cameBack.push(twin.sameAsId);
    if (twin && 'sameAsId' in twin) decisions.set(transfer, twin);
    else if (exception) decisions.set(transfer, { reason: exception });
    else if (twin) decisions.set(transfer, twin);
  }
  const ownMoney = drafts
    .map(({ transfer }) => transfer)
    .filter((one) => decisions.get(one)?.sameAsId === undefined);
  for (const [transfer, takenBackBy] of await findTakenBack(tx, ownMoney, account))
    decisions.set(transfer, { takenBackBy, reason: 'reversed' });
  const findings = await findPaidCharges(tx, toDecide(), account);
  for (const [i, transfer] of toDecide().entries()) {
    decisions.set(transfer, await takeMoney(uow, recording, transfer, findings[i] as Finding));
  }
  await sayReturned(uow, cameBack, recording);
  return drafts.map((draft) => ({ ...draft, ...(decisions.get(draft.transfer) as Decision) }));
}

/** What one source told of as any money, another says is a payment that came back: if it waits still, it waits as that. */
async function sayReturned(uow: UnitOfWork, ids: string[], { actor, now }: Recording): Promise<void> {
  for (const transfer of await lockTransfers(uow.tx, ids)) {
    const { status, reason, allocated } = transfer;
    if (status !== 'exception' || reason === 'returned_payment' || allocated !== 0n) continue;
    await transitionTransfer(uow, transfer, {
      to: 'exception',
      reason: 'returned_payment',
      allocations: [],
      actor,
      now,
    });
  }
}

/**
 * An expired charge takes no part payments: it completes by this transfer, together with the parts it had let go of, or
 * not at all.
 */
async function takeMoney(
  uow: UnitOfWork,
  { merchant, actor, now }: Recording,
  transfer: Transfer,
  finding: Finding,
): Promise<Decision> {
  if ('reason' in finding) return finding;
  const { charge } = finding;
  const tolerance = merchant.underpaymentTolerance;
  if (charge.status === 'pending' || isEnough(charge, charge.amountReceived + transfer.amount, tolerance))
    return { charge };
  const parts = await lockOrphanedParts(uow.tx, charge);
  const received = charge.amountReceived + transfer.amount;
  const sum = parts.reduce((total, part) => total + part.amount, received);
  if (!isEnough(charge, sum, tolerance)) return { reason: 'charge_expired' };
  return { charge: await reuniteParts(uow, charge, { parts, actor, now }) };
}

/** How much of a transfer had counted for a charge that expired. */
type OrphanedPart = { transfer: Transfer; amount: bigint };

const letGo = { status: 'exception', reason: 'charge_expired' } as const;

/**
 * The part payments that a charge let go of when it expired, and that nobody has assigned or returned since; under
 * locks. What else a transfer holds was never this charge's.
 */
async function lockOrphanedParts(tx: Tx, charge: Charge): Promise<OrphanedPart[]> {
  const parts = await tx.transfer.findMany({
    where: { ...letGo, allocations: { some: { chargeId: charge.id, reason: letGo.reason } } },
    select: { id: true },
  });
  const locked = await lockTransfers(
    tx,
    parts.map(({ id }) => id),
  );
  const waiting = locked.filter(({ status, reason }) => status === letGo.status && reason === letGo.reason);
  const amounts = await readLetGo(tx, charge, waiting);
  return waiting.flatMap((transfer) => {
    const amount = amounts.get(transfer.id) ?? 0n;
    return amount > 0n && amount <= amountOpen(transfer) ? [{ transfer, amount }] : [];
  });
}

async function readLetGo(tx: Tx, charge: Charge, transfers: Transfer[]): Promise<Map<string, bigint>> {
  if (transfers.length === 0) return new Map();
  const rows = await tx.$queryRaw<{ id: string; amount: string }[]>`
    SELECT gone.transfer_id AS id, (-sum(gone.amount))::text AS amount FROM allocation gone
    WHERE gone.transfer_id = ANY(${transfers.map(({ id }) => id)}) AND gone.charge_id = ${charge.id}
      AND gone.reason = ${letGo.reason} AND NOT EXISTS (
        SELECT 1 FROM allocation since WHERE since.transfer_id = gone.transfer_id AND since.id > gone.id
          AND since.reason IN ('assigned', 'shortfall_accepted', 'returned'))
    GROUP BY gone.transfer_id`;
  return new Map(rows.map(({ id, amount }) => [id, BigInt(amount)]));
}

/**
 * Counts them for the charge again: a transfer that was learned of late has made them enough. All were paid in time, or
 * they would not have counted before. Answers the charge with what it has received.
 */
async function reuniteParts(
  uow: UnitOfWork,
  charge: Charge,
  options: { parts: OrphanedPart[]; actor: string; now: Date },
): Promise<Charge> {
  const { parts, actor, now } = options;
  for (const { transfer, amount } of parts) {
    const isAll = amount === amountOpen(transfer);
    await transitionTransfer(uow, transfer, {
      ...(isAll ? { to: await statusWithOthers(uow.tx, transfer) } : stillOpen(transfer)),
      allocations: [{ chargeId: charge.id, amount, reason: 'matched' }],
      actor,
      now,
    });
  }
  const sum = parts.reduce((total, { amount }) => total + amount, 0n);
  return uow.tx.charge.update({ where: { id: charge.id }, data: { amountReceived: { increment: sum } } });
}

/** This charge completes; the status is that of the other charges the transfer counts for, if there are any. */
async function statusWithOthers(tx: Tx, transfer: Transfer): Promise<'matched' | 'partial' | 'over'> {
  const status = await settledStatus(tx, transfer);
  return status === 'partial' || status === 'over' ? status : 'matched';
}
