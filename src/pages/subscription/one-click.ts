import type { FastifyInstance } from 'fastify';
import type { Context } from '../../context.ts';
import { manageUrl } from '../../domain/billing/subscription/customer-pages.ts';
import { openSubscriptionPage } from '../../domain/billing/subscription/open-pages.ts';
import { setReminders } from '../../domain/billing/subscription/set-reminders.ts';
import { html } from '../html.ts';
import { pageNow } from '../page-now.ts';
import { notice } from '../parts/notice.ts';
import { pathOf } from '../path-of.ts';
import { readForm } from '../posted-form.ts';
import { PageRefusal } from '../refused.ts';
import { isSentToSandbox } from '../sandbox.ts';
import { readerOf, type Site, sendPage } from '../send-page.ts';
import type { TokenRequest } from '../token-request.ts';

const bodyMax = 4_096;

/**
 * `/pay/subscription/<token>/reminders`, the address in the header List-Unsubscribe of reminders. Programs for mail
 * post to it when their user wants no more of them (RFC 8058: without cookies, and no redirect); a browser that opens
 * it is led to the page that asks.
 */
export async function oneClickRoutes(app: FastifyInstance, context: Context, site: Site): Promise<void> {
  const { service } = context;
  app.addContentTypeParser(
    'multipart/form-data',
    { parseAs: 'string', bodyLimit: bodyMax },
    async (_request: unknown, body: string | Buffer) => readParts(String(body)),
  );
  app.get('/subscription/:token/reminders', async (request: TokenRequest, reply) => {
    const { subscription } = await openSubscriptionPage(service, request.params.token);
    if (isSentToSandbox(request, reply, subscription.mode)) return reply;
    return reply.redirect(`${pathOf(manageUrl(service, subscription))}#reminders`, 302);
  });
  app.post('/subscription/:token/reminders', async (request: TokenRequest, reply) => {
    const { subscription, merchant, plan } = await openSubscriptionPage(service, request.params.token);
    if (readForm(request.body)['List-Unsubscribe'] !== 'One-Click') throw new PageRefusal('otherSite', 400);
    const { id, mode } = subscription;
    await setReminders(service, { id, off: true, now: pageNow(context, { merchant, mode }) });
    const { areOff } = readerOf(request).strings.subscription.reminders;
    const title = `${plan.name} · ${merchant.name}`;
    const main = notice({ tone: 'calm', title, body: html`<p>${areOff}</p>` });
    return sendPage(site, request, reply, { status: 200, title, main, mode, demo: merchant.demo });
  });
}

/** The one part there is, of RFC 7578. */
function readParts(body: string): Record<string, string> {
  const part = /\bname="?List-Unsubscribe"?[^\r\n]*\r?\n(?:[^\r\n]+\r?\n)*\r?\n([^\r\n]*)/i.exec(body);
  return part ? { 'List-Unsubscribe': part[1]! } : {};
}
