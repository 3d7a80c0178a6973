import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Context } from '../../context.ts';
import { PaidInPart } from '../../domain/billing/subscription/ask-payment.ts';
import { offeredMethods } from '../../domain/billing/subscription/create-subscription-link.ts';
import { manageUrl } from '../../domain/billing/subscription/customer-pages.ts';
import { enrol } from '../../domain/billing/subscription/enrol.ts';
import { type EnrolmentPage, openEnrolmentPage } from '../../domain/billing/subscription/open-pages.ts';
import { initialMoney, recurringMoney } from '../../domain/billing/subscription/terms.ts';
import type { CustomerDetails } from '../../domain/payments/customer/customer-input.ts';
import { DomainError } from '../../kit/errors.ts';
import { newToken } from '../../kit/token.ts';
import { languageOf } from '../../message/language.ts';
import type { Page } from '../layout.ts';
import { pageNow } from '../page-now.ts';
import { type ChooseInput, offerOf } from '../parts/offer.ts';
import { readChoice, refusedChoice } from '../parts/read-choice.ts';
import { pathOf } from '../path-of.ts';
import { readForm } from '../posted-form.ts';
import { pageOfError } from '../refused.ts';
import { isSentToSandbox } from '../sandbox.ts';
import { readerOf, type Site, sendPage } from '../send-page.ts';
import type { TokenRequest } from '../token-request.ts';
import { enrolPage, planClosedPage } from './enrol-page.ts';
import { enrolledToken, rememberEnrolled } from './enrolled.ts';
import { goToCharge } from './go-to-charge.ts';

/** The page where a customer enrols into a plan: `/pay/enrol/<token>`. */
export function enrolRoutes(app: FastifyInstance, context: Context, site: Site): void {
  app.get('/enrol/:token', async (request: TokenRequest, reply) => {
    const opened = await openEnrolmentPage(context.service, request.params.token);
    if (isSentToSandbox(request, reply, opened.link.mode)) return reply;
    return sendPage(site, request, reply, await pageOf(context, request, opened));
  });
  app.post('/enrol/:token', (request: TokenRequest, reply) => takeEnrolment(context, site, request, reply));
}

/** The page; a refusal that leads back where no method can take the plan. */
async function pageOf(
  context: Context,
  request: TokenRequest,
  opened: EnrolmentPage,
  input?: ChooseInput,
): Promise<Page> {
  const { mode, redirectUrl } = opened.link;
  const reader = readerOf(request);
  if (opened.plan.status !== 'active') return planClosedPage(reader, opened);
  try {
    return await formOf(context, request, opened, input);
  } catch (error) {
    const refused = pageOfError(reader, error, { merchant: opened.merchant, mode, redirectUrl });
    if (!refused) throw error;
    return refused;
  }
}

async function formOf(
  context: Context,
  request: TokenRequest,
  opened: EnrolmentPage,
  input: ChooseInput | undefined,
): Promise<Page> {
  const { link, plan, merchant } = opened;
  const owned = { merchant, mode: link.mode };
  const today = initialMoney(plan);
  const offer = await offerOf(context, {
    ...owned,
    money: today.minor === 0n ? recurringMoney(plan) : today,
    methods: offeredMethods(link.methods, plan.methods),
    prefill: link.customer as CustomerDetails | null,
  });
  const shown = { address: request.url, formToken: newToken(), offer, now: pageNow(context, owned), input };
  return enrolPage(readerOf(request), opened, shown);
}

/** Enrols, or shows the form once more with what is wrong. */
async function takeEnrolment(
  context: Context,
  site: Site,
  request: TokenRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { service } = context;
  const reader = readerOf(request);
  const opened = await openEnrolmentPage(service, request.params.token);
  const { link, merchant } = opened;
  if (isSentToSandbox(request, reply, link.mode)) return reply;
  const refuse = async (input: ChooseInput, status: number) => {
    const page = await pageOf(context, request, opened, input);
    return sendPage(site, request, reply, { ...page, status: page.status === 200 ? status : page.status });
  };
  if (opened.plan.status !== 'active') return sendPage(site, request, reply, planClosedPage(reader, opened));
  const form = readForm(request.body);
  const read = readChoice(reader, link.customer as CustomerDetails | null, form);
  if ('refused' in read) return refuse(read.refused, 400);
  try {
    const { subscription, charge } = await enrol(service, {
      merchant,
      link,
      ...read.choice,
      visitor: { address: request.ip },
      actor: 'customer',
      language: languageOf(reader.code),
      same: { pageToken: enrolledToken(service, request), formToken: form.form },
      now: pageNow(context, { merchant, mode: link.mode }),
    });
    rememberEnrolled(service, reply, subscription);
    if (charge) return goToCharge(context, request, reply, charge);
    return reply.redirect(pathOf(manageUrl(service, subscription)), 303);
  } catch (error) {
    if (error instanceof PaidInPart) return goToCharge(context, request, reply, error.charge);
    // It was closed meanwhile.
    if (error instanceof DomainError && error.code === 'subscription_plan_inactive')
      return sendPage(site, request, reply, planClosedPage(reader, opened));
    const input = refusedChoice(reader, read.input, error);
    if (!input) throw error;
    return refuse(input, 422);
  }
}
