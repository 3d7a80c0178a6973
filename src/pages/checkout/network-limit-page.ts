import { getOutstandingMoney } from '../../domain/payments/charge/outstanding-money.ts';
import { findOpenCharge } from '../../domain/payments/checkout/find-open-charge.ts';
import { createClientToken } from '../../domain/payments/customer-page/page-tokens.ts';
import { fillText } from '../../language/fill-text.ts';
import { amountText } from '../format.ts';
import { html } from '../html.ts';
import type { PageContent } from '../layout.ts';
import { notice } from '../parts/notice.ts';
import { backButton } from '../parts/summary.ts';
import { getI18n } from '../send-page.ts';
import { getCreatedChargeIds } from './browser.ts';
import { getRedirectUrl } from './build-checkout-page.ts';
import type { CheckoutAction } from './checkout-actions.ts';
import { toChargeUrl } from './checkout-url.ts';

/**
 * The network of the customer has started too many unpaid charges. The page links to a charge that this browser created
 * and that can still be paid, if there is one.
 */
export async function networkLimitPage(
  { context, request, query, target }: CheckoutAction,
  now: Date,
): Promise<PageContent> {
  const { service } = context;
  const { merchant, mode } = target;
  const i18n = getI18n(request);
  const { title, text, help, resume, resumeSubmit } = i18n.strings.errors.tooManyOpenPayments;
  const ids = getCreatedChargeIds(service, request, mode);
  const openCharge = await findOpenCharge(service, { ids, merchantId: merchant.id, mode, now });
  const resumeLink =
    openCharge &&
    html`<p>${resume}</p>
<a class="button" href="${toChargeUrl(createClientToken(service.secrets, openCharge), query)}">${fillText(
      resumeSubmit,
      { amount: amountText(i18n, getOutstandingMoney(openCharge)) },
    )}</a>`;
  const body = html`<p>${text}</p>${resumeLink}<p>${help}</p>
${!openCharge && backButton(i18n, { merchant, redirectUrl: getRedirectUrl(target) })}`;
  return {
    status: 429,
    title,
    main: notice({ tone: 'info', title, body }),
    merchant,
    mode,
    demo: merchant.demo,
  };
}
