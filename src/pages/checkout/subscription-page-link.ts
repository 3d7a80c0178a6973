import { getInvoiceUrl } from '../../domain/billing/invoice/invoice-url.ts';
import { getManageUrl } from '../../domain/billing/subscription/customer-pages.ts';
import { isUnstarted } from '../../domain/billing/subscription/subscription-state.ts';
import type { CheckoutCharge } from '../../domain/payments/checkout/get-checkout-charge.ts';
import type { Service } from '../../domain/platform/service.ts';
import { type Html, html } from '../html.ts';
import type { PageI18n } from '../i18n.ts';
import { toPath } from '../to-path.ts';

/** The link leads from a subscription's charge to its open invoice, or to the subscription if there is none. */
export type SubscriptionPageLink = { path: string; isPaymentDue: boolean };

/**
 * Returns the next page after a charge of a subscription, or `undefined` for other charges. Also returns
 * `undefined` unless this browser may view the customer details, because only the customer may open that page.
 */
export function getSubscriptionPageLink(
  service: Pick<Service, 'secrets' | 'settings'>,
  { charge, canViewDetails }: { charge: CheckoutCharge; canViewDetails: boolean },
): SubscriptionPageLink | undefined {
  const { subscription, invoice } = charge;
  if (!subscription || !canViewDetails) return undefined;
  if (invoice?.status === 'open')
    return { path: toPath(getInvoiceUrl(service, invoice)), isPaymentDue: true };
  return { path: toPath(getManageUrl(service, subscription)), isPaymentDue: isUnstarted(subscription) };
}

/** If a payment is due, the link looks like a button. */
export function renderPageLink(i18n: PageI18n, pageLink: SubscriptionPageLink | undefined): Html | undefined {
  if (!pageLink) return undefined;
  const { newPaymentDetails, manage } = i18n.strings.subscription;
  if (pageLink.isPaymentDue) return html`<a class="button" href="${pageLink.path}">${newPaymentDetails}</a>`;
  return html`<p><a href="${pageLink.path}">${manage}</a></p>`;
}
