import type { FastifyReply, FastifyRequest } from 'fastify';
import { type DomainError, errorCatalog } from '../kit/errors.ts';
import { errorPage, type PageErrorKey } from './error-page.ts';
import { html } from './html.ts';
import { notice } from './parts/notice.ts';
import { getI18n, type PageContext, pageHeaders, sendPage } from './send-page.ts';

// Pages for errors outside of the customer pages.

export function sendNotFoundPage(
  pageContext: PageContext,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  return sendErrorPage(pageContext, request, reply, { key: 'pageNotFound', status: 404 });
}

export function sendMalformedUrlPage(
  pageContext: PageContext,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  return sendErrorPage(pageContext, request, reply, { key: 'incomplete', status: 400 });
}

function sendErrorPage(
  pageContext: PageContext,
  request: FastifyRequest,
  reply: FastifyReply,
  { key, status }: { key: PageErrorKey; status: number },
): FastifyReply {
  reply.headers(pageHeaders(pageContext.assets));
  return sendPage(pageContext, request, reply, errorPage(getI18n(request), key, { status }));
}

/** The dashboard is translated, but the error messages of the service are in English. */
export function sendStaffErrorPage(
  pageContext: PageContext,
  request: FastifyRequest,
  reply: FastifyReply,
  error: DomainError,
): FastifyReply {
  const { title } = errorCatalog[error.code];
  const link = 'Go to the dashboard';
  const body = html`<p>${error.message}</p><a class="button" href="/dashboard">${link}</a>`;
  const main = notice({ tone: 'error', title, body });
  reply.headers(pageHeaders(pageContext.assets));
  return sendPage(pageContext, request, reply, { status: error.status, title, main });
}
