import cookie from '@fastify/cookie';
import formbody from '@fastify/formbody';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../context.ts';
import { limitRate, visitorName } from '../http/limit-rate.ts';
import { sendProblem } from '../http/problem.ts';
import { refuseUnstorableText } from '../http/unstorable-text.ts';
import { DomainError } from '../kit/errors.ts';
import { isUnavailable } from '../kit/unavailable.ts';
import { loadAssets } from './assets.ts';
import { checkoutRoutes } from './checkout/routes.ts';
import { isFromOurPage } from './posted-form.ts';
import { refundRoutes } from './refund/routes.ts';
import { PageRefusal, pageOfError, refusalPage } from './refused.ts';
import { pageHeaders, readerOf, type Site, sendPage } from './send-page.ts';
import { serveAssets, serveMethodIcons } from './serve-assets.ts';
import { enrolRoutes } from './subscription/enrol-routes.ts';
import { invoiceRoutes } from './subscription/invoice-routes.ts';
import { manageRoutes } from './subscription/manage-routes.ts';
import { oneClickRoutes } from './subscription/one-click.ts';
import { wantsProblem } from './wants-problem.ts';

/** Mounts the customer's pages, what they load, and the icons of the payment methods. */
export async function mountPages(app: FastifyInstance, context: Context): Promise<void> {
  const site: Site = { assets: loadAssets(), clock: context.clock };
  serveAssets(app, site.assets);
  serveMethodIcons(app);
  const checkout = pagesOf(context, site, (pages) => checkoutRoutes(pages, context, site));
  await app.register(checkout, { prefix: '/checkout' });
  const others = pagesOf(context, site, (pages) => {
    refundRoutes(pages, context, site);
    enrolRoutes(pages, context, site);
    invoiceRoutes(pages, context, site);
    manageRoutes(pages, context, site);
    pages.register((scope) => oneClickRoutes(scope, context, site));
  });
  await app.register(others, { prefix: '/pay' });
}

/** A scope of pages: what each answer carries, from where a form may come, and pages for what goes wrong. */
function pagesOf({ service, limiter }: Context, site: Site, addRoutes: (pages: FastifyInstance) => void) {
  return async (pages: FastifyInstance): Promise<void> => {
    await pages.register(cookie);
    await pages.register(formbody);
    const headers = pageHeaders(site.assets);
    pages.addHook('onRequest', async (request, reply) => {
      reply.headers(headers);
      limitRate(limiter, visitorName(request), reply);
    });
    pages.addHook('preHandler', async (request) => {
      const isForeign = request.method === 'POST' && !isFromOurPage(request, service.settings.publicUrl);
      if (isForeign) throw new PageRefusal('otherSite', 403);
    });
    refuseUnstorableText(pages);
    pages.setErrorHandler<FastifyError>((error, request, reply) => refuse(site, error, request, reply));
    pages.setNotFoundHandler((request, reply) =>
      sendPage(site, request, reply, refusalPage(readerOf(request), 'noSuchPage', { status: 404 })),
    );
    addRoutes(pages);
  };
}

/** Every error is a page that helps, or problem+json for a program. Faults of ours are logged, and nothing of them is shown. */
function refuse(site: Site, error: FastifyError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (error instanceof DomainError && wantsProblem(request)) return sendProblem(request, reply, error);
  const reader = readerOf(request);
  if (error instanceof DomainError && error.retryAfterSeconds !== undefined)
    reply.header('retry-after', error.retryAfterSeconds);
  const page = pageOfError(reader, error);
  if (page) return sendPage(site, request, reply, page);
  const isAway = isUnavailable(error);
  const status = isAway ? 503 : (error.statusCode ?? 500);
  if (status >= 500) request.log.error({ err: error }, 'a page failed');
  const refusal = isAway ? 'unavailable' : 'unexpected';
  return sendPage(site, request, reply, refusalPage(reader, refusal, { status }));
}
