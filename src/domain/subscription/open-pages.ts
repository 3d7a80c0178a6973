import type {
  Charge,
  Invoice,
  Merchant,
  Subscription,
  SubscriptionLink,
  SubscriptionPlan,
} from '../../../prisma/client/client.ts';
import { DomainError } from '../../kit/errors.ts';
import { idOfPageToken, isPageToken, type PageKind } from '../checkout/page-tokens.ts';
import { refuseDisabled } from '../merchant/refuse-disabled.ts';
import type { Service } from '../service.ts';
import { subscriptionNotFound } from './lock-subscription.ts';

export type EnrolmentPage = { link: SubscriptionLink; plan: SubscriptionPlan; merchant: Merchant };

/** What a subscription's own pages show. */
export type SubscriptionPage = {
  subscription: Subscription;
  plan: SubscriptionPlan;
  merchant: Merchant;
  /** The newest 50, newest first. */
  invoices: Invoice[];
  /** Its charges that are pending. */
  pending: Charge[];
};

export type InvoicePage = SubscriptionPage & { invoice: Invoice };

/** The link whose page a token opens. Errors: `subscription_plan_not_found`, `link_closed`, `account_disabled`. */
export async function openEnrolmentPage(service: Service, token: string): Promise<EnrolmentPage> {
  const found = await service.prisma.subscriptionLink.findUnique({
    where: { id: idOfPageToken(token) },
    include: { plan: true },
  });
  if (!found) throw new DomainError('subscription_plan_not_found');
  requireToken(service, 'enrol', found, token);
  const { plan, ...link } = found;
  return { link, plan, merchant: await getMerchant(service, link.merchantId) };
}

/** The subscription whose page a token opens. Errors: `subscription_not_found`, `link_closed`, `account_disabled`. */
export async function openSubscriptionPage(service: Service, token: string): Promise<SubscriptionPage> {
  const id = idOfPageToken(token);
  const found = await service.prisma.subscription.findUnique({ where: { id } });
  if (!found) throw subscriptionNotFound(id);
  requireToken(service, 'subscription', found, token);
  return readPage(service, id);
}

/** The invoice whose page a token opens. Errors: `invoice_not_found`, `link_closed`, `account_disabled`. */
export async function openInvoicePage(service: Service, token: string): Promise<InvoicePage> {
  const id = idOfPageToken(token);
  const invoice = await service.prisma.invoice.findUnique({ where: { id } });
  if (!invoice) throw new DomainError('invoice_not_found', `There is no invoice ${id}`);
  requireToken(service, 'invoice', invoice, token);
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
  const merchant = await getMerchant(service, subscription.merchantId);
  return { subscription, plan, invoices, pending: charges, merchant };
}

async function getMerchant(service: Service, id: string): Promise<Merchant> {
  const merchant = await service.prisma.merchant.findUniqueOrThrow({ where: { id } });
  refuseDisabled(merchant);
  return merchant;
}

/** Error: `link_closed`; what is no token of ours tells no more than that. */
function requireToken(
  service: Service,
  kind: PageKind,
  object: { id: string; pageGeneration: number },
  token: string,
): void {
  if (!isPageToken(service.secrets, kind, object, token)) throw new DomainError('link_closed');
}
