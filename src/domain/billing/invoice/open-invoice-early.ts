import type { Merchant } from '../../../../prisma/client/client.ts';
import type { UnitOfWork } from '../../../event/unit-of-work.ts';
import type { MerchantTime } from '../../../kit/clock.ts';
import type { Service } from '../../platform/service.ts';
import type { LockedSubscription } from '../subscription/lock-subscription.ts';
import { transitionSubscription } from '../subscription/transition-subscription.ts';
import { insertInvoices, toInvoiceRow } from './open-invoices.ts';
import { takeInvoiceNumbers } from './take-invoice-numbers.ts';

/**
 * Opens the next invoice for a customer who pays before it is due. Nobody is told: paid, there is nothing to tell, and
 * not paid, it is told of when any other would be. Its charge comes with the payment.
 */
export async function openInvoiceEarly(
  uow: UnitOfWork<Service>,
  locked: LockedSubscription,
  { merchant, actor, now }: { merchant: Merchant; actor: string; now: MerchantTime },
): Promise<LockedSubscription> {
  const [number] = await takeInvoiceNumbers(uow.tx, locked.subscription, 1);
  const newInvoice = { locked, merchant, number: number! };
  const openInvoice = toInvoiceRow(newInvoice, { chargeId: null, noticedAt: null, now });
  await insertInvoices(uow.tx, [openInvoice]);
  return transitionSubscription(uow, { ...locked, openInvoice }, { now, actor, eventType: null });
}
