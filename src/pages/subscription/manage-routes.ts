import type { FastifyInstance } from 'fastify';
import type { Context } from '../../context.ts';
import { isCancelConfirmation } from '../../domain/billing/subscription/cancel-confirmation.ts';
import { invoiceUrl } from '../../domain/billing/subscription/customer-pages.ts';
import { openSubscriptionPage, type SubscriptionPage } from '../../domain/billing/subscription/open-pages.ts';
import { isOngoing, isUnstarted } from '../../domain/billing/subscription/subscription-state.ts';
import { initialMoney, recurringMoney } from '../../domain/billing/subscription/terms.ts';
import type { Page } from '../layout.ts';
import { pageNow } from '../page-now.ts';
import { offerOrNone } from '../parts/offer.ts';
import { pathOf } from '../path-of.ts';
import { isSentToSandbox } from '../sandbox.ts';
import { readerOf, type Site, sendPage } from '../send-page.ts';
import type { TokenRequest } from '../token-request.ts';
import { takeAct } from './manage-acts.ts';
import { type ManageShown, managePage } from './manage-page.ts';

/** The customer's page of their subscription: `/pay/subscription/<token>`. */
export function manageRoutes(app: FastifyInstance, context: Context, site: Site): void {
  const { service } = context;
  app.get('/subscription/:token', async (request: TokenRequest, reply) => {
    const opened = await openSubscriptionPage(service, request.params.token);
    if (isSentToSandbox(request, reply, opened.subscription.mode)) return reply;
    return sendPage(site, request, reply, await pageOf(context, request, opened));
  });
  app.post('/subscription/:token', async (request: TokenRequest, reply) => {
    const opened = await openSubscriptionPage(service, request.params.token);
    if (isSentToSandbox(request, reply, opened.subscription.mode)) return reply;
    const { answer, shown } = await takeAct(context, request, reply, opened);
    if (answer) return answer;
    const again = await openSubscriptionPage(service, request.params.token);
    const page = await pageOf(context, request, again, shown);
    return sendPage(site, request, reply, { ...page, status: shown.input ? 422 : 200 });
  });
}

async function pageOf(
  context: Context,
  request: TokenRequest,
  opened: SubscriptionPage,
  more: Pick<ManageShown, 'said' | 'input'> = {},
): Promise<Page> {
  const { subscription, plan, merchant } = opened;
  const { service, clock } = context;
  const owner = { merchant, mode: subscription.mode };
  const money = isUnstarted(subscription) ? initialMoney(plan) : recurringMoney(plan);
  const { methods } = subscription;
  const offer = isOngoing(subscription)
    ? await offerOrNone(context, { ...owner, money, methods })
    : undefined;
  const { confirm } = request.query as { confirm?: string };
  const isGiven = typeof confirm === 'string' && isOngoing(subscription);
  const isConfirmed =
    isGiven && isCancelConfirmation(service.secrets, subscription, { text: confirm, now: clock.now() });
  return managePage(readerOf(request), opened, {
    ...(isGiven && !isConfirmed && { said: 'confirmationEnded' }),
    ...more,
    address: request.url,
    now: pageNow(context, owner),
    offer,
    invoiceAddress: (invoice) => pathOf(invoiceUrl(service, invoice)),
    ...(isConfirmed && { confirmation: confirm }),
  });
}
