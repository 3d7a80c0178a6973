import type { Merchant, Mode, TransferStatus } from '../../../../prisma/client/client.ts';
import type { Audited, AuditInput } from '../../platform/audit/record-audit.ts';
import type { Service } from '../../platform/service.ts';
import type { TransferReason } from '../outgoing/outgoing-reasons.ts';
import { type OutgoingResult, recordOutgoingInTx } from '../outgoing/record-outgoing.ts';
import { type InvalidItem, type ParsedItem, parseItems, type TransferItem } from './parse-items.ts';
import { recordBatchInTx, type TransferResult } from './record-batch.ts';
import { recordInBatches } from './record-in-batches.ts';

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
  const parsedItems = await parseItems(service, { accounts, source, items, now });
  const results = new Map<ParsedItem | InvalidItem, TransferItemResult>();
  for (const one of parsedItems)
    if ('detail' in one)
      results.set(one, { id: one.item.id, status: 'exception', reason: 'invalid', detail: one.detail });
  const valid = parsedItems.filter((one) => 'input' in one);
  // Accounts are locked in one order, for when all of it is one transaction.
  const byAccount = [...Map.groupBy(valid, ({ account }) => account)].sort(([a], [b]) =>
    a.id < b.id ? -1 : 1,
  );
  let entry: AuditInput | undefined = audit && {
    ...audit,
    ...{ merchantId: merchant.id, mode, action: 'transfer.recorded' },
  };
  for (const [account, accountItems] of byAccount) {
    const context = { merchant, account, actor, now };
    const { debits = [], credits = [] } = Object.groupBy(accountItems, ({ item }) =>
      item.direction === 'debit' ? 'debits' : 'credits',
    );
    for (const [group, record] of [
      [credits, recordBatchInTx],
      [debits, recordOutgoingInTx],
    ] as const) {
      if (group.length === 0) continue;
      const groupResults = await recordInBatches<Service, TransferResult | OutgoingResult>(
        service,
        group.map(({ input }) => input),
        (uow, batch) => record(uow, context, batch),
        entry,
      );
      entry = undefined;
      for (const [i, one] of group.entries()) results.set(one, { id: one.item.id, ...groupResults[i]! });
    }
  }
  return parsedItems.map((one) => results.get(one)!);
}
