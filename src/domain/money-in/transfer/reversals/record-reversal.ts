import type { UnitOfWork } from '../../../../event/unit-of-work.ts';
import type { MessageService } from '../../../../message/enqueue-message.ts';
import { lockBankAccount } from '../../../accounts/receiving-account/bank-account.ts';
import { recordTransferExceptions } from '../../../payments/allocation/transition-transfer.ts';
import { checkRepeats } from '../duplicates/check-repeats.ts';
import { draftTransfer, type RecordContext, type TransferInput } from '../record/draft-transfer.ts';
import type { TransferResult } from '../record/record-credits.ts';
import { matchReversal } from './match-reversal.ts';
import { reverseCredit } from './reverse-credit.ts';

/**
 * Records that the bank reversed a credit, and unallocates the credit. A completed charge stays completed
 * with a lower received amount, and the credit becomes the exception `reversed`. A credit without allocations
 * becomes `returned`. A reversal that another source has already reported has no effect: it is a `duplicate`
 * or, if that is uncertain, the exception `possible_duplicate`. A reversal of an unknown credit is the
 * exception `unknown_reversal` until the credit is reported. A repeat changes nothing.
 */
export async function recordReversal(
  uow: UnitOfWork<MessageService>,
  context: RecordContext,
  input: TransferInput,
): Promise<TransferResult> {
  const { tx } = uow;
  const account = await lockBankAccount(tx, context.account);
  const check = (await checkRepeats(tx, account, [input])).get(input);
  if (check && 'recorded' in check) return { status: 'duplicate', transferId: check.recorded.id };
  // If the bank reused the reference of another reversal, this one is recorded under a unique reference.
  const transfer = draftTransfer({ ...context, input: check?.input ?? input });
  const draft = { ...transfer, direction: 'debit' as const };
  const match = await matchReversal(tx, draft, { account, reference: input.reversedReference });
  if ('duplicateOfId' in match) {
    await tx.transfer.create({ data: { ...draft, status: 'duplicate', duplicateOfId: match.duplicateOfId } });
    return { status: 'duplicate', transferId: draft.id };
  }
  if ('reason' in match) {
    const exception = { ...draft, reason: match.reason };
    await tx.transfer.create({ data: exception });
    await recordTransferExceptions(uow, [exception], context);
    return { status: 'exception', transferId: draft.id, reason: match.reason };
  }
  await reverseCredit(uow, match.creditId, context);
  await tx.transfer.create({ data: { ...draft, status: 'outgoing', reversalOfId: match.creditId } });
  return { status: 'outgoing', transferId: draft.id };
}
