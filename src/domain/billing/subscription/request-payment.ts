import type { Charge, Invoice } from '../../../../prisma/client/client.ts';
import type { UnitOfWork } from '../../../event/unit-of-work.ts';
import type { MerchantTime } from '../../../kit/clock.ts';
import type { Tx } from '../../../kit/db.ts';
import { DomainError } from '../../../kit/errors.ts';
import { type MethodCode, paymentMethods } from '../../../method/catalogue.ts';
import { canCustomerCancel, isPastExpiry } from '../../payments/charge/charge-state.ts';
import { cancelChargeBatch, expireChargeBatch } from '../../payments/charge/end-charge-batch.ts';
import { insertCharge } from '../../payments/charge/insert-charges.ts';
import { prepareCharge } from '../../payments/charge/prepare-charge.ts';
import { type PageVisitor, withCheckoutSlot } from '../../payments/checkout/checkout-slot.ts';
import type { Service } from '../../platform/service.ts';
import type { LockedSubscription } from './lock-subscription.ts';
import {
  requireOffered,
  toInvoiceChargeTerms,
  toSubscriptionChargeTerms,
} from './subscription-charge-terms.ts';
import { initialMoney } from './terms.ts';
import { transitionSubscription } from './transition-subscription.ts';

/**
 * `charge_not_pending`: the charge to be replaced by another method has received money; its payment must
 * continue.
 */
export class PartiallyPaidError extends DomainError {
  readonly charge: Charge;

  constructor(charge: Charge) {
    super('charge_not_pending', `The charge ${charge.id} has received money`);
    this.charge = charge;
  }
}

/**
 * Returns the charge for the open invoice, or for the first payment of an unstarted subscription. Reuses a
 * pending, unexpired charge of the same method; otherwise creates one, which counts against the visitor's
 * network. Throws `method_unavailable`, `rate_limited`, `PartiallyPaidError` and the errors of
 * `prepareCharge` and `insertCharge`.
 */
export async function requestPayment(
  uow: UnitOfWork<Service>,
  locked: LockedSubscription & { pending: Charge[] },
  options: { method: MethodCode; now: MerchantTime; actor: string; visitor?: PageVisitor | undefined },
): Promise<Charge> {
  const { subscription, openInvoice } = locked;
  const { method, now, actor, visitor } = options;
  requireOffered(subscription.methods, method);
  const candidates = locked.pending.filter((charge) => charge.invoiceId === (openInvoice?.id ?? null));
  // The expiry job may not have run yet, but the customer's page already shows these charges as expired.
  const [expired, payable] = [
    candidates.filter((c) => isPastExpiry(c, now)),
    candidates.filter((c) => !isPastExpiry(c, now)),
  ];
  const existing = payable.find((charge) => charge.method === method);
  if (existing) return existing;
  const partiallyPaid = payable.find((charge) => !canCustomerCancel(charge));
  if (partiallyPaid) throw new PartiallyPaidError(partiallyPaid);
  const prepared = await prepareRequest(uow, locked, options);
  await expireChargeBatch(uow, expired, now);
  await cancelChargeBatch(uow, payable, { now, actor });
  const { customerId, merchantId, mode } = subscription;
  const insert = () => insertCharge(uow, { prepared, customerId }, { actor, now });
  const charge = await (visitor
    ? withCheckoutSlot(uow, { merchantId, mode, visitor, now }, insert)
    : insert());
  if (openInvoice) await setInvoiceCharge(uow.tx, openInvoice, charge, now);
  await transitionSubscription(uow, locked, { now, actor, eventType: null, data: toMethodFields(method) });
  return charge;
}

/** Reads on the transaction's own connection, so that the terms match the locked data. */
async function prepareRequest(
  uow: UnitOfWork<Service>,
  locked: LockedSubscription,
  { method, now }: { method: MethodCode; now: MerchantTime },
) {
  const { subscription, plan, openInvoice } = locked;
  const merchant = await uow.tx.merchant.findUniqueOrThrow({ where: { id: subscription.merchantId } });
  const terms = openInvoice
    ? toInvoiceChargeTerms(locked, openInvoice, method)
    : toSubscriptionChargeTerms(locked, { method, money: initialMoney(plan) });
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
