import type { Merchant, Mode, TransferStatus } from '../../../../prisma/client/client.ts';
import type { Audited, AuditInput } from '../../platform/audit/record-audit.ts';
import type { Service } from '../../platform/service.ts';
import type { TransferReason } from '../outgoing/outgoing-reasons.ts';
import { type OutgoingResult, recordOutgoingTogether } from '../outgoing/record-outgoing.ts';
import { inTransactions } from './in-transactions.ts';
import { type InvalidItem, type ParsedItem, parseItems, type TransferItem } from './parse-items.ts';
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
  const results = new Map<ParsedItem | InvalidItem, TransferItemResult>();
  for (const one of parsed)
    if ('detail' in one)
      results.set(one, { id: one.item.id, status: 'exception', reason: 'invalid', detail: one.detail });
  const valid = parsed.filter((one) => 'input' in one);
  // Accounts are locked in one order, for when all of it is one transaction.
  const byAccount = [...Map.groupBy(valid, ({ account }) => account)].sort(([a], [b]) =>
    a.id < b.id ? -1 : 1,
  );
  let entry: AuditInput | undefined = audit && {
    ...audit,
    ...{ merchantId: merchant.id, mode, action: 'transfer.recorded' },
  };
  for (const [account, ofAccount] of byAccount) {
    const recording = { merchant, account, actor, now };
    const { debits = [], credits = [] } = Object.groupBy(ofAccount, ({ item }) =>
      item.direction === 'debit' ? 'debits' : 'credits',
    );
    for (const [some, record] of [
      [credits, recordBatchTogether],
      [debits, recordOutgoingTogether],
    ] as const) {
      if (some.length === 0) continue;
      const recorded = await inTransactions<Service, TransferResult | OutgoingResult>(
        service,
        some.map(({ input }) => input),
        (uow, batch) => record(uow, recording, batch),
        entry,
      );
      entry = undefined;
      for (const [i, one] of some.entries()) results.set(one, { id: one.item.id, ...recorded[i]! });
    }
  }
  return parsed.map((one) => results.get(one)!);
}
