import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../../context.ts';
import { getOutstandingPayment } from '../../domain/payments/checkout/get-outstanding-payment.ts';
import { NetworkLimitError } from '../../domain/payments/customer-page/checkout-slot.ts';
import { createClientToken } from '../../domain/payments/customer-page/page-tokens.ts';
import { canSendEmail, type Service } from '../../domain/platform/service.ts';
import { toDecimal } from '../../kit/money.ts';
import type { Destination } from '../../method/destination.ts';
import { renderQrPng } from '../../method/qr-png.ts';
import { renderQrSvg } from '../../method/qr-svg.ts';
import { PageError } from '../error-page.ts';
import { pageNow } from '../page-now.ts';
import { type MethodFormState, toMethodFormState } from '../parts/offer.ts';
import { readChoice, readMethod, toRejectedFormState } from '../parts/read-choice.ts';
import { readForm } from '../posted-form.ts';
import { needsSandboxParameter } from '../sandbox.ts';
import { getI18n, type PageContext, sendPage } from '../send-page.ts';
import { wantsProblem } from '../wants-problem.ts';
import { amountPage, readAmount } from './amount-page.ts';
import { clearExcessCreatorCookies, getBrowserToken, isCreator } from './browser.ts';
import { buildCheckoutPage, getChargeContent, getPrefill } from './build-checkout-page.ts';
import { type CheckoutAction, cancel, change, claim, pay, simulate } from './checkout-actions.ts';
import { type CheckoutTarget, openCheckoutTarget } from './checkout-target.ts';
import {
  type CheckoutQuery,
  readCheckoutQuery,
  toChargeUrl,
  toCheckoutUrl,
  toQrUrl,
} from './checkout-url.ts';
import { isLinkClosed, resolveClosedLink } from './closed-link.ts';
import { pageSimulations } from './forms.ts';
import { streamStates } from './live.ts';
import { networkLimitPage } from './network-limit-page.ts';
import { findResumableCharge, resumePage } from './resume-page.ts';
import { getDisplayStatus, getLiveTopic } from './state.ts';

/**
 * Registers the checkout routes, relative to `/checkout`. The query names a session, a link or a charge, or
 * describes a new charge (a checkout URL with a publishable key).
 */
export function checkoutRoutes(app: FastifyInstance, context: Context, pageContext: PageContext): void {
  app.addHook('preHandler', async (request, reply) =>
    clearExcessCreatorCookies(context.service, request, reply),
  );
  app.get('/', async (request, reply) => {
    const checkout = await openCheckout(context, request);
    if ('redirect' in checkout) return reply.redirect(checkout.redirect, 302);
    const { query, target } = checkout;
    const replacementUrl = getReplacementUrl(context.service, checkout);
    if (replacementUrl !== undefined) return reply.redirect(replacementUrl, 302);
    const view = { i18n: getI18n(request), query, now: pageNow(context, target) };
    const charge = await findResumableCharge(context, { request, ...checkout });
    if (charge)
      return sendPage(pageContext, request, reply, resumePage(context.service, view, { target, charge }));
    return sendPage(pageContext, request, reply, await buildCheckoutPage(context, view, target));
  });
  app.post('/', (request, reply) => handlePost(context, pageContext, request, reply));
  app.get('/live', { exposeHeadRoute: false }, (request, reply) => sendStates(context, request, reply));
  app.get('/qr.png', async (request, reply) => {
    const { qrCode, nonce } = await readQrCode(context, request);
    return allowEmbedding(reply)
      .type('image/png')
      .header('content-disposition', `attachment; filename="${nonce}.png"`)
      .send(renderQrPng(qrCode));
  });
  app.get('/qr.svg', async (request, reply) => {
    const { qrCode } = await readQrCode(context, request);
    return allowEmbedding(reply).type('image/svg+xml').send(renderQrSvg(qrCode));
  });
  app.get('/page-qr.png', (request, reply) => {
    const url = toQrUrl(readCheckoutQuery(request.query));
    if (url === undefined) throw new PageError('pageNotFound', 404);
    return reply.type('image/png').send(renderQrPng(`${context.service.settings.publicUrl}${url}`));
  });
}

type OpenedCheckout = { query: CheckoutQuery; target: CheckoutTarget } | { redirect: string };

/**
 * Returns a redirect if the URL lacks `isSandbox=true` for a sandbox object, or if it is a closed link from which this
 * browser created a charge.
 */
async function openCheckout(context: Context, request: FastifyRequest): Promise<OpenedCheckout> {
  const query = readCheckoutQuery(request.query);
  try {
    return await openTarget(context, request, query);
  } catch (error) {
    if (!isLinkClosed(error)) throw error;
    return { redirect: await resolveClosedLink(context.service, request, query) };
  }
}

async function openTarget(
  context: Context,
  request: FastifyRequest,
  query: CheckoutQuery,
): Promise<OpenedCheckout> {
  const { service } = context;
  const target = await openCheckoutTarget(context, query, {
    token: getBrowserToken(service, request),
    isCreator: (charge) => isCreator(service, request, charge),
  });
  if (!target) throw new PageError('incomplete', 400);
  request.storedLanguage = getKeptLanguage(target);
  if (needsSandboxParameter(query.isSandbox, target.mode)) {
    return { redirect: toCheckoutUrl({ ...query, isSandbox: 'true' }) };
  }
  return { query, target };
}

function getKeptLanguage(target: CheckoutTarget): string | null {
  const charge = getChargeContent(target)?.charge;
  if (charge) return charge.language;
  return target.kind === 'session' ? target.session.language : null;
}

/** Redirects to a GET, or shows the page with the form and its errors. */
async function handlePost(
  context: Context,
  pageContext: PageContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const checkout = await openCheckout(context, request);
  if ('redirect' in checkout) return reply.redirect(checkout.redirect, 303);
  const replacementUrl = getReplacementUrl(context.service, checkout);
  if (replacementUrl !== undefined) return reply.redirect(replacementUrl, 303);
  const action = { context, request, reply, ...checkout };
  const form = readForm(request.body);
  switch (form.do) {
    case 'claim':
    case 'take-over':
      return reply.redirect(await claim(action, { canTakeOver: form.do === 'take-over' }), 303);
    case 'amount':
      return handleAmount(action, pageContext, form);
    case 'cancel':
      return reply.redirect(await cancel(action), 303);
    case 'pay':
      // The page may have been open before this browser started a charge in another tab.
      if (await findResumableCharge(context, { request, ...checkout }))
        return reply.redirect(toCheckoutUrl(checkout.query), 303);
      return handlePayment(action, pageContext, form);
    case 'change':
      return handleChange(action, pageContext, form);
    case 'simulate': {
      const kind = pageSimulations.find((simulation) => simulation === form.kind);
      return reply.redirect(kind ? await simulate(action, kind) : toCheckoutUrl(checkout.query), 303);
    }
    default:
      return reply.redirect(toCheckoutUrl(checkout.query), 303);
  }
}

/**
 * Returns the URL of the charge that replaced the charge of this page, unless the replaced charge has been completed.
 */
function getReplacementUrl(
  { secrets }: Service,
  { query, target }: { query: CheckoutQuery; target: CheckoutTarget },
): string | undefined {
  if (target.kind !== 'charge' || target.charge.status === 'completed') return undefined;
  const { replacedById: id, mode } = target.charge;
  return id === null ? undefined : toChargeUrl(createClientToken(secrets, { id, mode }), query);
}

async function handleAmount(
  { context, request, reply, query, target }: CheckoutAction,
  pageContext: PageContext,
  { amount: text = '' }: Record<string, string>,
): Promise<FastifyReply> {
  if (target.kind !== 'link') return reply.redirect(toCheckoutUrl(query), 303);
  const i18n = getI18n(request);
  const result = readAmount(i18n, target.link, text);
  if ('money' in result)
    return reply.redirect(toCheckoutUrl({ ...query, amount: toDecimal(result.money) }), 303);
  const view = { i18n, query, now: pageNow(context, target) };
  return sendPage(pageContext, request, reply, amountPage(view, target, { text, error: result.error }));
}

async function handlePayment(
  action: CheckoutAction,
  pageContext: PageContext,
  form: Record<string, string>,
): Promise<FastifyReply> {
  const { context, request, target } = action;
  const i18n = getI18n(request);
  const customerForm = { prefill: getPrefill(target), isEmailRequired: canSendEmail(context.service) };
  const result = readChoice(i18n, customerForm, form);
  if ('rejected' in result) return showFormAgain(action, pageContext, result.rejected, 400);
  return startCharge(action, pageContext, {
    formState: result.formState,
    start: () => pay(action, result.choice),
  });
}

async function handleChange(
  action: CheckoutAction,
  pageContext: PageContext,
  form: Record<string, string>,
): Promise<FastifyReply> {
  const result = readMethod(getI18n(action.request), form);
  if ('rejected' in result) return showFormAgain(action, pageContext, result.rejected, 400);
  const { method } = result;
  return startCharge(action, pageContext, {
    formState: toMethodFormState(method),
    start: () => change(action, method),
  });
}

async function showFormAgain(
  { context, request, reply, query, target }: CheckoutAction,
  pageContext: PageContext,
  formState: MethodFormState,
  status: number,
): Promise<FastifyReply> {
  const view = { i18n: getI18n(request), query, now: pageNow(context, target) };
  const page = await buildCheckoutPage(context, view, target, formState);
  return sendPage(pageContext, request, reply, {
    ...page,
    status: page.status === 200 ? status : page.status,
  });
}

/** Redirects to the new charge, or explains why it could not be created. */
async function startCharge(
  action: CheckoutAction,
  pageContext: PageContext,
  { formState, start }: { formState: MethodFormState; start: () => Promise<string> },
): Promise<FastifyReply> {
  const { context, request, reply, query, target } = action;
  const i18n = getI18n(request);
  try {
    return reply.redirect(await start(), 303);
  } catch (error) {
    // Another request used the link for the last time. If it came from this browser, the URL redirects to its charge.
    if (isLinkClosed(error)) return reply.redirect(toCheckoutUrl(query), 303);
    if (error instanceof NetworkLimitError && !wantsProblem(request)) {
      reply.header('retry-after', error.retryAfterSeconds);
      return sendPage(pageContext, request, reply, await networkLimitPage(action, pageNow(context, target)));
    }
    const rejected = toRejectedFormState(i18n, formState, error);
    if (!rejected) throw error;
    return showFormAgain(action, pageContext, rejected, 422);
  }
}

async function sendStates(context: Context, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const open = async () => {
    const checkout = await openCheckout(context, request);
    return 'target' in checkout ? checkout.target : undefined;
  };
  // Opens the target once before the response starts, so that an error is still sent with its page and status.
  const initialTarget = await open();
  if (!initialTarget || getLiveTopic(initialTarget) === undefined) throw new PageError('pageNotFound', 404);
  reply.hijack();
  reply.raw.writeHead(200, {
    ...(reply.getHeaders() as Record<string, string>),
    'content-type': 'text/event-stream; charset=utf-8',
    connection: 'close',
    'x-accel-buffering': 'no',
  });
  await streamStates(context, reply.raw, open);
}

/** Returns the instructions with a QR code of a charge that can be paid. Throws `PageError` for other pages. */
async function readQrCode(context: Context, request: FastifyRequest): Promise<Destination> {
  const checkout = await openCheckout(context, request);
  if ('redirect' in checkout) throw new PageError('incomplete', 400);
  const { charge } = getChargeContent(checkout.target) ?? {};
  if (!charge || getDisplayStatus(charge, pageNow(context, checkout.target)) !== 'pending')
    throw new PageError('pageNotFound', 404);
  const { destination } = getOutstandingPayment(charge);
  if (destination.qrCode === '') throw new PageError('pageNotFound', 404);
  return destination;
}

/** Allows pages and emails of the shop to show an image. */
function allowEmbedding(reply: FastifyReply): FastifyReply {
  return reply.header('cross-origin-resource-policy', 'cross-origin');
}
