import type { FastifyInstance } from 'fastify';
import type { Context } from '../../context.ts';
import { manageUrl } from '../../domain/billing/subscription/customer-pages.ts';
import { openSubscriptionPage } from '../../domain/billing/subscription/open-pages.ts';
import { setReminders } from '../../domain/billing/subscription/set-reminders.ts';
import { PageError } from '../error-page.ts';
import { html } from '../html.ts';
import { pageNow } from '../page-now.ts';
import { notice } from '../parts/notice.ts';
import { readForm } from '../posted-form.ts';
import { redirectToSandbox } from '../sandbox.ts';
import { getI18n, type PageContext, sendPage } from '../send-page.ts';
import { toPath } from '../to-path.ts';
import type { TokenRequest } from '../token-request.ts';

const bodyBytesMax = 4_096;

/**
 * Registers `/pay/subscription/<token>/reminders`, the List-Unsubscribe URL of reminders. Mail clients post
 * to it when their user unsubscribes (RFC 8058: without cookies or redirects). Browsers that open it are
 * redirected to the page that asks for confirmation.
 */
export async function oneClickRoutes(
  app: FastifyInstance,
  context: Context,
  pageContext: PageContext,
): Promise<void> {
  const { service } = context;
  app.addContentTypeParser(
    'multipart/form-data',
    { parseAs: 'string', bodyLimit: bodyBytesMax },
    async (_request: unknown, body: string | Buffer) => parseMultipart(String(body)),
  );
  app.get('/subscription/:token/reminders', async (request: TokenRequest, reply) => {
    const { subscription } = await openSubscriptionPage(service, request.params.token);
    if (redirectToSandbox(request, reply, subscription.mode)) return reply;
    return reply.redirect(`${toPath(manageUrl(service, subscription))}#reminders`, 302);
  });
  app.post('/subscription/:token/reminders', async (request: TokenRequest, reply) => {
    const { subscription, merchant, plan } = await openSubscriptionPage(service, request.params.token);
    if (readForm(request.body)['List-Unsubscribe'] !== 'One-Click') throw new PageError('otherSite', 400);
    const { id, mode } = subscription;
    await setReminders(service, { id, off: true, now: pageNow(context, { merchant, mode }) });
    const { areOff } = getI18n(request).strings.subscription.reminders;
    const title = `${plan.name} · ${merchant.name}`;
    const main = notice({ tone: 'calm', title, body: html`<p>${areOff}</p>` });
    return sendPage(pageContext, request, reply, { status: 200, title, main, mode, demo: merchant.demo });
  });
}

/** Parses the single part of a multipart form (RFC 7578). */
function parseMultipart(body: string): Record<string, string> {
  const match = /\bname="?List-Unsubscribe"?[^\r\n]*\r?\n(?:[^\r\n]+\r?\n)*\r?\n([^\r\n]*)/i.exec(body);
  return match ? { 'List-Unsubscribe': match[1]! } : {};
}
