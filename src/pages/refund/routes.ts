import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Context } from '../../context.ts';
import { openRefundPage, type RefundPage } from '../../domain/payments/refund/refund-details-page.ts';
import { submitRefundDetails } from '../../domain/payments/refund/submit-refund-details.ts';
import { requireEnabledMerchant } from '../../domain/platform/merchant/require-enabled-merchant.ts';
import { DomainError } from '../../kit/errors.ts';
import { findAliasScheme } from '../../method/payout-alias.ts';
import { pageNow } from '../page-now.ts';
import { readForm } from '../posted-form.ts';
import { redirectToSandbox } from '../sandbox.ts';
import { getI18n, type PageContext, sendPage } from '../send-page.ts';
import type { TokenRequest } from '../token-request.ts';
import {
  aliasParameter,
  getRefundCountry,
  hasPaidByAliasMethod,
  type RejectedDetails,
  refundPage,
} from './refund-page.ts';

export function refundRoutes(app: FastifyInstance, context: Context, pageContext: PageContext): void {
  app.get('/refund/:token', async (request: TokenRequest, reply) => {
    const page = await openPage(context, request);
    if (redirectToSandbox(request, reply, page.refund.mode)) return reply;
    const options = { url: request.url, isAlias: hasAliasForm(request, page) };
    return sendPage(pageContext, request, reply, refundPage(getI18n(request), page, options));
  });
  app.post('/refund/:token', (request: TokenRequest, reply) =>
    handleDetails(context, pageContext, request, reply),
  );
}

/** Returns whether the form for an alias is requested. By default, the method of the payment decides. */
function hasAliasForm({ query }: TokenRequest, page: RefundPage): boolean {
  const requested = (query as Record<string, unknown>)[aliasParameter];
  return requested === undefined ? hasPaidByAliasMethod(page) : requested !== '0';
}

async function openPage({ service }: Context, request: TokenRequest): Promise<RefundPage> {
  const page = await openRefundPage(service, request.params);
  requireEnabledMerchant(page.merchant);
  request.storedLanguage = page.charge.language;
  return page;
}

/**
 * Saves the payout details, or shows the form again with its errors. After that, the page shows the state of the
 * refund, and the customer can no longer change the details.
 */
async function handleDetails(
  context: Context,
  pageContext: PageContext,
  request: TokenRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { service } = context;
  const page = await openPage(context, request);
  if (redirectToSandbox(request, reply, page.refund.mode)) return reply;
  const { bank = '', account = '', holder = '', scheme: schemeText } = readForm(request.body);
  // The form for a bank account has no scheme.
  const scheme = schemeText === undefined ? undefined : findAliasScheme(getRefundCountry(page));
  const show = (currentPage: RefundPage, rejected?: RejectedDetails) =>
    sendPage(pageContext, request, reply, {
      ...refundPage(getI18n(request), currentPage, {
        url: request.url,
        isAlias: scheme !== undefined,
        rejected,
      }),
      status: rejected ? 400 : 200,
    });
  const { merchantId, mode, id } = page.refund;
  const details = { bank, account, holder, scheme };
  const now = pageNow(context, { merchant: page.merchant, mode });
  try {
    const options = { merchantId, mode, id, details, actor: 'customer', now };
    await submitRefundDetails(service, options);
    return reply.redirect(request.url, 303);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    // Another tab was first, or the merchant has cancelled the refund: the page shows its current state.
    if (error.code === 'refund_not_initiated') return show(await openPage(context, request));
    if (error.code !== 'invalid_request') throw error;
    return show(page, {
      values: { bank, account, holder },
      invalidFields: new Set(error.inputErrors.map(({ path }) => path.slice(1))),
    });
  }
}
