import type { Charge } from '../../../../prisma/client/client.ts';
import type { UnitOfWork } from '../../../event/unit-of-work.ts';
import type { MerchantTime } from '../../../kit/clock.ts';
import { cancelChargeBatch } from '../../payments/charge/end-charge-batch.ts';
import type { Service } from '../../platform/service.ts';
import { closeInvoice } from '../invoice/close-invoice.ts';
import type { LockedSubscription } from './lock-subscription.ts';

/** Cancels the pending charges of a locked subscription, and voids its open invoice, if any. */
export async function voidOpenInvoice(
  uow: UnitOfWork<Service>,
  { pendingCharges, ...target }: LockedSubscription & { pendingCharges: Charge[] },
  { now, actor }: { now: MerchantTime; actor: string },
): Promise<LockedSubscription> {
  await cancelChargeBatch(uow, pendingCharges, { now, actor });
  if (target.openInvoice) await closeInvoice(uow.tx, target.openInvoice, { to: 'void', now });
  return { ...target, openInvoice: null };
}
