import { findOpenCharge } from '../../domain/payments/checkout/find-open-charge.ts';
import { createClientToken } from '../../domain/payments/checkout/page-tokens.ts';
import { amountText, fillText } from '../format.ts';
import { html } from '../html.ts';
import type { PageContent } from '../layout.ts';
import { notice } from '../parts/notice.ts';
import { backButton } from '../parts/summary.ts';
import { getI18n } from '../send-page.ts';
import { chargeAddress } from './address.ts';
import { getCreatedCharges } from './browser.ts';
import { getRedirectUrl } from './build-checkout-page.ts';
import type { CheckoutAction } from './checkout-actions.ts';

/**
 * Returns the page for a network that has reached its limit of charges. It links to a charge that this
 * browser created and can still pay.
 */
export async function capPage(
  { context, request, query, target }: CheckoutAction,
  now: Date,
): Promise<PageContent> {
  const { service } = context;
  const { merchant, mode } = target;
  const i18n = getI18n(request);
  const { title, text, help, resume, resumeSubmit } = i18n.strings.refused.tooManyOpen;
  const ids = getCreatedCharges(service, request, mode);
  const openCharge = await findOpenCharge(service, { ids, merchantId: merchant.id, mode, now });
  const resumeLink =
    openCharge &&
    html`<p>${resume}</p>
<a class="button" href="${chargeAddress(createClientToken(service.secrets, openCharge), query)}">${fillText(
      resumeSubmit,
      {
        amount: amountText(i18n, { minor: openCharge.customerAmount, currency: openCharge.customerCurrency }),
      },
    )}</a>`;
  const body = html`<p>${text}</p>${resumeLink}<p>${help}</p>
${!openCharge && backButton(i18n, { merchant, redirectUrl: getRedirectUrl(target) })}`;
  return {
    status: 429,
    title,
    main: notice({ tone: 'calm', title, body }),
    mode,
    demo: merchant.demo,
  };
}
