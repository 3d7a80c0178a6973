import type { Charge, Transfer } from '../../../../../prisma/client/client.ts';
import type { UnitOfWork } from '../../../../event/unit-of-work.ts';
import type { Tx } from '../../../../kit/db.ts';
import { getUnallocatedAmount, lockTransfers } from '../../../payments/allocation/lock-transfer.ts';
import { type ExceptionReason, keepAsException } from '../../../payments/allocation/transfer-state.ts';
import { transitionTransfer } from '../../../payments/allocation/transition-transfer.ts';
import { findDuplicates } from '../duplicates/find-duplicates.ts';
import { findReportedAgain } from '../duplicates/find-reported-again.ts';
import { isSufficient } from '../matching/apply-to-charges.ts';
import type { ChargeMatch } from '../matching/find-charges-by-amount.ts';
import { findPaidCharges } from '../matching/find-paid-charges.ts';
import { getSettledStatus } from '../net-allocations.ts';
import { findReversedCredits } from '../reversals/unmatched-reversals.ts';
import { findFirstParts } from './batch-parts.ts';
import type { LockedContext, TransferInput } from './draft-transfer.ts';

/**
 * The outcome of a new transfer: a locked charge, the transfer it duplicates, or a reason why it is unmatched.
 * `reversedBy` is a reversal that was recorded before this credit.
 */
export type Decision = {
  charge?: Charge;
  duplicateOfId?: string;
  /** For a batch booking, the fee that was deducted from its parts. */
  feeOfBatch?: bigint;
  reason?: ExceptionReason;
  /** The ended charge whose payment reference the unmatched transfer carries, or whose unique amount it has. */
  namedCharge?: Charge;
  reversedBy?: Transfer;
};

type Draft = { transfer: Transfer; input: Pick<TransferInput, 'exception'> };

/**
 * Decides what each new transfer is applied to, before its row is written. A transfer that another source has
 * reported is a duplicate, even if its input has an `exception`. The transfers must be of one source and share
 * no payment reference.
 */
export async function decideTransfers<D extends Draft>(
  uow: UnitOfWork,
  context: LockedContext,
  drafts: readonly D[],
): Promise<(D & Decision)[]> {
  const decisions = new Map<Transfer, Decision>();
  for (const decide of deciders) {
    const undecided = drafts.filter(({ transfer }) => !decisions.has(transfer));
    if (undecided.length === 0) break;
    for (const [transfer, decision] of await decide(uow, context, undecided))
      decisions.set(transfer, decision);
  }
  const decided = drafts.map((draft) => ({ ...draft, ...(decisions.get(draft.transfer) as Decision) }));
  await markReturned(uow, decided, context);
  return decided;
}

type Decider = (
  uow: UnitOfWork,
  context: LockedContext,
  undecided: readonly Draft[],
) => Promise<ReadonlyMap<Transfer, Decision>>;

/** Each decider gets the transfers that those before it left undecided. The last one decides all of these. */
const deciders: readonly Decider[] = [decideByParts, decideByOtherReports, decideByCharge];

/** A batch booking whose parts are recorded is their duplicate. */
async function decideByParts({ tx }: UnitOfWork, { account }: LockedContext, drafts: readonly Draft[]) {
  const bookings = drafts.map(({ transfer, input }) => ({ transfer, isBatch: input.exception === 'batch' }));
  const parts = await findFirstParts(tx, bookings, account);
  return new Map(
    [...parts].map(([transfer, { id, fee }]) => [transfer, { duplicateOfId: id, feeOfBatch: fee }]),
  );
}

/**
 * Decides by the reports of other sources: whether the transfer duplicates one of them, or is already
 * reversed. Otherwise decides by the exception of the input, and then by whether the transfer may be a
 * duplicate.
 */
async function decideByOtherReports(
  { tx }: UnitOfWork,
  { account }: LockedContext,
  drafts: readonly Draft[],
): Promise<ReadonlyMap<Transfer, Decision>> {
  const transfers = drafts.map(({ transfer }) => transfer);
  const duplicates = await findDuplicates(tx, transfers, account);
  const isDuplicate = (transfer: Transfer) => 'duplicateOfId' in (duplicates.get(transfer) ?? {});
  const newCredits = transfers.filter((transfer) => !isDuplicate(transfer));
  const reversals = await findReversedCredits(tx, newCredits, account);
  return new Map(
    drafts.flatMap(({ transfer, input: { exception } }): [Transfer, Decision][] => {
      const duplicate = duplicates.get(transfer);
      const reversedBy = reversals.get(transfer);
      if (duplicate && isDuplicate(transfer)) return [[transfer, duplicate]];
      if (reversedBy) return [[transfer, { reversedBy, reason: 'reversed' }]];
      if (exception) return [[transfer, { reason: exception }]];
      return duplicate ? [[transfer, duplicate]] : [];
    }),
  );
}

/** Decides by the charge that the transfer pays, unless an earlier file may have reported the transfer. */
async function decideByCharge(
  uow: UnitOfWork,
  context: LockedContext,
  drafts: readonly Draft[],
): Promise<ReadonlyMap<Transfer, Decision>> {
  const { tx } = uow;
  const { account } = context;
  const transfers = drafts.map(({ transfer }) => transfer);
  const reportedAgain = await findReportedAgain(tx, transfers, context);
  const isCertain = (transfer: Transfer) =>
    reportedAgain.get(transfer) === true && !account.reusesBankReferences;
  const matches = await findPaidCharges(
    tx,
    transfers.filter((transfer) => !isCertain(transfer)),
    account,
  );
  const decisions = new Map<Transfer, Decision>();
  for (const [transfer, match] of matches)
    decisions.set(transfer, await chooseCharge(uow, context, transfer, match));
  for (const transfer of reportedAgain.keys()) {
    const reason = decisions.get(transfer)?.reason;
    // A bank that reuses its references does not change its lines, and most of its lines are equal.
    const isRepeat = account.reusesBankReferences ? reason === 'charge_completed' : reason !== undefined;
    if (isRepeat || isCertain(transfer)) decisions.set(transfer, { reason: 'possible_duplicate' });
  }
  return decisions;
}

/** Changes the reason of unmatched credits that another source reports as returned payments. */
async function markReturned(
  uow: UnitOfWork,
  decided: readonly (Draft & Decision)[],
  { actor, now }: LockedContext,
): Promise<void> {
  const ids = decided.flatMap(({ input, duplicateOfId, feeOfBatch }) =>
    input.exception === 'returned_payment' && feeOfBatch === undefined ? (duplicateOfId ?? []) : [],
  );
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
 * Returns the charge that the transfer pays, or the reason why it pays none. An expired charge takes no part
 * payments: it is completed by this transfer together with its released part payments, or not at all.
 */
async function chooseCharge(
  uow: UnitOfWork,
  { merchant, account, actor, now }: LockedContext,
  transfer: Transfer,
  match: ChargeMatch,
): Promise<Decision> {
  if ('reason' in match) return match;
  const { charge } = match;
  const rules = { tolerance: merchant.underpaymentTolerance, feeRule: account };
  if (charge.status !== 'expired' || isSufficient(charge, charge.amountReceived + transfer.amount, rules))
    return { charge };
  const partials = await lockReleasedParts(uow.tx, charge);
  const received = charge.amountReceived + transfer.amount;
  const sum = partials.reduce((total, part) => total + part.amount, received);
  if (!isSufficient(charge, sum, rules)) return { reason: 'charge_expired', namedCharge: charge };
  return { charge: await reapplyParts(uow, charge, { partials, actor, now }) };
}

/** The part of a transfer that was allocated to a charge until the charge expired. */
type LockedPart = { transfer: Transfer; amount: bigint };

const releasedState = { status: 'exception', reason: 'charge_expired' } as const;

/**
 * Locks and returns the part payments that a charge released when it expired, unless the merchant
 * has assigned or returned them since. `amount` excludes money of the transfer that was never allocated to
 * this charge.
 */
async function lockReleasedParts(tx: Tx, charge: Charge): Promise<LockedPart[]> {
  // Starts with the allocations of the charge, which are few, and not with the exceptions of all merchants.
  const released = await tx.allocation.findMany({
    where: { chargeId: charge.id, reason: releasedState.reason },
    select: { transferId: true },
  });
  const ids = released.map(({ transferId }) => transferId);
  const lockedTransfers = await lockTransfers(tx, ids);
  const unmatched = lockedTransfers.filter(
    ({ status, reason }) => status === releasedState.status && reason === releasedState.reason,
  );
  const amounts = await readReleasedAmounts(tx, charge, unmatched);
  return unmatched.flatMap((transfer) => {
    const amount = amounts.get(transfer.id) ?? 0n;
    return amount > 0n && amount <= getUnallocatedAmount(transfer) ? [{ transfer, amount }] : [];
  });
}

async function readReleasedAmounts(
  tx: Tx,
  charge: Charge,
  transfers: Transfer[],
): Promise<Map<string, bigint>> {
  if (transfers.length === 0) return new Map();
  const rows = await tx.$queryRaw<{ id: string; amount: string }[]>`
    SELECT released.transfer_id AS id, (-sum(released.amount))::text AS amount FROM allocation released
    WHERE released.transfer_id = ANY(${transfers.map(({ id }) => id)}) AND released.charge_id = ${charge.id}
      AND released.reason = ${releasedState.reason} AND NOT EXISTS (
        SELECT 1 FROM allocation later WHERE later.transfer_id = released.transfer_id AND later.id > released.id
          AND later.reason IN ('assigned', 'shortfall_accepted', 'returned'))
    GROUP BY released.transfer_id`;
  return new Map(rows.map(({ id, amount }) => [id, BigInt(amount)]));
}

/**
 * Allocates the released part payments to the charge again, because a transfer that was reported late
 * completes the amount. They were paid in time, because otherwise they would not have been allocated before.
 * Returns the charge with its new received amount.
 */
async function reapplyParts(
  uow: UnitOfWork,
  charge: Charge,
  options: { partials: LockedPart[]; actor: string; now: Date },
): Promise<Charge> {
  const { partials, actor, now } = options;
  for (const { transfer, amount } of partials) {
    const isSettled = amount === getUnallocatedAmount(transfer);
    await transitionTransfer(uow, transfer, {
      ...(isSettled ? { to: await getStatusWithOthers(uow.tx, transfer) } : keepAsException(transfer)),
      allocations: [{ chargeId: charge.id, amount, reason: 'matched' }],
      actor,
      now,
    });
  }
  const sum = partials.reduce((total, { amount }) => total + amount, 0n);
  return uow.tx.charge.update({ where: { id: charge.id }, data: { amountReceived: { increment: sum } } });
}

/**
 * Returns the status of a transfer that is fully allocated again. Only its other charges determine the
 * status, because this charge is about to be completed.
 */
async function getStatusWithOthers(tx: Tx, transfer: Transfer): Promise<'matched' | 'partial' | 'over'> {
  const status = await getSettledStatus(tx, transfer);
  return status === 'partial' || status === 'over' ? status : 'matched';
}
