import { minuteMs } from '../../kit/duration.ts';
import { makeDestination } from '../../method/destination.ts';
import type { PreparedCharge } from './charge-terms.ts';
import type { Place } from './find-place.ts';

/** The row of a new charge, with the payment instructions for its nonce. */
export function chargeRow(
  options: Place & { id: string; customerId: string; prepared: PreparedCharge; now: Date },
  nonce: string,
) {
  const { prepared, account, customerMoney, amountAdded, now } = options;
  const { terms, rate } = prepared;
  const windowMinutes = account.windowMinutes ?? prepared.windowMinutes;
  const windowEnd = new Date(now.getTime() + windowMinutes * minuteMs);
  const { payableUntil } = terms;
  const destination = makeDestination({
    method: terms.method,
    details: account.details,
    holder: account.holder,
    bank: account.bank,
    amount: customerMoney,
    nonce,
    demo: account.demo,
  });
  return {
    id: options.id,
    merchantId: account.merchantId,
    mode: account.mode,
    customerId: options.customerId,
    email: terms.customer.email ?? null,
    phone: terms.customer.phone ?? null,
    firstName: terms.customer.firstName ?? null,
    lastName: terms.customer.lastName ?? null,
    merchantAmount: terms.merchantMoney.minor,
    merchantCurrency: terms.merchantMoney.currency,
    customerAmount: customerMoney.minor,
    customerCurrency: customerMoney.currency,
    amountAdded,
    rate: rate.rate,
    rateSource: rate.source,
    rateAt: rate.asOf,
    usdAmount: prepared.usdMinor,
    method: terms.method,
    receivingAccountId: account.id,
    nonce,
    destination: destination as object,
    orders: terms.orders,
    notifyPayload: terms.notifyPayload ?? null,
    notifyUrl: terms.notifyUrl ?? null,
    redirectUrl: terms.redirectUrl ?? null,
    sessionId: terms.sessionId ?? null,
    checkoutLinkId: terms.checkoutLinkId ?? null,
    subscriptionId: terms.subscriptionId ?? null,
    invoiceId: terms.invoiceId ?? null,
    isMergeable: terms.isMergeable ?? false,
    version: 1,
    expiresAt: payableUntil && payableUntil > windowEnd ? payableUntil : windowEnd,
    createdAt: now,
    updatedAt: now,
  };
}
