import type { ReceivingAccount } from '../../../../../prisma/client/client.ts';
import type { UnitOfWork } from '../../../../event/unit-of-work.ts';
import type { RecordedStatus } from '../../../payments/allocation/transfer-state.ts';
import type { Service } from '../../../platform/service.ts';
import { recordReversal } from '../reversals/record-reversal.ts';
import type { RecordContext, TransferInput } from './draft-transfer.ts';
import { recordCredits } from './record-credits.ts';
import { recordOutgoing, type TransferReason } from './record-outgoing.ts';

/** A reported transfer of an account. A `reversal` reverses an earlier credit. */
export type ReportedItem = {
  account: ReceivingAccount;
  kind: 'credit' | 'debit' | 'reversal';
  input: TransferInput;
};

export type RecordedItem = {
  status: RecordedStatus;
  transferId: string;
  chargeId?: string;
  /** The refund that an outgoing transfer pays out. */
  refundId?: string;
  reason?: TransferReason;
};

/**
 * Records reported transfers in the caller's transaction. For each account, records credits, then debits,
 * then reversals, because a reversal may concern a credit of the same report. Locks the accounts in the order
 * of `groupByAccount`.
 */
export async function recordItems(
  uow: UnitOfWork<Service>,
  options: Omit<RecordContext, 'account'>,
  items: readonly ReportedItem[],
): Promise<ReadonlyMap<TransferInput, RecordedItem>> {
  const results = new Map<TransferInput, RecordedItem>();
  for (const group of groupByAccount(items)) {
    const context = { ...options, account: group[0]!.account };
    const toInputs = (kind: ReportedItem['kind']) =>
      group.filter((item) => item.kind === kind).map(({ input }) => input);
    for (const [input, result] of await recordCredits(uow, context, toInputs('credit')))
      results.set(input, result);
    for (const [input, result] of await recordOutgoing(uow, context, toInputs('debit')))
      results.set(input, result);
    for (const input of toInputs('reversal')) results.set(input, await recordReversal(uow, context, input));
  }
  return results;
}

/**
 * Returns the items of each account. Accounts that are one bank account, which are locked together, follow each other,
 * and bank accounts are in the order of the IDs of their oldest accounts.
 */
export function groupByAccount<Item extends Pick<ReportedItem, 'account'>>(items: readonly Item[]): Item[][] {
  const groups = [...Map.groupBy(items, ({ account }) => account.id)];
  const toKey = ([id, [item]]: (typeof groups)[number]) => `${item?.account.sharedBankAccountId ?? id} ${id}`;
  return groups.sort((a, b) => (toKey(a) < toKey(b) ? -1 : 1)).map(([, group]) => group);
}
