import { invoiceUrl, manageUrl } from '../../domain/billing/subscription/customer-pages.ts';
import { isUnstarted } from '../../domain/billing/subscription/subscription-state.ts';
import type { CheckoutCharge } from '../../domain/payments/checkout/get-checkout-charge.ts';
import type { Service } from '../../domain/platform/service.ts';
import { type Html, html } from '../html.ts';
import type { PageI18n } from '../i18n.ts';
import { toPath } from '../to-path.ts';

/** Where the page of a subscription's charge leads on to: its open invoice, else the subscription. */
export type SubscriptionPageLink = { path: string; isPaymentDue: boolean };

/**
 * The way on from a charge of a subscription; undefined for any other charge. `canViewDetails`: whether the browser may see the
 * customer's details: to others it is not told, since the pages it leads to are the customer's own.
 */
export function getSubscriptionPageLink(
  service: Pick<Service, 'secrets' | 'settings'>,
  { charge, canViewDetails }: { charge: CheckoutCharge; canViewDetails: boolean },
): SubscriptionPageLink | undefined {
  const { subscription, invoice } = charge;
  if (!subscription || !canViewDetails) return undefined;
  if (invoice?.status === 'open') return { path: toPath(invoiceUrl(service, invoice)), isPaymentDue: true };
  return { path: toPath(manageUrl(service, subscription)), isPaymentDue: isUnstarted(subscription) };
}

/** The way on as a button where there is something to pay, else as a link. */
export function renderPageLink(i18n: PageI18n, pageLink: SubscriptionPageLink | undefined): Html | undefined {
  if (!pageLink) return undefined;
  const { payAgain, manage } = i18n.strings.subscription;
  if (pageLink.isPaymentDue) return html`<a class="button" href="${pageLink.path}">${payAgain}</a>`;
  return html`<p><a href="${pageLink.path}">${manage}</a></p>`;
}
