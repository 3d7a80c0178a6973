import { invoiceUrl, manageUrl } from '../../domain/billing/subscription/customer-pages.ts';
import { isUnstarted } from '../../domain/billing/subscription/subscription-state.ts';
import type { CheckoutCharge } from '../../domain/payments/checkout/get-checkout-charge.ts';
import type { Service } from '../../domain/platform/service.ts';
import { type Html, html } from '../html.ts';
import { pathOf } from '../path-of.ts';
import type { Reader } from '../reader.ts';

/** Where the page of a subscription's charge leads on to: its open invoice, else the subscription. */
export type SubscriptionWay = { path: string; isToPay: boolean };

/**
 * The way on from a charge of a subscription; undefined for any other charge. `isOwn`: whether the browser may see the
 * customer's details: to others it is not told, since the pages it leads to are the customer's own.
 */
export function subscriptionWay(
  service: Pick<Service, 'secrets' | 'settings'>,
  { charge, isOwn }: { charge: CheckoutCharge; isOwn: boolean },
): SubscriptionWay | undefined {
  const { subscription, invoice } = charge;
  if (!subscription || !isOwn) return undefined;
  if (invoice?.status === 'open') return { path: pathOf(invoiceUrl(service, invoice)), isToPay: true };
  return { path: pathOf(manageUrl(service, subscription)), isToPay: isUnstarted(subscription) };
}

/** The way on as a button where there is something to pay, else as a link. */
export function wayOn(reader: Reader, way: SubscriptionWay | undefined): Html | undefined {
  if (!way) return undefined;
  const { payAgain, manage } = reader.strings.subscription;
  if (way.isToPay) return html`<a class="button" href="${way.path}">${payAgain}</a>`;
  return html`<p><a href="${way.path}">${manage}</a></p>`;
}
