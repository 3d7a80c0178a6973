import type { Merchant } from '../../../../prisma/client/client.ts';
import type { UnitOfWork } from '../../../event/unit-of-work.ts';
import type { MerchantTime } from '../../../kit/clock.ts';
import type { Service } from '../../platform/service.ts';
import type { LockedSubscription } from '../subscription/lock-subscription.ts';
import { transitionSubscription } from '../subscription/transition-subscription.ts';
import { insertInvoices, toInvoiceRow } from './create-invoices.ts';
import { reserveNumbersInSeries } from './reserve-numbers-in-series.ts';

/**
 * Creates the next invoice for a customer who pays ahead; the payment creates the charge. Sends no notification,
 * because an invoice that is paid early needs none. If it is not paid, it is announced on the day on which it
 * would otherwise have been created.
 */
export async function createInvoiceEarly(
  uow: UnitOfWork<Service>,
  target: LockedSubscription,
  { merchant, actor, now }: { merchant: Merchant; actor: string; now: MerchantTime },
): Promise<LockedSubscription> {
  const [number] = await reserveNumbersInSeries(uow.tx, target.subscription, 1);
  const newInvoice = { target, merchant, number: number! };
  const openInvoice = toInvoiceRow(newInvoice, { chargeId: null, dueNotifiedAt: null, now });
  await insertInvoices(uow.tx, [openInvoice]);
  return transitionSubscription(uow, { ...target, openInvoice }, { now, actor, eventType: null });
}
