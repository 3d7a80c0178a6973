import type { Transfer } from '../../../../../prisma/client/client.ts';
import { announceChange } from '../../../../event/announce-change.ts';
import type { UnitOfWork } from '../../../../event/unit-of-work.ts';
import type { Tx } from '../../../../kit/db.ts';
import { insertRows } from '../../../../kit/insert-rows.ts';
import { lockBankAccount } from '../../../accounts/receiving-account/bank-account.ts';
import { type AllocationInput, insertAllocations } from '../../../payments/allocation/insert-allocations.ts';
import type { ExceptionReason, RecordedStatus } from '../../../payments/allocation/transfer-state.ts';
import { recordTransferExceptions } from '../../../payments/allocation/transition-transfer.ts';
import { findReplacements } from '../../../payments/charge/find-replacements.ts';
import type { Service } from '../../../platform/service.ts';
import { checkRepeats } from '../duplicates/check-repeats.ts';
import { type AppliedPayment, applyToCharges } from '../matching/apply-to-charges.ts';
import { settleNamedReversals, settleReversals } from '../reversals/unmatched-reversals.ts';
import { findIgnoredText } from '../review/ignored-texts.ts';
import { settleBatchBookings } from './batch-parts.ts';
import { type Decision, decideTransfers } from './decide-transfers.ts';
import {
  draftTransfer,
  type LockedContext,
  type RecordContext,
  type TransferInput,
} from './draft-transfer.ts';
import { splitIndependent } from './split-independent.ts';

export type TransferResult = {
  status: RecordedStatus;
  transferId: string;
  chargeId?: string;
  reason?: ExceptionReason;
};

/**
 * Records the credits that one source reports for one account. Each transfer and its effects (completed
 * charge, part payment, exception) are written in the caller's transaction. No input is rejected; a repeat
 * has the status `duplicate` and changes nothing. The results are the same as if the credits were recorded
 * one at a time.
 */
export async function recordCredits(
  uow: UnitOfWork<Service>,
  context: RecordContext,
  inputs: readonly TransferInput[],
): Promise<ReadonlyMap<TransferInput, TransferResult>> {
  const results = new Map<TransferInput, TransferResult>();
  if (inputs.length === 0) return results;
  const locked = { ...context, account: await lockBankAccount(uow.tx, context.account) };
  for (const group of splitIndependent(inputs))
    for (const [input, result] of await recordGroup(uow, locked, group)) results.set(input, result);
  return results;
}

async function recordGroup(
  uow: UnitOfWork<Service>,
  context: LockedContext,
  inputs: readonly TransferInput[],
): Promise<Map<TransferInput, TransferResult>> {
  const checks = await checkRepeats(uow.tx, context.account, inputs);
  const outcomes = [...checks.values()];
  const newResults = await recordNewTransfers(
    uow,
    context,
    outcomes.flatMap((check) => ('input' in check ? check.input : [])),
  );
  const repeatResults = await findRepeatResults(
    uow.tx,
    outcomes.flatMap((check) => ('recorded' in check ? check.recorded.id : [])),
  );
  return new Map(
    [...checks].map(([input, check]) => [
      input,
      'recorded' in check ? repeatResults.get(check.recorded.id)! : newResults.get(check.input)!,
    ]),
  );
}

/** Returns the results of transfers that were recorded before, by ID. */
async function findRepeatResults(tx: Tx, ids: readonly string[]): Promise<Map<string, TransferResult>> {
  if (ids.length === 0) return new Map();
  const sums = await tx.allocation.groupBy({
    by: ['transferId', 'chargeId'],
    where: { transferId: { in: [...ids] }, chargeId: { not: null } },
    _sum: { amount: true },
  });
  const allocations = sums.filter(({ _sum }) => (_sum.amount ?? 0n) > 0n);
  return new Map(
    ids.map((id) => {
      const chargeId = allocations.find(({ transferId }) => transferId === id)?.chargeId;
      return [id, { status: 'duplicate', transferId: id, ...(chargeId && { chargeId }) }];
    }),
  );
}

type SettledTransfer = Decision & {
  input: TransferInput;
  transfer: Transfer;
  /** The fee that banks deducted from the payment. */
  feeAmount?: bigint | undefined;
  /** The text of the ignore rule that the transfer matches. */
  ignoredText?: string | undefined;
};

async function recordNewTransfers(
  uow: UnitOfWork<Service>,
  context: LockedContext,
  inputs: readonly TransferInput[],
): Promise<Map<TransferInput, TransferResult>> {
  if (inputs.length === 0) return new Map();
  const decisions = await decideTransfers(
    uow,
    context,
    inputs.map((input) => ({ input, transfer: draftTransfer({ ...context, input }) })),
  );
  const payments = await applyToCharges(
    uow,
    decisions.flatMap(({ transfer: { amount }, charge }) => (charge ? { charge, amount } : [])),
    {
      tolerance: context.merchant.underpaymentTolerance,
      feeRule: context.account,
      now: context.now,
      systemNow: context.systemNow,
      actor: context.actor,
    },
  );
  const settledTransfers = decisions.map((decision): SettledTransfer => {
    const applied = { ...decision, ignoredText: findIgnoredText(context.account, decision) };
    return {
      ...applied,
      feeAmount: applied.charge && payments.get(applied.charge.id)?.fee,
      transfer: applyDecision(applied, payments),
    };
  });
  const transfers = settledTransfers.map(({ transfer }) => transfer);
  await insertRows(uow.tx, 'transfer', transfers);
  await insertAllocations(uow.tx, settledTransfers.flatMap(toAllocations), context);
  await settleBatchBookings(uow, transfers, context);
  const exceptions = transfers.filter(({ status }) => status === 'exception');
  await recordTransferExceptions(uow, exceptions, context);
  await announceNamedCharges(uow, exceptions);
  const reversals = settledTransfers.flatMap(({ transfer: credit, reversedBy: reversal }) =>
    reversal ? { credit, reversal } : [],
  );
  await settleReversals(uow, reversals, context);
  const duplicates = transfers.filter(({ status }) => status === 'duplicate');
  await settleNamedReversals(uow, duplicates, context);
  return new Map(settledTransfers.map((settled) => [settled.input, toTransferResult(settled)]));
}

/**
 * Announces the charges that unmatched transfers name, and those that replaced them, so that open pages show the
 * unallocated money.
 */
async function announceNamedCharges(uow: UnitOfWork, exceptions: readonly Transfer[]): Promise<void> {
  const namedIds = exceptions.flatMap(({ namedChargeId }) => namedChargeId ?? []);
  const replacements = await findReplacements(uow, namedIds);
  for (const { namedChargeId, merchantId, mode } of exceptions) {
    if (namedChargeId === null) continue;
    for (const objectId of [namedChargeId, ...(replacements.get(namedChargeId) ?? [])])
      announceChange(uow, { objectId, merchantId, mode });
  }
}

/**
 * Returns the allocation of a new transfer. A matched transfer is fully allocated to its charge. An ignored transfer,
 * and a credit that the bank has already reversed, are allocated to no charge.
 */
function toAllocations(settled: SettledTransfer): AllocationInput[] {
  const { transfer, charge, reversedBy, feeAmount, ignoredText } = settled;
  const { amount } = transfer;
  if (charge) return [{ transfer, chargeId: charge.id, amount, feeAmount, reason: 'matched' }];
  if (ignoredText !== undefined)
    return [{ transfer, chargeId: null, amount, reason: 'ignored', note: ignoredText }];
  return reversedBy ? [{ transfer, chargeId: null, amount, reason: 'reversed' }] : [];
}

function applyDecision(decision: SettledTransfer, payments: ReadonlyMap<string, AppliedPayment>): Transfer {
  const { transfer, charge, duplicateOfId, feeOfBatch, reason, reversedBy, namedCharge, ignoredText } =
    decision;
  if (charge) return { ...transfer, status: payments.get(charge.id)!.status, allocated: transfer.amount };
  if (ignoredText !== undefined) return { ...transfer, status: 'dismissed', allocated: transfer.amount };
  if (duplicateOfId) return { ...transfer, status: 'duplicate', duplicateOfId, feeAmount: feeOfBatch ?? 0n };
  const allocated = reversedBy ? transfer.amount : 0n;
  const namedChargeId = namedCharge?.id ?? null;
  return { ...transfer, status: 'exception', reason: reason ?? null, namedChargeId, allocated };
}

function toTransferResult({ transfer: { id, status, reason }, charge }: SettledTransfer): TransferResult {
  return {
    status: status as RecordedStatus,
    transferId: id,
    ...(charge && { chargeId: charge.id }),
    ...(reason && { reason: reason as ExceptionReason }),
  };
}
