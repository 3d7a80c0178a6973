import type { FastifyInstance } from 'fastify';
import type { Context } from '../../context.ts';
import { getManageUrl } from '../../domain/billing/subscription/customer-pages.ts';
import { getSubscriptionPage } from '../../domain/billing/subscription/get-pages.ts';
import { setReminders } from '../../domain/billing/subscription/set-preferences.ts';
import { canSendEmail } from '../../domain/platform/service.ts';
import { getDisplayName } from '../../kit/brand.ts';
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
 * Registers `/pay/subscription/<token>/reminders`, the List-Unsubscribe URL of reminders. Mail clients post to
 * this URL when their user unsubscribes, without cookies and without following redirects (RFC 8058). A browser
 * that opens the URL is redirected to the reminders on the subscription page.
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
    const { subscription } = await getSubscriptionPage(service, request.params.token);
    if (redirectToSandbox(request, reply, subscription.mode)) return reply;
    return reply.redirect(`${toPath(getManageUrl(service, subscription))}#reminders`, 302);
  });
  app.post('/subscription/:token/reminders', async (request: TokenRequest, reply) => {
    const { subscription, merchant, plan } = await getSubscriptionPage(service, request.params.token);
    if (readForm(request.body)['List-Unsubscribe'] !== 'One-Click') throw new PageError('crossSite', 400);
    const { id, mode } = subscription;
    await setReminders(service, { id, areDisabled: true, now: pageNow(context, { merchant, mode }) });
    const { reminders, confirmations } = getI18n(request).strings.subscription;
    const text = canSendEmail(service) ? reminders.disabled : confirmations.remindersChanged;
    const title = `${plan.name} · ${getDisplayName(merchant)}`;
    const main = notice({ tone: 'info', title, body: html`<p>${text}</p>` });
    return sendPage(pageContext, request, reply, {
      status: 200,
      title,
      main,
      merchant,
      mode,
      demo: merchant.demo,
    });
  });
}

/** Returns the `List-Unsubscribe` field of a multipart form (RFC 7578). */
function parseMultipart(body: string): Record<string, string> {
  const match = /\bname="?List-Unsubscribe"?[^\r\n]*\r?\n(?:[^\r\n]+\r?\n)*\r?\n([^\r\n]*)/i.exec(body);
  return match ? { 'List-Unsubscribe': match[1]! } : {};
}
