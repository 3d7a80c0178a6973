import type { PageObject } from '../../payments/customer-page/page-tokens.ts';
import { getPayUrl, type UrlContext } from '../../payments/customer-page/pay-url.ts';

/**
 * Returns the URL of the page where the customer views the subscription, changes its payment method and
 * cancels it.
 */
export function getManageUrl(service: UrlContext, subscription: PageObject<'subscription'>): string {
  return getPayUrl(service, 'subscription', subscription);
}

/**
 * Returns the short URL of an SMS, which leads to the subscription's page with a button that confirms the
 * cancellation.
 */
export function getCancellationUrl({ settings }: Pick<UrlContext, 'settings'>, shortToken: string): string {
  return `${settings.publicUrl}/pay/c/${shortToken}`;
}

/** Returns the one-click URL that email programs call to disable reminders. */
export function getRemindersUrl(service: UrlContext, subscription: PageObject<'subscription'>): string {
  return getPayUrl(service, 'subscription', subscription, '/reminders');
}

export function getEnrolmentUrl(service: UrlContext, link: PageObject<'enrol'>): string {
  return getPayUrl(service, 'enrol', link);
}
