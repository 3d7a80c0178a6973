import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../../context.ts';
import { NetworkCapReached } from '../../domain/payments/checkout/checkout-slot.ts';
import { getOutstandingPayment } from '../../domain/payments/checkout/get-outstanding-payment.ts';
import { qrPng } from '../../method/qr-png.ts';
import { PageError } from '../error-page.ts';
import { pageNow } from '../page-now.ts';
import type { ChooseInput } from '../parts/offer.ts';
import { readChoice, toRejectedInput } from '../parts/read-choice.ts';
import { readForm } from '../posted-form.ts';
import { needsSandboxParameter } from '../sandbox.ts';
import { getI18n, type PageContext, sendPage } from '../send-page.ts';
import { wantsProblem } from '../wants-problem.ts';
import { type CheckoutQuery, checkoutAddress, readCheckoutQuery } from './address.ts';
import { clearOldestCookies, getBrowserToken, isCreator } from './browser.ts';
import { buildCheckoutPage, getChargeContent, getPrefill } from './build-checkout-page.ts';
import { capPage } from './cap-page.ts';
import { type CheckoutAction, cancel, claim, pay } from './checkout-actions.ts';
import { type CheckoutTarget, openCheckoutTarget } from './checkout-target.ts';
import { isLinkClosed, resolveClosedLink } from './closed-link.ts';
import { streamStates } from './live.ts';
import { getDisplayStatus, getLiveTopic } from './state.ts';

/**
 * The checkout: the page of a session, a link, the bare address or a charge, and what it posts. Routes are given without
 * their prefix, `/checkout`.
 */
export function checkoutRoutes(app: FastifyInstance, context: Context, pageContext: PageContext): void {
  app.addHook('preHandler', async (request, reply) => clearOldestCookies(context.service, request, reply));
  app.get('/', async (request, reply) => {
    const checkout = await openCheckout(context, request);
    if ('redirect' in checkout) return reply.redirect(checkout.redirect, 302);
    const { query, target } = checkout;
    const view = { i18n: getI18n(request), query, now: pageNow(context, target) };
    return sendPage(pageContext, request, reply, await buildCheckoutPage(context, view, target));
  });
  app.post('/', (request, reply) => handlePost(context, pageContext, request, reply));
  app.get('/live', { exposeHeadRoute: false }, (request, reply) => sendStates(context, request, reply));
  app.get('/qr.png', (request, reply) => sendQrCode(context, request, reply));
}

type OpenedCheckout = { query: CheckoutQuery; target: CheckoutTarget } | { redirect: string };

/**
 * Opens what the address names, in the mode it names; a link that takes no more payments leads this browser to the one it
 * made by it. Errors: those of openSubject, PageRefusal.
 */
async function openCheckout(context: Context, request: FastifyRequest): Promise<OpenedCheckout> {
  const query = readCheckoutQuery(request.query);
  try {
    return await openQuery(context, request, query);
  } catch (error) {
    if (!isLinkClosed(error)) throw error;
    return { redirect: await resolveClosedLink(context.service, request, query) };
  }
}

async function openQuery(
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
  if (needsSandboxParameter(query.isSandbox, target.mode)) {
    return { redirect: checkoutAddress({ ...query, isSandbox: 'true' }) };
  }
  return { query, target };
}

/** A form of the page, or its script. Every answer but a refused choice sends the browser on to a GET. */
async function handlePost(
  context: Context,
  pageContext: PageContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const checkout = await openCheckout(context, request);
  if ('redirect' in checkout) return reply.redirect(checkout.redirect, 303);
  const action = { context, request, reply, ...checkout };
  const form = readForm(request.body);
  switch (form.do) {
    case 'claim':
    case 'take-over':
      return reply.redirect(await claim(action, { takeOver: form.do === 'take-over' }), 303);
    case 'cancel':
      return reply.redirect(await cancel(action), 303);
    case 'pay':
      return handlePayment(action, pageContext, form);
    default:
      return reply.redirect(checkoutAddress(checkout.query), 303);
  }
}

/** Makes the charge, or shows the form once more with what is wrong. */
async function handlePayment(
  action: CheckoutAction,
  pageContext: PageContext,
  form: Record<string, string>,
): Promise<FastifyReply> {
  const { context, request, reply, query, target } = action;
  const i18n = getI18n(request);
  const view = { i18n, query, now: pageNow(context, target) };
  const rejectInput = async (input: ChooseInput, status: number) => {
    const page = await buildCheckoutPage(context, view, target, input);
    return sendPage(pageContext, request, reply, {
      ...page,
      status: page.status === 200 ? status : page.status,
    });
  };
  const result = readChoice(i18n, getPrefill(target), form);
  if ('rejectedInput' in result) return rejectInput(result.rejectedInput, 400);
  try {
    return reply.redirect(await pay(action, result.choice), 303);
  } catch (error) {
    // The last of its uses was taken meanwhile, perhaps by this browser: the address leads on.
    if (isLinkClosed(error)) return reply.redirect(checkoutAddress(query), 303);
    if (error instanceof NetworkCapReached && !wantsProblem(request)) {
      reply.header('retry-after', error.retryAfterSeconds);
      return sendPage(pageContext, request, reply, await capPage(action, view.now));
    }
    const input = toRejectedInput(i18n, result.input, error);
    if (!input) throw error;
    return rejectInput(input, 422);
  }
}

/** Server-sent events that tell an open page when it must be shown anew. */
async function sendStates(context: Context, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const open = async () => {
    const checkout = await openCheckout(context, request);
    return 'target' in checkout ? checkout.target : undefined;
  };
  // Asked once before the answer begins, so that a refusal is a page with its status.
  const initialTarget = await open();
  if (!initialTarget || getLiveTopic(initialTarget) === undefined) throw new PageError('noSuchPage', 404);
  reply.hijack();
  reply.raw.writeHead(200, {
    ...(reply.getHeaders() as Record<string, string>),
    'content-type': 'text/event-stream; charset=utf-8',
    connection: 'close',
    'x-accel-buffering': 'no',
  });
  await streamStates(context, reply.raw, open);
}

/** The code as a picture to keep, as long as there is something to pay. */
async function sendQrCode(
  context: Context,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const checkout = await openCheckout(context, request);
  if ('redirect' in checkout) throw new PageError('incomplete', 400);
  const { charge } = getChargeContent(checkout.target) ?? {};
  if (!charge || getDisplayStatus(charge, pageNow(context, checkout.target)) !== 'pending')
    throw new PageError('noSuchPage', 404);
  const { destination } = getOutstandingPayment(charge);
  if (destination.qrCode === '') throw new PageError('noSuchPage', 404);
  return reply
    .type('image/png')
    .header('content-disposition', `attachment; filename="${destination.nonce}.png"`)
    .send(qrPng(destination.qrCode));
}
