import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Context } from '../../context.ts';
import { payInvoice } from '../../domain/billing/invoice/pay-invoice.ts';
import { PaidInPart } from '../../domain/billing/subscription/ask-payment.ts';
import { invoicePdfUrl, manageUrl } from '../../domain/billing/subscription/customer-pages.ts';
import { type InvoicePage, openInvoicePage } from '../../domain/billing/subscription/open-pages.ts';
import { setLanguage } from '../../domain/billing/subscription/set-language.ts';
import { DomainError } from '../../kit/errors.ts';
import { languageOf } from '../../message/language.ts';
import type { Page } from '../layout.ts';
import { pageNow } from '../page-now.ts';
import { type ChooseInput, methodInput, offerOrNone } from '../parts/offer.ts';
import { readMethod, refusedChoice } from '../parts/read-choice.ts';
import { pathOf } from '../path-of.ts';
import { readForm } from '../posted-form.ts';
import { isSentToSandbox } from '../sandbox.ts';
import { readerOf, type Site, sendPage } from '../send-page.ts';
import type { TokenRequest } from '../token-request.ts';
import { goToCharge } from './go-to-charge.ts';
import { closedInvoicePage, unpaidInvoicePage } from './invoice-page.ts';

/** The customer's page of an invoice, `/pay/invoice/<token>`, and the invoice as a document beneath it. */
export function invoiceRoutes(app: FastifyInstance, context: Context, site: Site): void {
  const { service } = context;
  app.get('/invoice/:token', async (request: TokenRequest, reply) => {
    const opened = await openInvoicePage(service, request.params.token);
    if (isSentToSandbox(request, reply, opened.invoice.mode)) return reply;
    return sendPage(site, request, reply, await pageOf(context, request, opened));
  });
  app.post('/invoice/:token', (request: TokenRequest, reply) => takePayment(context, site, request, reply));
  app.get('/invoice/:token/pdf', async (request: TokenRequest, reply) => {
    const opened = await openInvoicePage(service, request.params.token);
    if (isSentToSandbox(request, reply, opened.invoice.mode)) return reply;
    // Loaded when the first document is wanted: most processes write none for long.
    const { renderInvoice } = await import('../../domain/billing/invoice/render-invoice.ts');
    const bytes = await renderInvoice(service, opened);
    return reply
      .type('application/pdf')
      .header('content-disposition', `inline; filename="invoice-${opened.invoice.number}.pdf"`)
      .send(bytes);
  });
}

async function pageOf(
  context: Context,
  request: TokenRequest,
  opened: InvoicePage,
  input?: ChooseInput,
): Promise<Page> {
  const { invoice, subscription, merchant } = opened;
  const { service } = context;
  const owner = { merchant, mode: subscription.mode };
  const reader = readerOf(request);
  const shown = {
    address: request.url,
    manage: pathOf(manageUrl(service, subscription)),
    pdf: pathOf(invoicePdfUrl(service, invoice)),
    now: pageNow(context, owner),
  };
  if (invoice.status !== 'open') return closedInvoicePage(reader, opened, shown);
  const money = { minor: invoice.amount, currency: invoice.currency };
  const offer = await offerOrNone(context, { ...owner, money, methods: subscription.methods });
  const preset = methodInput(subscription.method);
  return unpaidInvoicePage(reader, opened, { ...shown, offer, input: input ?? preset });
}

/** Goes on to the charge that is pending, or a new one; or shows the form once more. */
async function takePayment(
  context: Context,
  site: Site,
  request: TokenRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { service } = context;
  const opened = await openInvoicePage(service, request.params.token);
  const { invoice, subscription, merchant } = opened;
  const { id, merchantId, mode } = invoice;
  if (isSentToSandbox(request, reply, mode)) return reply;
  const refuse = async (input: ChooseInput, status: number) =>
    sendPage(site, request, reply, { ...(await pageOf(context, request, opened, input)), status });
  const reader = readerOf(request);
  const read = readMethod(reader, readForm(request.body));
  if ('refused' in read) return refuse(read.refused, 400);
  const { method } = read;
  const now = pageNow(context, { merchant, mode });
  await setLanguage(service, { id: subscription.id, language: languageOf(reader.code), now });
  try {
    const visitor = { address: request.ip };
    const change = { method, actor: 'customer', visitor, now };
    const charge = await payInvoice(service, { id, merchantId, mode, ...change });
    return goToCharge(context, request, reply, charge);
  } catch (error) {
    if (error instanceof PaidInPart) return goToCharge(context, request, reply, error.charge);
    // It was paid or cancelled meanwhile: the page shows how it stands.
    if (error instanceof DomainError && error.code === 'invoice_not_open')
      return reply.redirect(request.url, 303);
    const input = refusedChoice(reader, methodInput(method), error);
    if (!input) throw error;
    return refuse(input, 422);
  }
}
