import { getDisplayName } from '../../kit/brand.ts';
import { fillText } from '../../language/fill-text.ts';
import { amountText } from '../format.ts';
import { type Html, html } from '../html.ts';
import type { PageContent } from '../layout.ts';
import { customerFields } from '../parts/customer-fields.ts';
import { errorSummary, formTitle } from '../parts/error-summary.ts';
import { methodChoice } from '../parts/method-choice.ts';
import { type MethodFormState, type PaymentOffer, toFormErrors } from '../parts/offer.ts';
import { orderList, summary } from '../parts/summary.ts';
import { toCheckoutUrl } from './checkout-url.ts';
import { cancelForm, postForm } from './forms.ts';
import type { CheckoutView } from './view.ts';

/** The customer chooses a payment method and enters contact details. */
export function choosePage(
  view: CheckoutView,
  offer: PaymentOffer,
  formState?: MethodFormState,
): PageContent {
  const { strings } = view.i18n;
  const { merchant, money } = offer;
  const errors = toFormErrors(formState);
  const price = amountText(view.i18n, money);
  const orders = orderList(view.i18n, { orders: offer.orders, total: money, isCollapsed: false });
  const title = fillText(strings.pay.title, { amount: price, merchant: getDisplayName(merchant) });
  const main = html`<div class="columns">
${summary(view.i18n, { merchant, money, below: offer.canChangeAmount && amountLink(view), orders })}
<section class="panel">
${errorSummary(view.i18n, errors)}
${postForm(
  view,
  'pay',
  html`${methodChoice(view.i18n, offer, formState)}${customerFields(view.i18n, offer, formState)}
<button type="submit" class="button">${strings.choose.submit}</button>
<p class="hint">${strings.choose.nextHint}</p>`,
)}
${offer.canCancel && cancelForm(view)}
</section>
</div>`;
  return {
    status: 200,
    title: formTitle(view.i18n, title, errors),
    main,
    merchant,
    mode: offer.mode,
    demo: merchant.demo,
  };
}

function amountLink({ i18n, query }: CheckoutView): Html {
  const { amount: _, ...withoutAmount } = query;
  return html`<p><a href="${toCheckoutUrl(withoutAmount)}">${i18n.strings.amount.change}</a></p>`;
}
