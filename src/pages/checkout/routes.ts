import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../../context.ts';
import { NetworkCapReached } from '../../domain/payments/checkout/checkout-slot.ts';
import { outstandingPayment } from '../../domain/payments/checkout/outstanding-payment.ts';
import { qrPng } from '../../method/qr-png.ts';
import { pageNow } from '../page-now.ts';
import type { ChooseInput } from '../parts/offer.ts';
import { readChoice, refusedChoice } from '../parts/read-choice.ts';
import { readForm } from '../posted-form.ts';
import { PageRefusal } from '../refused.ts';
import { lacksSandbox } from '../sandbox.ts';
import { readerOf, type Site, sendPage } from '../send-page.ts';
import { wantsProblem } from '../wants-problem.ts';
import { type Act, cancel, claim, pay } from './act.ts';
import { type CheckoutQuery, checkoutAddress, readCheckoutQuery } from './address.ts';
import { browserToken, forgetOldest, isMaker } from './browser.ts';
import { capPage } from './cap-page.ts';
import { isLinkClosed, wayFromClosedLink } from './closed-link.ts';
import { tellStates } from './live.ts';
import { chargeContent, pageOf, prefillOf } from './page-of.ts';
import { chargeView, liveTopic } from './state.ts';
import { openSubject, type Subject } from './subject.ts';

/**
 * The checkout: the page of a session, a link, the bare address or a charge, and what it posts. Routes are given without
 * their prefix, `/checkout`.
 */
export function checkoutRoutes(app: FastifyInstance, context: Context, site: Site): void {
  app.addHook('preHandler', async (request, reply) => forgetOldest(context.service, request, reply));
  app.get('/', async (request, reply) => {
    const opened = await openAddress(context, request);
    if ('redirect' in opened) return reply.redirect(opened.redirect, 302);
    const { query, subject } = opened;
    const view = { reader: readerOf(request), query, now: pageNow(context, subject) };
    return sendPage(site, request, reply, await pageOf(context, view, subject));
  });
  app.post('/', (request, reply) => takePost(context, site, request, reply));
  app.get('/live', { exposeHeadRoute: false }, (request, reply) => showStates(context, request, reply));
  app.get('/qr.png', (request, reply) => sendCode(context, request, reply));
}

type Opened = { query: CheckoutQuery; subject: Subject } | { redirect: string };

/**
 * Opens what the address names, in the mode it names; a link that takes no more payments leads this browser to the one it
 * made by it. Errors: those of openSubject, PageRefusal.
 */
async function openAddress(context: Context, request: FastifyRequest): Promise<Opened> {
  const query = readCheckoutQuery(request.query);
  try {
    return await openQuery(context, request, query);
  } catch (error) {
    if (!isLinkClosed(error)) throw error;
    return { redirect: await wayFromClosedLink(context.service, request, query) };
  }
}

async function openQuery(context: Context, request: FastifyRequest, query: CheckoutQuery): Promise<Opened> {
  const { service } = context;
  const subject = await openSubject(context, query, {
    token: browserToken(service, request),
    isMaker: (charge) => isMaker(service, request, charge),
  });
  if (!subject) throw new PageRefusal('incomplete', 400);
  if (lacksSandbox(query.isSandbox, subject.mode)) {
    return { redirect: checkoutAddress({ ...query, isSandbox: 'true' }) };
  }
  return { query, subject };
}

/** A form of the page, or its script. Every answer but a refused choice sends the browser on to a GET. */
async function takePost(
  context: Context,
  site: Site,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const opened = await openAddress(context, request);
  if ('redirect' in opened) return reply.redirect(opened.redirect, 303);
  const act = { context, request, reply, ...opened };
  const form = readForm(request.body);
  switch (form.do) {
    case 'claim':
    case 'take-over':
      return reply.redirect(await claim(act, { takeOver: form.do === 'take-over' }), 303);
    case 'cancel':
      return reply.redirect(await cancel(act), 303);
    case 'pay':
      return takeChoice(act, site, form);
    default:
      return reply.redirect(checkoutAddress(opened.query), 303);
  }
}

/** Makes the charge, or shows the form once more with what is wrong. */
async function takeChoice(act: Act, site: Site, form: Record<string, string>): Promise<FastifyReply> {
  const { context, request, reply, query, subject } = act;
  const reader = readerOf(request);
  const view = { reader, query, now: pageNow(context, subject) };
  const refuse = async (input: ChooseInput, status: number) => {
    const page = await pageOf(context, view, subject, input);
    return sendPage(site, request, reply, { ...page, status: page.status === 200 ? status : page.status });
  };
  const read = readChoice(reader, prefillOf(subject), form);
  if ('refused' in read) return refuse(read.refused, 400);
  try {
    return reply.redirect(await pay(act, read.choice), 303);
  } catch (error) {
    // The last of its uses was taken meanwhile, perhaps by this browser: the address leads on.
    if (isLinkClosed(error)) return reply.redirect(checkoutAddress(query), 303);
    if (error instanceof NetworkCapReached && !wantsProblem(request)) {
      reply.header('retry-after', error.retryAfterSeconds);
      return sendPage(site, request, reply, await capPage(act, view.now));
    }
    const input = refusedChoice(reader, read.input, error);
    if (!input) throw error;
    return refuse(input, 422);
  }
}

/** Server-sent events that tell an open page when it must be shown anew. */
async function showStates(context: Context, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const open = async () => {
    const opened = await openAddress(context, request);
    return 'subject' in opened ? opened.subject : undefined;
  };
  // Asked once before the answer begins, so that a refusal is a page with its status.
  const first = await open();
  if (!first || liveTopic(first) === undefined) throw new PageRefusal('noSuchPage', 404);
  reply.hijack();
  reply.raw.writeHead(200, {
    ...(reply.getHeaders() as Record<string, string>),
    'content-type': 'text/event-stream; charset=utf-8',
    connection: 'close',
    'x-accel-buffering': 'no',
  });
  await tellStates(context, reply.raw, open);
}

/** The code as a picture to keep, as long as there is something to pay. */
async function sendCode(
  context: Context,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const opened = await openAddress(context, request);
  if ('redirect' in opened) throw new PageRefusal('incomplete', 400);
  const { charge } = chargeContent(opened.subject) ?? {};
  if (!charge || chargeView(charge, pageNow(context, opened.subject)) !== 'pending')
    throw new PageRefusal('noSuchPage', 404);
  const { destination } = outstandingPayment(charge);
  if (destination.qrCode === '') throw new PageRefusal('noSuchPage', 404);
  return reply
    .type('image/png')
    .header('content-disposition', `attachment; filename="${destination.nonce}.png"`)
    .send(qrPng(destination.qrCode));
}
