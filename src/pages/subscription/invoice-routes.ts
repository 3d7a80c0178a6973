import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Context } from '../../context.ts';
import { payInvoice } from '../../domain/billing/collection/pay-invoice.ts';
import { getInvoicePdfUrl } from '../../domain/billing/invoice/invoice-url.ts';
import { getManageUrl } from '../../domain/billing/subscription/customer-pages.ts';
import { getInvoicePage, type InvoicePage } from '../../domain/billing/subscription/get-pages.ts';
import { PartiallyPaidError } from '../../domain/billing/subscription/request-payment.ts';
import { setLanguage } from '../../domain/billing/subscription/set-preferences.ts';
import { DomainError } from '../../kit/errors.ts';
import { toLanguage } from '../../language/languages.ts';
import type { PageContent } from '../layout.ts';
import { pageNow } from '../page-now.ts';
import { type MethodFormState, toMethodFormState, tryBuildOffer } from '../parts/offer.ts';
import { readMethod, toRejectedFormState } from '../parts/read-choice.ts';
import { readForm } from '../posted-form.ts';
import { redirectToSandbox } from '../sandbox.ts';
import { getI18n, type PageContext, sendPage } from '../send-page.ts';
import { toPath } from '../to-path.ts';
import type { TokenRequest } from '../token-request.ts';
import { closedInvoicePage, unpaidInvoicePage } from './invoice-page.ts';
import { redirectToCharge } from './redirect-to-charge.ts';

export function invoiceRoutes(app: FastifyInstance, context: Context, pageContext: PageContext): void {
  const { service } = context;
  app.get('/invoice/:token', async (request: TokenRequest, reply) => {
    const pageData = await getInvoicePage(service, request.params.token);
    if (redirectToSandbox(request, reply, pageData.invoice.mode)) return reply;
    return sendPage(pageContext, request, reply, await buildInvoicePage(context, request, pageData));
  });
  app.post('/invoice/:token', (request: TokenRequest, reply) =>
    handlePayment(context, pageContext, request, reply),
  );
  app.get('/invoice/:token/pdf', async (request: TokenRequest, reply) => {
    const pageData = await getInvoicePage(service, request.params.token);
    if (redirectToSandbox(request, reply, pageData.invoice.mode)) return reply;
    // Loaded on first use, because a process may never render a PDF.
    const { renderInvoice } = await import('../../domain/billing/invoice/render-invoice.ts');
    const bytes = await renderInvoice(service, pageData);
    return reply
      .type('application/pdf')
      .header('content-disposition', `inline; filename="invoice-${pageData.invoice.number}.pdf"`)
      .send(bytes);
  });
}

async function buildInvoicePage(
  context: Context,
  request: TokenRequest,
  pageData: InvoicePage,
  formState?: MethodFormState,
): Promise<PageContent> {
  const { invoice, subscription, merchant } = pageData;
  const { service } = context;
  const scope = { merchant, mode: subscription.mode };
  const i18n = getI18n(request);
  const options = {
    url: request.url,
    manage: toPath(getManageUrl(service, subscription)),
    pdf: toPath(getInvoicePdfUrl(service, invoice)),
    now: pageNow(context, scope),
  };
  if (invoice.status !== 'open') return closedInvoicePage(i18n, pageData, options);
  const money = { minor: invoice.amount, currency: invoice.currency };
  const offer = await tryBuildOffer(context, { ...scope, money, methods: subscription.methods });
  const defaultFormState = toMethodFormState(subscription.method);
  return unpaidInvoicePage(i18n, pageData, { ...options, offer, formState: formState ?? defaultFormState });
}

/** Redirects to the pending charge or a new one, or shows the form again with its errors. */
async function handlePayment(
  context: Context,
  pageContext: PageContext,
  request: TokenRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { service } = context;
  const pageData = await getInvoicePage(service, request.params.token);
  const { invoice, subscription, merchant } = pageData;
  const { id, merchantId, mode } = invoice;
  if (redirectToSandbox(request, reply, mode)) return reply;
  const showFormAgain = async (formState: MethodFormState, status: number) =>
    sendPage(pageContext, request, reply, {
      ...(await buildInvoicePage(context, request, pageData, formState)),
      status,
    });
  const i18n = getI18n(request);
  const result = readMethod(i18n, readForm(request.body));
  if ('rejected' in result) return showFormAgain(result.rejected, 400);
  const { method } = result;
  const now = pageNow(context, { merchant, mode });
  await setLanguage(service, { id: subscription.id, language: toLanguage(i18n.code), now });
  try {
    const visitor = { ipAddress: request.ip };
    const change = { method, actor: 'customer', visitor, now };
    const charge = await payInvoice(service, { id, merchantId, mode, ...change });
    return redirectToCharge(context, request, reply, charge);
  } catch (error) {
    if (error instanceof PartiallyPaidError) return redirectToCharge(context, request, reply, error.charge);
    // The invoice has been paid or voided since the page was loaded: the page shows its current state.
    if (error instanceof DomainError && error.code === 'invoice_not_open')
      return reply.redirect(request.url, 303);
    const formState = toRejectedFormState(i18n, toMethodFormState(method), error);
    if (!formState) throw error;
    return showFormAgain(formState, 422);
  }
}
