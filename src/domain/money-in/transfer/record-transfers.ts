import type { Merchant, Mode } from '../../../../prisma/client/client.ts';
import { transact, type UnitOfWork } from '../../../event/unit-of-work.ts';
import type { Db } from '../../../kit/db.ts';
import type { RecordedStatus } from '../../payments/allocation/transfer-state.ts';
import { type Audited, type AuditInput, recordAudit } from '../../platform/audit/record-audit.ts';
import type { Service } from '../../platform/service.ts';
import type { TransferReason } from '../outgoing/outgoing-reasons.ts';
import { type OutgoingResult, recordOutgoing } from '../outgoing/record-outgoing.ts';
import type { TransferInput } from './draft-transfer.ts';
import { type InvalidItem, type ParsedItem, parseItems, type TransferItem } from './parse-items.ts';
import { recordCredits, type TransferResult } from './record-credits.ts';

export type TransferItemResult = {
  id: string;
  status: RecordedStatus;
  transferId?: string;
  chargeId?: string;
  /** The refund that an outgoing transfer pays out. */
  refundId?: string;
  reason?: TransferReason;
  /** The validation error of an `invalid` item. */
  detail?: string;
};

export const transfersMax = 500;

/** The number of transfers per transaction, few enough to keep locks short. */
const batchSize = 250;

/**
 * Records reported transfers, those of one account in order. An invalid item is an `exception` with the reason
 * `invalid` and does not affect the others. A repeated item has the status `duplicate` and changes nothing.
 */
export async function recordTransfers(
  service: Service,
  options: Audited & {
    merchant: Merchant;
    mode: Mode;
    /** `manual` for a transfer that a user enters in the dashboard. */
    source?: 'feed' | 'manual';
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
  for (const parsed of parsedItems)
    if ('detail' in parsed)
      results.set(parsed, {
        id: parsed.item.id,
        status: 'exception',
        reason: 'invalid',
        detail: parsed.detail,
      });
  const validItems = parsedItems.filter((parsed) => 'input' in parsed);
  // Locks accounts in the order of IDs, because a caller may run everything in one transaction.
  const byAccount = [...Map.groupBy(validItems, ({ account }) => account)].sort(([a], [b]) =>
    a.id < b.id ? -1 : 1,
  );
  let auditEntry: AuditInput | undefined = audit && {
    ...audit,
    ...{ merchantId: merchant.id, mode, action: 'transfer.recorded' },
  };
  for (const [account, accountItems] of byAccount) {
    const context = { merchant, account, actor, now };
    const { debits = [], credits = [] } = Object.groupBy(accountItems, ({ item }) =>
      item.direction === 'debit' ? 'debits' : 'credits',
    );
    for (const [group, record] of [
      [credits, recordCredits],
      [debits, recordOutgoing],
    ] as const) {
      if (group.length === 0) continue;
      const groupResults = await recordInBatches<Service, TransferResult | OutgoingResult>(
        service,
        group.map(({ input }) => input),
        (uow, batch) => record(uow, context, batch),
        auditEntry,
      );
      auditEntry = undefined;
      for (const [i, parsed] of group.entries())
        results.set(parsed, { id: parsed.item.id, ...groupResults[i]! });
    }
  }
  return parsedItems.map((parsed) => results.get(parsed)!);
}

/**
 * Records transfers in batches, with one transaction per batch. The first transaction writes the audit entry.
 * Returns the results in the order of the inputs.
 */
async function recordInBatches<S extends Db, Result>(
  service: S,
  inputs: readonly TransferInput[],
  record: (uow: UnitOfWork<S>, batch: readonly TransferInput[]) => Promise<Result[]>,
  auditEntry?: AuditInput,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let start = 0; start < inputs.length; start += batchSize) {
    const batch = inputs.slice(start, start + batchSize);
    const batchResults = await transact(service, async (uow) => {
      if (auditEntry && start === 0) await recordAudit(uow, auditEntry);
      return record(uow, batch);
    });
    results.push(...batchResults);
  }
  return results;
}
