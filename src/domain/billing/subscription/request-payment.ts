import type { Charge, Invoice } from '../../../../prisma/client/client.ts';
import type { UnitOfWork } from '../../../event/unit-of-work.ts';
import type { MerchantTime } from '../../../kit/clock.ts';
import type { Tx } from '../../../kit/db.ts';
import { DomainError } from '../../../kit/errors.ts';
import { type MethodCode, paymentMethods } from '../../../method/catalog.ts';
import { canCustomerCancel, isPastExpiry } from '../../payments/charge/charge-state.ts';
import { cancelChargeBatch, expireChargeBatch } from '../../payments/charge/end-charge-batch.ts';
import { insertCharge } from '../../payments/charge/insert-charges.ts';
import { prepareCharge } from '../../payments/charge/prepare-charge.ts';
import { type PageVisitor, withCheckoutSlot } from '../../payments/customer-page/checkout-slot.ts';
import type { Service } from '../../platform/service.ts';
import { getInitialMoney } from '../subscription-plan/tax.ts';
import type { LockedSubscription } from './lock-subscription.ts';
import {
  requireOfferedMethod,
  toInvoiceChargeTerms,
  toSubscriptionChargeTerms,
} from './subscription-charge-terms.ts';
import { transitionSubscription } from './transition-subscription.ts';

/**
 * Thrown with the code `charge_not_pending` if a charge cannot be replaced by one with another method,
 * because it has received money.
 */
export class PartiallyPaidError extends DomainError {
  readonly charge: Charge;

  constructor(charge: Charge) {
    super(
      'charge_not_pending',
      `The charge ${charge.id} cannot be replaced, because it has already received money`,
    );
    this.charge = charge;
  }
}

/**
 * Returns the charge for the open invoice, or for the first payment of an unstarted subscription. Reuses a
 * pending charge with the same method that has not expired. Otherwise creates one, which counts toward the
 * limit of the visitor's network, and ends the other pending charges for the same payment. Throws
 * `method_unavailable`, `rate_limited`, `PartiallyPaidError` and the errors of `prepareCharge` and `insertCharge`.
 */
export async function requestPayment(
  uow: UnitOfWork<Service>,
  target: LockedSubscription & { pendingCharges: Charge[] },
  options: { method: MethodCode; now: MerchantTime; actor: string; visitor?: PageVisitor | undefined },
): Promise<Charge> {
  const { subscription, openInvoice } = target;
  const { method, now, actor, visitor } = options;
  requireOfferedMethod(subscription.methods, method);
  const candidates = target.pendingCharges.filter((charge) => charge.invoiceId === (openInvoice?.id ?? null));
  // The expiry job may not have run yet, but the customer's page already shows these charges as expired.
  const [expiredCharges, payableCharges] = [
    candidates.filter((c) => isPastExpiry(c, now)),
    candidates.filter((c) => !isPastExpiry(c, now)),
  ];
  const existingCharge = payableCharges.find((charge) => charge.method === method);
  if (existingCharge) return existingCharge;
  const partiallyPaidCharge = payableCharges.find((charge) => !canCustomerCancel(charge));
  if (partiallyPaidCharge) throw new PartiallyPaidError(partiallyPaidCharge);
  const preparedCharge = await prepareRequestedCharge(uow, target, options);
  await expireChargeBatch(uow, expiredCharges, now);
  await cancelChargeBatch(uow, payableCharges, { now, actor });
  const { customerId, merchantId, mode } = subscription;
  const insert = () => insertCharge(uow, { preparedCharge, customerId }, { actor, now });
  const charge = await (visitor
    ? withCheckoutSlot(uow, { merchantId, mode, visitor, now }, insert)
    : insert());
  if (openInvoice) await setInvoiceCharge(uow.tx, openInvoice, charge, now);
  await transitionSubscription(uow, target, { now, actor, eventType: null, data: toMethodFields(method) });
  return charge;
}

/** Prepares the charge. Reads in the transaction, so that the terms match the locked rows. */
async function prepareRequestedCharge(
  uow: UnitOfWork<Service>,
  target: LockedSubscription,
  { method, now }: { method: MethodCode; now: MerchantTime },
) {
  const { subscription, plan, openInvoice } = target;
  const merchant = await uow.tx.merchant.findUniqueOrThrow({ where: { id: subscription.merchantId } });
  const terms = openInvoice
    ? toInvoiceChargeTerms(target, openInvoice, method)
    : toSubscriptionChargeTerms(target, { method, money: getInitialMoney(plan) });
  return prepareCharge(uow, { merchant, mode: subscription.mode, terms, now });
}

async function setInvoiceCharge(tx: Tx, invoice: Invoice, charge: Charge, now: MerchantTime): Promise<void> {
  await tx.invoice.update({
    where: { id: invoice.id },
    data: { chargeId: charge.id, version: { increment: 1 }, updatedAt: now },
  });
}

export function toMethodFields(method: MethodCode) {
  return { method, customerCurrency: paymentMethods[method].currency };
}
