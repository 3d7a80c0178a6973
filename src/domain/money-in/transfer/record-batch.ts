import type { Transfer, TransferStatus } from '../../../../prisma/client/client.ts';
import type { UnitOfWork } from '../../../event/unit-of-work.ts';
import type { Tx } from '../../../kit/db.ts';
import { insertRows } from '../../../kit/insert-rows.ts';
import { holdReceivingAccount } from '../../accounts/receiving-account/lock-receiving-account.ts';
import { type AllocationInput, insertAllocations } from '../../payments/allocation/insert-allocations.ts';
import type { ExceptionReason } from '../../payments/allocation/transfer-state.ts';
import { recordTransferExceptions } from '../../payments/allocation/transition-transfer.ts';
import type { Service } from '../../platform/service.ts';
import { settleWholes } from './batch-parts.ts';
import { countForCharges } from './count-for-charges.ts';
import { type Decision, decideTransfers } from './decide-transfers.ts';
import { draftTransfer, type Recording, type TransferInput } from './draft-transfer.ts';
import { findKnown } from './find-known.ts';
import { inTransactions } from './in-transactions.ts';
import { settleReversals, takeBackNamed } from './waiting-reversals.ts';
import { wavesOf } from './waves-of.ts';

export type TransferResult = {
  status: TransferStatus;
  transferId: string;
  chargeId?: string;
  reason?: ExceptionReason;
};

/**
 * Records money that came to one account, as one source tells it: each transfer with all that follows from it (the
 * charge it completes, the part payment it makes, the exception it is) in one transaction. Nothing can be refused; the
 * same transfer again answers `duplicate` and counts nothing. Answers in order; the outcome is that of one after the
 * other.
 */
export async function recordBatch(
  service: Service,
  recording: Recording,
  inputs: readonly TransferInput[],
): Promise<TransferResult[]> {
  return inTransactions(service, inputs, (uow, some) => recordBatchTogether(uow, recording, some));
}

/** The same, in the caller's transaction. */
export async function recordBatchTogether(
  uow: UnitOfWork<Service>,
  recording: Recording,
  inputs: readonly TransferInput[],
): Promise<TransferResult[]> {
  await holdReceivingAccount(uow.tx, recording.account);
  const results: TransferResult[] = [];
  for (const wave of wavesOf(inputs)) results.push(...(await recordWave(uow, recording, wave)));
  return results;
}

async function recordWave(
  uow: UnitOfWork<Service>,
  recording: Recording,
  inputs: readonly TransferInput[],
): Promise<TransferResult[]> {
  const told = await findKnown(uow.tx, recording.account, inputs);
  const fresh = told.flatMap((one) => ('input' in one ? one.input : []));
  const recorded = await recordNew(uow, recording, fresh);
  const repeats = await answerRepeats(
    uow.tx,
    told.flatMap((one) => ('known' in one ? one.known : [])),
  );
  return told.map((one) => ('known' in one ? repeats.shift() : recorded.shift()) as TransferResult);
}

async function answerRepeats(tx: Tx, known: readonly Transfer[]): Promise<TransferResult[]> {
  if (known.length === 0) return [];
  const sums = await tx.allocation.groupBy({
    by: ['transferId', 'chargeId'],
    where: { transferId: { in: known.map(({ id }) => id) }, chargeId: { not: null } },
    _sum: { amount: true },
  });
  return known.map(({ id }) => {
    const counted = sums.find(({ transferId, _sum }) => transferId === id && (_sum.amount ?? 0n) > 0n);
    return {
      status: 'duplicate',
      transferId: id,
      ...(counted?.chargeId && { chargeId: counted.chargeId }),
    };
  });
}

async function recordNew(
  uow: UnitOfWork<Service>,
  recording: Recording,
  inputs: readonly TransferInput[],
): Promise<TransferResult[]> {
  if (inputs.length === 0) return [];
  const drafts = inputs.map((input) => draftTransfer({ ...recording, input }));
  const decisions = await decideTransfers(
    uow,
    recording,
    inputs.map(({ exception }, i) => ({ transfer: drafts[i] as Transfer, exception })),
  );
  const counts = decisions.flatMap(({ charge }, i) =>
    charge ? { charge, amount: (drafts[i] as Transfer).amount } : [],
  );
  const { underpaymentTolerance: tolerance } = recording.merchant;
  const { now, actor } = recording;
  const counted = await countForCharges(uow, counts, { tolerance, now, actor });
  const settled = decisions.map((decision, i) =>
    settle(drafts[i] as Transfer, decision, decision.charge && counted.shift()),
  );
  await insertRows(uow.tx, 'transfer', settled);
  await insertAllocations(
    uow.tx,
    settled.flatMap((transfer, i) => allocationOf(transfer, decisions[i] as Decision)),
    recording,
  );
  await settleWholes(uow, settled, recording);
  const exceptions = settled.filter(({ status }) => status === 'exception');
  await recordTransferExceptions(uow, exceptions, recording);
  const taken = decisions.flatMap(({ takenBackBy: reversal }, i) =>
    reversal ? { credit: settled[i] as Transfer, reversal } : [],
  );
  await settleReversals(uow, taken, recording);
  const duplicates = settled.filter(({ status }) => status === 'duplicate');
  await takeBackNamed(uow, duplicates, recording);
  return settled.map((transfer, i) => resultOf(transfer, decisions[i]?.charge?.id));
}

/** What all of it counts for. What the bank has taken back already counts for nothing, and is not there any more. */
function allocationOf(transfer: Transfer, { charge, takenBackBy }: Decision): AllocationInput[] {
  const { amount } = transfer;
  if (charge) return [{ transfer, chargeId: charge.id, amount, reason: 'matched' }];
  return takenBackBy ? [{ transfer, chargeId: null, amount, reason: 'reversed' }] : [];
}

function settle(transfer: Transfer, decision: Decision, counted: TransferStatus | undefined): Transfer {
  const { sameAsId, reason, takenBackBy } = decision;
  if (counted) return { ...transfer, status: counted, allocated: transfer.amount };
  if (sameAsId) return { ...transfer, status: 'duplicate', sameAsId };
  const allocated = takenBackBy ? transfer.amount : 0n;
  return { ...transfer, status: 'exception', reason: reason ?? null, allocated };
}

function resultOf({ id, status, reason }: Transfer, chargeId: string | undefined): TransferResult {
  return {
    status,
    transferId: id,
    ...(chargeId && { chargeId }),
    ...(reason && { reason: reason as ExceptionReason }),
  };
}
