import type { Charge } from '../../../prisma/client/client.ts';
import type { SubscriptionPage } from '../../domain/billing/subscription/get-pages.ts';
import { isUnstarted } from '../../domain/billing/subscription/subscription-state.ts';
import { isPastExpiry } from '../../domain/payments/charge/charge-state.ts';
import { fillText } from '../../language/fill-text.ts';
import type { MethodCode } from '../../method/catalog.ts';
import { type Html, html } from '../html.ts';
import type { PageI18n } from '../i18n.ts';
import type { PaymentOffer } from '../parts/offer.ts';

/** Returns the charge for the next payment (the open invoice or the first payment), if it can still be paid. */
function findPayableCharge(
  { subscription, invoices, pendingCharges: pending }: SubscriptionPage,
  now: Date,
): Charge | undefined {
  const openInvoice = invoices.find(({ status }) => status === 'open');
  if (!openInvoice && !isUnstarted(subscription)) return undefined;
  return pending.find(
    (charge) => charge.invoiceId === (openInvoice?.id ?? null) && !isPastExpiry(charge, now),
  );
}

/**
 * Renders a button to continue a payable charge if its method is no longer offered, because no receiving account
 * accepts new charges with that method. Without such a charge and without an offer, renders a notice that paying is
 * currently not possible.
 */
export function pendingChargeForm(
  i18n: PageI18n,
  pageData: SubscriptionPage,
  options: { url: string; now: Date; offer: PaymentOffer | undefined },
): Html | undefined {
  const { subscription: strings, methods } = i18n.strings;
  const { url, offer } = options;
  const charge = findPayableCharge(pageData, options.now);
  if (!charge) return offer ? undefined : html`<p class="aside">${strings.noPaymentMethod}</p>`;
  if (offer?.quotes.some(({ method }) => method === charge.method)) return undefined;
  const method = methods[charge.method as MethodCode];
  return html`<form method="post" novalidate action="${url}"><input type="hidden" name="method" value="${charge.method}">
<button type="submit" class="button" name="do" value="pay">${fillText(strings.continuePayment, { method })}</button></form>`;
}
