import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Context } from '../../context.ts';
import { payInvoice } from '../../domain/invoice/pay-invoice.ts';
import { isCancelConfirmation } from '../../domain/subscription/cancel-confirmation.ts';
import { invoicePdfUrl, invoiceUrl, manageUrl } from '../../domain/subscription/customer-pages.ts';
import {
  type InvoicePage,
  openInvoicePage as openInvoice,
  openSubscriptionPage,
  type SubscriptionPage,
} from '../../domain/subscription/open-pages.ts';
import { setLanguage } from '../../domain/subscription/set-language.ts';
import { isOngoing, isUnstarted } from '../../domain/subscription/subscription-state.ts';
import { initialMoney, recurringMoney } from '../../domain/subscription/terms.ts';
import { DomainError } from '../../kit/errors.ts';
import { languageOf } from '../../message/language.ts';
import { isMethodCode } from '../../method/catalogue.ts';
import type { ChooseInput } from '../checkout/offer.ts';
import { refusedChoice } from '../checkout/read-choice.ts';
import type { Page } from '../layout.ts';
import { isFromOurPage, readForm } from '../posted-form.ts';
import { PageRefusal } from '../refused.ts';
import { readerOf, type Site, sendPage } from '../send-page.ts';
import { closedInvoicePage, openInvoicePage } from './invoice.ts';
import { type ManageShown, managePage } from './manage.ts';
import { takeAct } from './manage-acts.ts';
import { goToCharge, offerOf, offerOrNone, pageNow, pathOf, type TokenRequest } from './visit.ts';

/** The customer's pages of an invoice and of the subscription: `/pay/invoice/<token>`, `/pay/subscription/<token>`. */
export function subscriptionPageRoutes(app: FastifyInstance, context: Context, site: Site): void {
  const { service } = context;
  app.addHook('preHandler', async (request) => {
    const isForeign = request.method === 'POST' && !isFromOurPage(request, service.settings.publicUrl);
    if (isForeign) throw new PageRefusal('otherSite', 403);
  });
  app.get('/invoice/:token', async (request: TokenRequest, reply) => {
    const opened = await openInvoice(service, request.params.token);
    return sendPage(site, request, reply, await invoicePageOf(context, request, opened));
  });
  app.post('/invoice/:token', (request: TokenRequest, reply) => takePayment(context, site, request, reply));
  app.get('/subscription/:token', async (request: TokenRequest, reply) => {
    const opened = await openSubscriptionPage(service, request.params.token);
    return sendPage(site, request, reply, await managePageOf(context, request, opened));
  });
  app.post('/subscription/:token', async (request: TokenRequest, reply) => {
    const opened = await openSubscriptionPage(service, request.params.token);
    const { answer, shown } = await takeAct(context, request, reply, opened);
    if (answer) return answer;
    const again = await openSubscriptionPage(service, request.params.token);
    const page = await managePageOf(context, request, again, shown);
    return sendPage(site, request, reply, { ...page, status: shown.input ? 422 : 200 });
  });
}

function ownedBy({ subscription, merchant }: SubscriptionPage) {
  return { merchant, mode: subscription.mode };
}

async function invoicePageOf(
  context: Context,
  request: TokenRequest,
  opened: InvoicePage,
  input?: ChooseInput,
): Promise<Page> {
  const { invoice, subscription } = opened;
  const reader = readerOf(request);
  const now = pageNow(context, ownedBy(opened));
  const { service } = context;
  const shown = {
    address: request.url,
    manage: pathOf(manageUrl(service, subscription)),
    pdf: pathOf(invoicePdfUrl(service, invoice)),
    now,
  };
  if (invoice.status !== 'open') return closedInvoicePage(reader, opened, shown);
  const money = { minor: invoice.amount, currency: invoice.currency };
  const offer = await offerOf(context, ownedBy(opened), { money, methods: subscription.methods });
  const preset = { method: subscription.method, email: '', faults: {} };
  return openInvoicePage(reader, opened, { ...shown, offer, input: input ?? preset });
}

/** Goes on to the charge that is pending, or a new one; or shows the form once more. */
async function takePayment(
  context: Context,
  site: Site,
  request: TokenRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const opened = await openInvoice(context.service, request.params.token);
  const { id, merchantId, mode } = opened.invoice;
  const { method = '' } = readForm(request.body);
  const refuse = async (input: ChooseInput, status: number) =>
    sendPage(site, request, reply, { ...(await invoicePageOf(context, request, opened, input)), status });
  const reader = readerOf(request);
  if (!isMethodCode(method)) {
    const { methodMissing } = reader.strings.choose;
    return refuse({ method: '', email: '', faults: { method: methodMissing } }, 400);
  }
  const now = pageNow(context, ownedBy(opened));
  await setLanguage(context.service, { id: opened.subscription.id, language: languageOf(reader.code), now });
  try {
    const charge = await payInvoice(context.service, {
      id,
      merchantId,
      mode,
      method,
      actor: 'customer',
      now,
    });
    return goToCharge(context, request, reply, { charge, isOwn: true });
  } catch (error) {
    // It was paid or cancelled meanwhile, or has received a part: the pages show how it stands.
    if (error instanceof DomainError && error.code === 'invoice_not_open')
      return reply.redirect(request.url, 303);
    const partlyPaid = opened.pending.find((charge) => charge.invoiceId === id);
    if (error instanceof DomainError && error.code === 'charge_not_pending' && partlyPaid) {
      return goToCharge(context, request, reply, { charge: partlyPaid, isOwn: true });
    }
    const input = refusedChoice(reader, { method, email: '' }, error);
    if (!input) throw error;
    return refuse(input, 422);
  }
}

async function managePageOf(
  context: Context,
  request: TokenRequest,
  opened: SubscriptionPage,
  more: Pick<ManageShown, 'said' | 'input'> = {},
): Promise<Page> {
  const { subscription, plan } = opened;
  const { service, clock } = context;
  const money = isUnstarted(subscription) ? initialMoney(plan) : recurringMoney(plan);
  const { methods } = subscription;
  const offer = isOngoing(subscription)
    ? await offerOrNone(context, ownedBy(opened), { money, methods })
    : undefined;
  const { confirm } = request.query as { confirm?: string };
  const isConfirmed =
    typeof confirm === 'string' &&
    isCancelConfirmation(service.secrets, subscription, { text: confirm, now: clock.now() });
  return managePage(readerOf(request), opened, {
    ...more,
    address: request.url,
    now: pageNow(context, ownedBy(opened)),
    offer,
    invoiceAddress: (invoice) => pathOf(invoiceUrl(service, invoice)),
    ...(isConfirmed && { confirmation: confirm }),
  });
}
