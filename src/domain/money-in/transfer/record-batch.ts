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
  const reported = await findKnown(uow.tx, recording.account, inputs);
  const recorded = await recordNew(
    uow,
    recording,
    reported.flatMap((one) => ('input' in one ? one.input : [])),
  );
  const repeated = await findRepeated(
    uow.tx,
    reported.flatMap((one) => ('known' in one ? one.known.id : [])),
  );
  return reported.map((one) => ('known' in one ? repeated.get(one.known.id)! : recorded.get(one.input)!));
}

/** The results of transfers that were recorded before, by their ids. */
async function findRepeated(tx: Tx, ids: readonly string[]): Promise<Map<string, TransferResult>> {
  if (ids.length === 0) return new Map();
  const sums = await tx.allocation.groupBy({
    by: ['transferId', 'chargeId'],
    where: { transferId: { in: [...ids] }, chargeId: { not: null } },
    _sum: { amount: true },
  });
  const counted = sums.filter(({ _sum }) => (_sum.amount ?? 0n) > 0n);
  return new Map(
    ids.map((id) => {
      const chargeId = counted.find(({ transferId }) => transferId === id)?.chargeId;
      return [id, { status: 'duplicate', transferId: id, ...(chargeId && { chargeId }) }];
    }),
  );
}

type Recorded = Decision & { input: TransferInput; transfer: Transfer };

async function recordNew(
  uow: UnitOfWork<Service>,
  recording: Recording,
  inputs: readonly TransferInput[],
): Promise<Map<TransferInput, TransferResult>> {
  if (inputs.length === 0) return new Map();
  const decided = await decideTransfers(
    uow,
    recording,
    inputs.map((input) => ({ input, transfer: draftTransfer({ ...recording, input }) })),
  );
  const statuses = await countForCharges(
    uow,
    decided.flatMap(({ transfer: { amount }, charge }) => (charge ? { charge, amount } : [])),
    { tolerance: recording.merchant.underpaymentTolerance, now: recording.now, actor: recording.actor },
  );
  const settled = decided.map((one): Recorded => ({ ...one, transfer: settle(one, statuses) }));
  const transfers = settled.map(({ transfer }) => transfer);
  await insertRows(uow.tx, 'transfer', transfers);
  await insertAllocations(uow.tx, settled.flatMap(allocationOf), recording);
  await settleWholes(uow, transfers, recording);
  const exceptions = transfers.filter(({ status }) => status === 'exception');
  await recordTransferExceptions(uow, exceptions, recording);
  const taken = settled.flatMap(({ transfer: credit, takenBackBy: reversal }) =>
    reversal ? { credit, reversal } : [],
  );
  await settleReversals(uow, taken, recording);
  const duplicates = transfers.filter(({ status }) => status === 'duplicate');
  await takeBackNamed(uow, duplicates, recording);
  return new Map(settled.map((one) => [one.input, resultOf(one)]));
}

/** What all of it counts for. What the bank has taken back already counts for nothing, and is not there any more. */
function allocationOf({ transfer, charge, takenBackBy }: Recorded): AllocationInput[] {
  const { amount } = transfer;
  if (charge) return [{ transfer, chargeId: charge.id, amount, reason: 'matched' }];
  return takenBackBy ? [{ transfer, chargeId: null, amount, reason: 'reversed' }] : [];
}

function settle(
  { transfer, charge, sameAsId, reason, takenBackBy }: Recorded,
  statuses: ReadonlyMap<string, TransferStatus>,
): Transfer {
  if (charge) return { ...transfer, status: statuses.get(charge.id)!, allocated: transfer.amount };
  if (sameAsId) return { ...transfer, status: 'duplicate', sameAsId };
  const allocated = takenBackBy ? transfer.amount : 0n;
  return { ...transfer, status: 'exception', reason: reason ?? null, allocated };
}

function resultOf({ transfer: { id, status, reason }, charge }: Recorded): TransferResult {
  return {
    status,
    transferId: id,
    ...(charge && { chargeId: charge.id }),
    ...(reason && { reason: reason as ExceptionReason }),
  };
}
