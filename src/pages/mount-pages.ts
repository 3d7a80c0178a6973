import cookie from '@fastify/cookie';
import formbody from '@fastify/formbody';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../context.ts';
import { limitRate, toVisitorKey } from '../http/limit-rate.ts';
import { sendProblem } from '../http/problem.ts';
import { rejectUnstorableText } from '../http/reject-unstorable-text.ts';
import { DomainError } from '../kit/errors.ts';
import { MerchantMovedError, toMovingMerchantError } from '../kit/moving-merchant.ts';
import { isUnavailable } from '../kit/unavailable.ts';
import { loadAssets } from './assets.ts';
import { posterRoute } from './checkout/poster-route.ts';
import { checkoutRoutes } from './checkout/routes.ts';
import { errorPage, PageError, toErrorPage } from './error-page.ts';
import { isSameOrigin } from './posted-form.ts';
import { refundRoutes } from './refund/routes.ts';
import { sendNotFoundPage } from './send-error-page.ts';
import { getI18n, type PageContext, pageHeaders, sendPage } from './send-page.ts';
import { serveAssets, serveLogos, serveMethodIcons } from './serve-assets.ts';
import { serveEmbed } from './serve-embed.ts';
import { enrolRoutes } from './subscription/enrol-routes.ts';
import { invoiceRoutes } from './subscription/invoice-routes.ts';
import { manageRoutes } from './subscription/manage-routes.ts';
import { oneClickRoutes } from './subscription/one-click.ts';
import { wantsProblem } from './wants-problem.ts';

export function createPageContext({ clock, service }: Context): PageContext {
  return { assets: loadAssets(), clock, publicUrl: service.settings.publicUrl };
}

export async function mountPages(
  app: FastifyInstance,
  context: Context,
  pageContext: PageContext,
): Promise<void> {
  serveAssets(app, pageContext.assets);
  serveMethodIcons(app);
  serveLogos(app, context);
  serveEmbed(app, context);
  const checkout = createPagePlugin(context, pageContext, (pages) =>
    checkoutRoutes(pages, context, pageContext),
  );
  await app.register(checkout, { prefix: '/checkout' });
  const payPages = createPagePlugin(context, pageContext, (pages) => {
    refundRoutes(pages, context, pageContext);
    enrolRoutes(pages, context, pageContext);
    invoiceRoutes(pages, context, pageContext);
    manageRoutes(pages, context, pageContext);
    posterRoute(pages, context);
    pages.register((scope) => oneClickRoutes(scope, context, pageContext));
  });
  await app.register(payPages, { prefix: '/pay' });
}

function createPagePlugin(
  { service, limiter }: Context,
  pageContext: PageContext,
  addRoutes: (pages: FastifyInstance) => void,
) {
  return async (pages: FastifyInstance): Promise<void> => {
    await pages.register(cookie);
    await pages.register(formbody);
    const headers = pageHeaders(pageContext.assets);
    pages.addHook('onRequest', async (request, reply) => {
      reply.headers(headers);
      limitRate(limiter, toVisitorKey(request), reply);
    });
    pages.addHook('preHandler', async (request) => {
      const isCrossOrigin = request.method === 'POST' && !isSameOrigin(request, service.settings.publicUrl);
      if (isCrossOrigin) throw new PageError('crossSite', 403);
    });
    rejectUnstorableText(pages);
    pages.setErrorHandler<FastifyError>((error, request, reply) =>
      sendError(pageContext, error, request, reply),
    );
    pages.setNotFoundHandler((request, reply) => sendNotFoundPage(pageContext, request, reply));
    addRoutes(pages);
  };
}

/** Internal errors are logged, and not shown. */
function sendError(
  pageContext: PageContext,
  thrownError: FastifyError,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const error = toMovingMerchantError(thrownError) ?? thrownError;
  // The other installation accepts the same paths and links.
  if (error instanceof MerchantMovedError && error.movedTo !== undefined && !wantsProblem(request))
    return reply.redirect(`${error.movedTo}${request.url}`, 307);
  if (error instanceof DomainError && wantsProblem(request)) return sendProblem(request, reply, error);
  const i18n = getI18n(request);
  if (error instanceof DomainError && error.retryAfterSeconds !== undefined)
    reply.header('retry-after', error.retryAfterSeconds);
  const page = toErrorPage(i18n, error);
  if (page) return sendPage(pageContext, request, reply, page);
  const isOutage = isUnavailable(error);
  const status = isOutage ? 503 : (thrownError.statusCode ?? 500);
  if (status >= 500) request.log.error({ err: error }, 'a page failed');
  const key = isOutage ? 'unavailable' : 'unexpected';
  return sendPage(pageContext, request, reply, errorPage(i18n, key, { status }));
}
