import type { Merchant, Mode, TransferStatus } from '../../../../prisma/client/client.ts';
import type { Audited, AuditInput } from '../../platform/audit/record-audit.ts';
import type { Service } from '../../platform/service.ts';
import type { TransferReason } from '../outgoing/outgoing-reasons.ts';
import { type OutgoingResult, recordOutgoingTogether } from '../outgoing/record-outgoing.ts';
import { inTransactions } from './in-transactions.ts';
import { parseItems, type TransferItem } from './parse-items.ts';
import { recordBatchTogether, type TransferResult } from './record-batch.ts';

export type TransferItemResult = {
  id: string;
  status: TransferStatus;
  transferId?: string;
  chargeId?: string;
  /** Of money that went out: the refund whose payout it is. */
  refundId?: string;
  reason?: TransferReason;
  /** Of an `invalid` item: what is wrong with it. */
  detail?: string;
};

export const transfersMax = 500;

/**
 * Records what a bank feed tells, each item by itself and those of one account in order: a bad one is an `exception`
 * with reason `invalid` and the others count. Safe to repeat: the same items again answer `duplicate`.
 */
export async function recordTransfers(
  service: Service,
  options: Audited & {
    merchant: Merchant;
    mode: Mode;
    /** A person at the dashboard tells by `hand`, beside what feeds and statements tell. */
    source?: 'feed' | 'hand';
    items: readonly TransferItem[];
    actor: string;
    now: Date;
  },
): Promise<TransferItemResult[]> {
  const { merchant, mode, source = 'feed', items, actor, now, audit } = options;
  const accounts = await service.prisma.receivingAccount.findMany({
    where: { merchantId: merchant.id, mode },
  });
  const parsed = await parseItems(service, { accounts, source, items, now });
  const results = parsed.map((one, i): TransferItemResult | undefined =>
    'detail' in one ? { id: items[i]!.id, status: 'exception', reason: 'invalid', ...one } : undefined,
  );
  const readable = parsed.flatMap((one, i) => ('detail' in one ? [] : { ...one, i }));
  // Accounts are locked in one order, for when all of it is one transaction.
  const byAccount = [...Map.groupBy(readable, (one) => one.account)].sort(([a], [b]) =>
    a.id < b.id ? -1 : 1,
  );
  let entry: AuditInput | undefined = audit && {
    ...audit,
    ...{ merchantId: merchant.id, mode, action: 'transfer.recorded' },
  };
  for (const [account, told] of byAccount) {
    const recording = { merchant, account, actor, now };
    const isOut = ({ i }: { i: number }) => items[i]?.direction === 'debit';
    for (const [record, some] of [
      [recordBatchTogether, told.filter((one) => !isOut(one))],
      [recordOutgoingTogether, told.filter(isOut)],
    ] as const) {
      if (some.length === 0) continue;
      const inputs = some.map(({ input }) => input);
      const recorded = await inTransactions<Service, TransferResult | OutgoingResult>(
        service,
        inputs,
        (uow, batch) => record(uow, recording, batch),
        entry,
      );
      entry = undefined;
      for (const [n, { i }] of some.entries()) results[i] = { id: items[i]!.id, ...recorded[n]! };
    }
  }
  return results as TransferItemResult[];
}
