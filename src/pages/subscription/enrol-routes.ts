import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Subscription } from '../../../prisma/client/client.ts';
import type { Context } from '../../context.ts';
import { getOfferedMethods } from '../../domain/billing/subscription/create-subscription-link.ts';
import { getManageUrl } from '../../domain/billing/subscription/customer-pages.ts';
import { enrol } from '../../domain/billing/subscription/enrol.ts';
import { type EnrolmentPage, getEnrolmentPage } from '../../domain/billing/subscription/get-pages.ts';
import { PartiallyPaidError } from '../../domain/billing/subscription/request-payment.ts';
import { getInitialMoney, getRecurringMoney } from '../../domain/billing/subscription-plan/tax.ts';
import type { CustomerDetails } from '../../domain/payments/customer/customer-input.ts';
import { createPageToken } from '../../domain/payments/customer-page/page-tokens.ts';
import { canSendEmail, type Service } from '../../domain/platform/service.ts';
import { isSecure } from '../../http/browser.ts';
import { dayMs } from '../../kit/duration.ts';
import { DomainError } from '../../kit/errors.ts';
import { newToken } from '../../kit/token.ts';
import { toLanguage } from '../../language/languages.ts';
import { cookieOptions, hostPrefix } from '../checkout/browser.ts';
import { toErrorPage } from '../error-page.ts';
import type { PageContent } from '../layout.ts';
import { pageNow } from '../page-now.ts';
import { buildOffer, type MethodFormState } from '../parts/offer.ts';
import { readChoice, toRejectedFormState } from '../parts/read-choice.ts';
import { readForm } from '../posted-form.ts';
import { redirectToSandbox } from '../sandbox.ts';
import { getI18n, type PageContext, sendPage } from '../send-page.ts';
import { toPath } from '../to-path.ts';
import type { TokenRequest } from '../token-request.ts';
import { enrolPage, planClosedPage } from './enrol-page.ts';
import { redirectToCharge } from './redirect-to-charge.ts';

/** The name of the cookie that lets the customer return to the last enrolment and choose another method. */
const enrolmentCookie = (service: Service) => `${hostPrefix(service)}causeway_enrolled`;
const enrolmentMaxAgeSeconds = (7 * dayMs) / 1000;

export function enrolRoutes(app: FastifyInstance, context: Context, pageContext: PageContext): void {
  app.get('/enrol/:token', async (request: TokenRequest, reply) => {
    const pageData = await getEnrolmentPage(context.service, request.params.token);
    if (redirectToSandbox(request, reply, pageData.link.mode)) return reply;
    return sendPage(pageContext, request, reply, await buildEnrolPage(context, request, pageData));
  });
  app.post('/enrol/:token', (request: TokenRequest, reply) =>
    handleEnrolment(context, pageContext, request, reply),
  );
}

/** Builds the enrolment page, the page of a closed plan, or an error page with a link back. */
async function buildEnrolPage(
  context: Context,
  request: TokenRequest,
  pageData: EnrolmentPage,
  formState?: MethodFormState,
): Promise<PageContent> {
  const { mode, redirectUrl } = pageData.link;
  const i18n = getI18n(request);
  if (pageData.plan.status !== 'active') return planClosedPage(i18n, pageData);
  try {
    return await buildEnrolForm(context, request, pageData, formState);
  } catch (error) {
    const errorPage = toErrorPage(i18n, error, { merchant: pageData.merchant, mode, redirectUrl });
    if (!errorPage) throw error;
    return errorPage;
  }
}

async function buildEnrolForm(
  context: Context,
  request: TokenRequest,
  pageData: EnrolmentPage,
  formState: MethodFormState | undefined,
): Promise<PageContent> {
  const { link, plan, merchant } = pageData;
  const scope = { merchant, mode: link.mode };
  const dueToday = getInitialMoney(plan);
  const offer = await buildOffer(context, {
    ...scope,
    money: dueToday.minor === 0n ? getRecurringMoney(plan) : dueToday,
    methods: getOfferedMethods(link.methods, plan.methods),
    prefill: link.customer as CustomerDetails | null,
  });
  return enrolPage(getI18n(request), pageData, {
    url: request.url,
    formToken: newToken(),
    offer,
    canSendEmail: canSendEmail(context.service),
    now: pageNow(context, scope),
    formState,
  });
}

/** Enrols the customer, or shows the form again with its errors. */
async function handleEnrolment(
  context: Context,
  pageContext: PageContext,
  request: TokenRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { service } = context;
  const i18n = getI18n(request);
  const pageData = await getEnrolmentPage(service, request.params.token);
  const { link, merchant } = pageData;
  if (redirectToSandbox(request, reply, link.mode)) return reply;
  const showFormAgain = async (formState: MethodFormState, status: number) => {
    const page = await buildEnrolPage(context, request, pageData, formState);
    return sendPage(pageContext, request, reply, {
      ...page,
      status: page.status === 200 ? status : page.status,
    });
  };
  if (pageData.plan.status !== 'active')
    return sendPage(pageContext, request, reply, planClosedPage(i18n, pageData));
  const form = readForm(request.body);
  const prefill = link.customer as CustomerDetails | null;
  const result = readChoice(i18n, { prefill, isEmailRequired: canSendEmail(service) }, form);
  if ('rejected' in result) return showFormAgain(result.rejected, 400);
  try {
    const { subscription, charge } = await enrol(service, {
      merchant,
      link,
      ...result.choice,
      visitor: { ipAddress: request.ip },
      actor: 'customer',
      language: toLanguage(i18n.code),
      tokens: { pageToken: getEnrolmentToken(service, request), formToken: form.formToken },
      now: pageNow(context, { merchant, mode: link.mode }),
    });
    rememberEnrolment(service, reply, subscription);
    if (charge) return redirectToCharge(context, request, reply, charge);
    return reply.redirect(toPath(getManageUrl(service, subscription)), 303);
  } catch (error) {
    if (error instanceof PartiallyPaidError) return redirectToCharge(context, request, reply, error.charge);
    // The plan was closed after the page was shown.
    if (error instanceof DomainError && error.code === 'subscription_plan_inactive')
      return sendPage(pageContext, request, reply, planClosedPage(i18n, pageData));
    const formState = toRejectedFormState(i18n, result.formState, error);
    if (!formState) throw error;
    return showFormAgain(formState, 422);
  }
}

/** Returns the unverified token of this browser. Verify it with `isPageToken` before use. */
function getEnrolmentToken(service: Service, request: FastifyRequest): string | undefined {
  const token = request.cookies[enrolmentCookie(service)] ?? '';
  // The token is a database parameter, and PostgreSQL rejects some characters that cookies may contain.
  return /^[\w.-]+$/.test(token) ? token : undefined;
}

function rememberEnrolment(service: Service, reply: FastifyReply, subscription: Subscription): void {
  const token = createPageToken(service.secrets, 'subscription', subscription);
  const path = isSecure(service) ? '/' : '/pay/enrol';
  reply.setCookie(enrolmentCookie(service), token, {
    ...cookieOptions(service),
    path,
    maxAge: enrolmentMaxAgeSeconds,
  });
}
