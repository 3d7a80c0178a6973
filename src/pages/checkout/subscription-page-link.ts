import { invoiceUrl, manageUrl } from '../../domain/billing/subscription/customer-pages.ts';
import { isUnstarted } from '../../domain/billing/subscription/subscription-state.ts';
import type { CheckoutCharge } from '../../domain/payments/checkout/get-checkout-charge.ts';
import type { Service } from '../../domain/platform/service.ts';
import { type Html, html } from '../html.ts';
import type { PageI18n } from '../i18n.ts';
import { toPath } from '../to-path.ts';

/** A link from a subscription's charge to its open invoice, or to the subscription if there is none. */
export type SubscriptionPageLink = { path: string; isPaymentDue: boolean };

/**
 * Returns the next page after a charge of a subscription; `undefined` for other charges. Also `undefined`
 * unless the browser may view the customer details, because the next page belongs to the customer.
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

/** Renders a button if there is something to pay, else a link. */
export function renderPageLink(i18n: PageI18n, pageLink: SubscriptionPageLink | undefined): Html | undefined {
  if (!pageLink) return undefined;
  const { payAgain, manage } = i18n.strings.subscription;
  if (pageLink.isPaymentDue) return html`<a class="button" href="${pageLink.path}">${payAgain}</a>`;
  return html`<p><a href="${pageLink.path}">${manage}</a></p>`;
}
