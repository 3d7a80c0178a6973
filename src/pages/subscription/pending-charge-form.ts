import type { Charge } from '../../../prisma/client/client.ts';
import type { SubscriptionPage } from '../../domain/billing/subscription/open-pages.ts';
import { isUnstarted } from '../../domain/billing/subscription/subscription-state.ts';
import { isPastExpiry } from '../../domain/payments/charge/charge-state.ts';
import type { MethodCode } from '../../method/catalogue.ts';
import { fillText } from '../format.ts';
import { type Html, html } from '../html.ts';
import type { PageI18n } from '../i18n.ts';
import type { PaymentOffer } from '../parts/offer.ts';

/** The charge that asks for what is to be paid next, the open invoice or the first payment, and can still be paid. */
function findPayableCharge(
  { subscription, invoices, pending }: SubscriptionPage,
  now: Date,
): Charge | undefined {
  const openInvoice = invoices.find(({ status }) => status === 'open');
  if (!openInvoice && !isUnstarted(subscription)) return undefined;
  return pending.find(
    (charge) => charge.invoiceId === (openInvoice?.id ?? null) && !isPastExpiry(charge, now),
  );
}

/**
 * The way on to the charge that can still be paid where the choice of methods does not lead to it, since no account takes
 * new charges of its method; that nothing can be paid just now, where there is neither.
 */
export function pendingChargeForm(
  i18n: PageI18n,
  pageData: SubscriptionPage,
  options: { address: string; now: Date; offer: PaymentOffer | undefined },
): Html | undefined {
  const { subscription: strings, methods } = i18n.strings;
  const { address, offer } = options;
  const charge = findPayableCharge(pageData, options.now);
  if (!charge) return offer ? undefined : html`<p class="aside">${strings.noMethodNow}</p>`;
  if (offer?.quotes.some(({ method }) => method === charge.method)) return undefined;
  const { name: method } = methods[charge.method as MethodCode];
  return html`<form method="post" action="${address}"><input type="hidden" name="method" value="${charge.method}">
<button type="submit" class="button" name="do" value="pay">${fillText(strings.goOn, { method })}</button></form>`;
}
