import type { FastifyInstance } from 'fastify';
import type { Context } from '../../context.ts';
import { getInvoiceUrl } from '../../domain/billing/invoice/invoice-url.ts';
import { getRenewalMoney } from '../../domain/billing/subscription/billing-terms.ts';
import { isCancelConfirmation } from '../../domain/billing/subscription/cancel-confirmation.ts';
import { getManageUrl } from '../../domain/billing/subscription/customer-pages.ts';
import {
  getCancellation,
  getSubscriptionPage,
  type SubscriptionPage,
} from '../../domain/billing/subscription/get-pages.ts';
import { getCancellationChannel } from '../../domain/billing/subscription/request-cancellation.ts';
import { isOngoing, isPayable, isUnstarted } from '../../domain/billing/subscription/subscription-state.ts';
import { getInitialMoney } from '../../domain/billing/subscription-plan/tax.ts';
import { canSendEmail } from '../../domain/platform/service.ts';
import type { Money } from '../../kit/money.ts';
import type { PageContent } from '../layout.ts';
import { pageNow } from '../page-now.ts';
import { tryBuildOffer } from '../parts/offer.ts';
import { redirectToSandbox } from '../sandbox.ts';
import { getI18n, type PageContext, sendPage } from '../send-page.ts';
import { toPath } from '../to-path.ts';
import type { TokenRequest } from '../token-request.ts';
import { handleAction } from './manage-actions.ts';
import { type ManagePageOptions, managePage } from './manage-page.ts';

export function manageRoutes(app: FastifyInstance, context: Context, pageContext: PageContext): void {
  const { service } = context;
  app.get('/subscription/:token', async (request: TokenRequest, reply) => {
    const pageData = await getSubscriptionPage(service, request.params.token);
    if (redirectToSandbox(request, reply, pageData.subscription.mode)) return reply;
    return sendPage(pageContext, request, reply, await buildManagePage(context, request, pageData));
  });
  app.get('/c/:token', async (request: TokenRequest, reply) => {
    const { subscription, confirmation } = await getCancellation(service, request.params.token);
    const url = new URL(getManageUrl(service, subscription));
    url.searchParams.set('confirm', confirmation);
    return reply.redirect(toPath(url.href), 302);
  });
  app.post('/subscription/:token', async (request: TokenRequest, reply) => {
    const pageData = await getSubscriptionPage(service, request.params.token);
    if (redirectToSandbox(request, reply, pageData.subscription.mode)) return reply;
    const { response, feedback } = await handleAction(context, request, reply, pageData);
    if (response) return response;
    const updatedData = await getSubscriptionPage(service, request.params.token);
    const page = await buildManagePage(context, request, updatedData, feedback);
    return sendPage(pageContext, request, reply, { ...page, status: feedback.formState ? 422 : 200 });
  });
}

async function buildManagePage(
  context: Context,
  request: TokenRequest,
  pageData: SubscriptionPage,
  feedback: Pick<ManagePageOptions, 'message' | 'formState'> = {},
): Promise<PageContent> {
  const { subscription, merchant } = pageData;
  const { service, clock } = context;
  const scope = { merchant, mode: subscription.mode };
  const money = getNextMoney(pageData);
  const { methods } = subscription;
  const offer = isPayable(subscription)
    ? await tryBuildOffer(context, { ...scope, money, methods })
    : undefined;
  const { confirm } = request.query as { confirm?: string };
  const hasConfirmation = typeof confirm === 'string' && isOngoing(subscription);
  const isConfirmed =
    hasConfirmation &&
    isCancelConfirmation(service.secrets, subscription, { text: confirm, now: clock.now() });
  return managePage(getI18n(request), pageData, {
    ...(hasConfirmation && !isConfirmed && { message: 'cancelLinkExpired' }),
    ...feedback,
    url: request.url,
    now: pageNow(context, scope),
    offer,
    canSendEmail: canSendEmail(service),
    cancellationChannel: getCancellationChannel(service, subscription, merchant),
    getInvoiceUrl: (invoice) => toPath(getInvoiceUrl(service, invoice)),
    ...(isConfirmed && { confirmation: confirm }),
  });
}

/** Returns the amount that `paySubscription` charges. An open invoice keeps its amount when the terms change. */
function getNextMoney(pageData: SubscriptionPage): Money {
  const { subscription, plan, invoices } = pageData;
  const openInvoice = invoices.find(({ status }) => status === 'open');
  if (openInvoice) return { minor: openInvoice.amount, currency: openInvoice.currency };
  return isUnstarted(subscription) ? getInitialMoney(plan) : getRenewalMoney(pageData);
}
