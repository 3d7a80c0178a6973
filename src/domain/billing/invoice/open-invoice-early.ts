import type { Merchant } from '../../../../prisma/client/client.ts';
import type { UnitOfWork } from '../../../event/unit-of-work.ts';
import type { MerchantTime } from '../../../kit/clock.ts';
import type { Service } from '../../platform/service.ts';
import type { LockedSubscription } from '../subscription/lock-subscription.ts';
import { transitionSubscription } from '../subscription/transition-subscription.ts';
import { insertInvoices, toInvoiceRow } from './open-invoices.ts';
import { takeInvoiceNumbers } from './take-invoice-numbers.ts';

/**
 * Opens the next invoice for a customer who pays ahead; the payment creates its charge. Sends no
 * notification: a paid invoice needs none, and an unpaid one is announced at its usual time.
 */
export async function openInvoiceEarly(
  uow: UnitOfWork<Service>,
  locked: LockedSubscription,
  { merchant, actor, now }: { merchant: Merchant; actor: string; now: MerchantTime },
): Promise<LockedSubscription> {
  const [number] = await takeInvoiceNumbers(uow.tx, locked.subscription, 1);
  const newInvoice = { locked, merchant, number: number! };
  const openInvoice = toInvoiceRow(newInvoice, { chargeId: null, dueNotifiedAt: null, now });
  await insertInvoices(uow.tx, [openInvoice]);
  return transitionSubscription(uow, { ...locked, openInvoice }, { now, actor, eventType: null });
}
