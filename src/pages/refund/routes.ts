import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Context } from '../../context.ts';
import { refuseDisabled } from '../../domain/accounts/merchant/refuse-disabled.ts';
import { openRefundPage, type RefundPage } from '../../domain/payments/refund/open-refund-page.ts';
import { submitRefundDetails } from '../../domain/payments/refund/submit-refund-details.ts';
import { DomainError } from '../../kit/errors.ts';
import { pageNow } from '../page-now.ts';
import { readForm } from '../posted-form.ts';
import { PageRefusal } from '../refused.ts';
import { isSentToSandbox } from '../sandbox.ts';
import { readerOf, type Site, sendPage } from '../send-page.ts';
import type { TokenRequest } from '../token-request.ts';
import { type RefusedDetails, refundPage } from './refund-page.ts';

/** The page where a customer tells where a refund goes: `/pay/refund/<token>`. */
export function refundRoutes(app: FastifyInstance, context: Context, site: Site): void {
  app.get('/refund/:token', async (request: TokenRequest, reply) => {
    const page = await open(context, request);
    if (isSentToSandbox(request, reply, page.refund.mode)) return reply;
    return sendPage(site, request, reply, refundPage(readerOf(request), page, request.url));
  });
  app.post('/refund/:token', (request: TokenRequest, reply) => takeDetails(context, site, request, reply));
}

async function open({ service }: Context, request: TokenRequest): Promise<RefundPage> {
  try {
    const page = await openRefundPage(service, request.params);
    refuseDisabled(page.merchant);
    return page;
  } catch (error) {
    const isEnded = error instanceof DomainError && error.code === 'link_closed';
    throw isEnded ? new PageRefusal('refundEnded', 410) : error;
  }
}

/** Takes the details, or shows the form once more with what is wrong. The link ends with it, so there is no way back. */
async function takeDetails(
  context: Context,
  site: Site,
  request: TokenRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { service } = context;
  const page = await open(context, request);
  if (isSentToSandbox(request, reply, page.refund.mode)) return reply;
  const show = (shown: RefundPage, refused?: RefusedDetails) =>
    sendPage(site, request, reply, {
      ...refundPage(readerOf(request), shown, request.url, refused),
      status: refused ? 400 : 200,
    });
  const { merchantId, mode, id } = page.refund;
  const { bank = '', account = '', holder = '' } = readForm(request.body);
  const details = { bank, account, holder };
  const now = pageNow(context, { merchant: page.merchant, mode });
  try {
    const options = { merchantId, mode, id, details, actor: 'customer', now };
    const { refund } = await submitRefundDetails(service, options);
    return show({ ...page, refund });
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    // Another tab was quicker, or the merchant has withdrawn it: the page shows how it stands.
    if (error.code === 'refund_not_initiated') return show(await open(context, request));
    if (error.code !== 'invalid_request') throw error;
    return show(page, { values: details, faulty: new Set(error.faults.map(({ path }) => path.slice(1))) });
  }
}
