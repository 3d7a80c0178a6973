import type { Merchant, Mode } from '../../../../../prisma/client/client.ts';
import { transact } from '../../../../event/unit-of-work.ts';
import type { MerchantTime } from '../../../../kit/clock.ts';
import type { RecordedStatus } from '../../../payments/allocation/transfer-state.ts';
import { type Audited, getSystemTime, recordAudit } from '../../../platform/audit/record-audit.ts';
import type { Service } from '../../../platform/service.ts';
import type { TransferInput } from './draft-transfer.ts';
import { parseItems, type TransferItem } from './parse-items.ts';
import { groupByAccount, type RecordedItem, recordItems } from './record-items.ts';
import type { TransferReason } from './record-outgoing.ts';

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
 * Records reported transfers, the credits of an account in order. An invalid item is an `exception` with the reason
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
    now: MerchantTime;
  },
): Promise<TransferItemResult[]> {
  const { merchant, mode, source = 'feed', items, actor, now, audit } = options;
  const accounts = await service.prisma.receivingAccount.findMany({
    where: { merchantId: merchant.id, mode },
  });
  const parsedItems = await parseItems(service, { accounts, source, items, now });
  // All batches lock accounts in one order, because a caller may run everything in one transaction.
  const validItems = groupByAccount(parsedItems.filter((parsed) => 'input' in parsed)).flat();
  const results = new Map<TransferInput, RecordedItem>();
  for (let start = 0; start < validItems.length; start += batchSize) {
    const batch = validItems.slice(start, start + batchSize);
    const recorded = await transact(service, async (uow) => {
      if (audit && start === 0)
        await recordAudit(uow, { ...audit, merchantId: merchant.id, mode, action: 'transfer.recorded' });
      return recordItems(uow, { merchant, actor, now, systemNow: getSystemTime(options) }, batch);
    });
    for (const [input, result] of recorded) results.set(input, result);
  }
  return parsedItems.map((parsed) =>
    'input' in parsed
      ? { id: parsed.item.id, ...results.get(parsed.input)! }
      : { id: parsed.item.id, status: 'exception', reason: 'invalid', detail: parsed.detail },
  );
}
