import type { Charge } from '../../../prisma/client/client.ts';
import type { SubscriptionPage } from '../../domain/billing/subscription/open-pages.ts';
import { isUnstarted } from '../../domain/billing/subscription/subscription-state.ts';
import { isOver } from '../../domain/payments/charge/charge-state.ts';
import type { MethodCode } from '../../method/catalogue.ts';
import { fillText } from '../format.ts';
import { type Html, html } from '../html.ts';
import type { Offer } from '../parts/offer.ts';
import type { Reader } from '../reader.ts';

/** The charge that asks for what is to be paid next, the open invoice or the first payment, and can still be paid. */
function askingCharge({ subscription, invoices, pending }: SubscriptionPage, now: Date): Charge | undefined {
  const open = invoices.find(({ status }) => status === 'open');
  if (!open && !isUnstarted(subscription)) return undefined;
  return pending.find((charge) => charge.invoiceId === (open?.id ?? null) && !isOver(charge, now));
}

/**
 * The way on to the charge that can still be paid where the choice of methods does not lead to it, since no account takes
 * new charges of its method; that nothing can be paid just now, where there is neither.
 */
export function pendingWay(
  reader: Reader,
  opened: SubscriptionPage,
  shown: { address: string; now: Date; offer: Offer | undefined },
): Html | undefined {
  const { subscription: words, methods } = reader.strings;
  const { address, offer } = shown;
  const charge = askingCharge(opened, shown.now);
  if (!charge) return offer ? undefined : html`<p class="aside">${words.noMethodNow}</p>`;
  if (offer?.quotes.some(({ method }) => method === charge.method)) return undefined;
  const { name: method } = methods[charge.method as MethodCode];
  return html`<form method="post" action="${address}"><input type="hidden" name="method" value="${charge.method}">
<button type="submit" class="button" name="do" value="pay">${fillText(words.goOn, { method })}</button></form>`;
}
