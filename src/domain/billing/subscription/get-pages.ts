import type {
  Charge,
  Invoice,
  Merchant,
  Subscription,
  SubscriptionLink,
  SubscriptionPlan,
} from '../../../../prisma/client/client.ts';
import { DomainError } from '../../../kit/errors.ts';
import {
  getPageTokenId,
  LinkReplacedError,
  requirePageToken,
} from '../../payments/customer-page/page-tokens.ts';
import { requireEnabledMerchant } from '../../platform/merchant/require-enabled-merchant.ts';
import type { Service } from '../../platform/service.ts';
import { expandConfirmation, getShortConfirmationId } from './cancel-confirmation.ts';

export type EnrolmentPage = { link: SubscriptionLink; plan: SubscriptionPlan; merchant: Merchant };

/** The data of a subscription's customer pages. */
export type SubscriptionPage = {
  subscription: Subscription;
  plan: SubscriptionPlan;
  merchant: Merchant;
  /** At most 50, newest first. */
  invoices: Invoice[];
  pendingCharges: Charge[];
};

export type InvoicePage = SubscriptionPage & { invoice: Invoice };

/**
 * Returns the data of the enrolment page of a page token. Throws `subscription_plan_not_found` and the errors of
 * `requireEnabledMerchant`.
 */
export async function getEnrolmentPage(service: Service, token: string): Promise<EnrolmentPage> {
  const row = await service.prisma.subscriptionLink.findUnique({
    where: { id: getPageTokenId(token) },
    include: { plan: true },
  });
  const notFoundCode = 'subscription_plan_not_found';
  const { plan, ...link } = requirePageToken(service.secrets, 'enrol', { object: row, token, notFoundCode });
  return { link, plan, merchant: await getEnabledMerchant(service, link.merchantId) };
}

/**
 * Returns the data of the subscription page of a page token. Throws `subscription_not_found`, `link_closed` and
 * the errors of `requireEnabledMerchant`.
 */
export async function getSubscriptionPage(service: Service, token: string): Promise<SubscriptionPage> {
  const row = await service.prisma.subscription.findUnique({ where: { id: getPageTokenId(token) } });
  const notFoundCode = 'subscription_not_found';
  const { id } = requirePageToken(service.secrets, 'subscription', { object: row, token, notFoundCode });
  return readPage(service, id);
}

/**
 * Returns the subscription and the long cancellation token for the short token in an SMS. Throws
 * `subscription_not_found` for an invalid token, and `link_closed` after the links of the subscription were replaced.
 */
export async function getCancellation(
  service: Service,
  token: string,
): Promise<{ subscription: Subscription; confirmation: string }> {
  const id = getShortConfirmationId(token);
  const subscription = await service.prisma.subscription.findUnique({ where: { id } });
  if (!subscription) throw new DomainError('subscription_not_found');
  const expand = (linkVersion: number) =>
    expandConfirmation(service.secrets, { ...subscription, linkVersion }, token);
  const confirmation = expand(subscription.linkVersion);
  if (confirmation) return { subscription, confirmation };
  for (let linkVersion = subscription.linkVersion - 1; linkVersion >= 0; linkVersion--) {
    if (expand(linkVersion)) throw new LinkReplacedError();
  }
  throw new DomainError('subscription_not_found');
}

/**
 * Returns the data of the invoice page of a page token. Throws `invoice_not_found`, `link_closed` and the errors of
 * `requireEnabledMerchant`.
 */
export async function getInvoicePage(service: Service, token: string): Promise<InvoicePage> {
  const row = await service.prisma.invoice.findUnique({ where: { id: getPageTokenId(token) } });
  const notFoundCode = 'invoice_not_found';
  const invoice = requirePageToken(service.secrets, 'invoice', { object: row, token, notFoundCode });
  return { invoice, ...(await readPage(service, invoice.subscriptionId)) };
}

async function readPage(service: Service, id: string): Promise<SubscriptionPage> {
  const { plan, invoices, charges, ...subscription } = await service.prisma.subscription.findUniqueOrThrow({
    where: { id },
    include: {
      plan: true,
      invoices: { orderBy: { id: 'desc' }, take: 50 },
      charges: { where: { status: 'pending' }, orderBy: { id: 'desc' } },
    },
  });
  const merchant = await getEnabledMerchant(service, subscription.merchantId);
  return { subscription, plan, invoices, pendingCharges: charges, merchant };
}

async function getEnabledMerchant(service: Service, id: string): Promise<Merchant> {
  const merchant = await service.prisma.merchant.findUniqueOrThrow({ where: { id } });
  requireEnabledMerchant(merchant);
  return merchant;
}
