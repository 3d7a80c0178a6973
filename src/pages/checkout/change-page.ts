import type { CheckoutCharge } from '../../domain/payments/checkout/get-checkout-charge.ts';
import { getDisplayName } from '../../kit/brand.ts';
import { fillText } from '../../language/fill-text.ts';
import type { MethodCode } from '../../method/catalog.ts';
import { amountText } from '../format.ts';
import { html } from '../html.ts';
import type { PageContent } from '../layout.ts';
import { errorSummary, formTitle } from '../parts/error-summary.ts';
import { methodChoice } from '../parts/method-choice.ts';
import { type MethodFormState, type PaymentOffer, toFormErrors, toMethodFormState } from '../parts/offer.ts';
import { orderList, summary } from '../parts/summary.ts';
import { toViewUrl } from './checkout-url.ts';
import { customerLine } from './customer.ts';
import { postForm } from './forms.ts';
import { getDisplayStatus } from './state.ts';
import type { CheckoutView } from './view.ts';

/** The customer chooses another method for a charge that has received no money. */
export function changePage(
  view: CheckoutView,
  { charge, offer }: { charge: CheckoutCharge; offer: PaymentOffer },
  formState: MethodFormState | undefined,
): PageContent {
  const { i18n } = view;
  const { change, methods, pay } = i18n.strings;
  const { merchant, money } = offer;
  const isOpen = getDisplayStatus(charge, view.now) === 'pending';
  const errors = toFormErrors(formState);
  const orders = orderList(i18n, { orders: offer.orders, total: money, isCollapsed: true });
  const method = methods[charge.method as MethodCode];
  const form = html`${methodChoice(i18n, offer, formState ?? toMethodFormState(charge.method))}
<button type="submit" class="button">${i18n.strings.choose.submit}</button>
${isOpen && html`<p class="hint">${change.hint}</p>`}`;
  const main = html`<div class="columns">
${summary(i18n, { merchant, money, orders, below: customerLine(i18n, charge, false) })}
<section class="panel">
${errorSummary(i18n, errors)}
${postForm(view, 'change', form)}
${isOpen && html`<a class="button secondary" href="${toViewUrl(view.query)}">${fillText(change.keep, { method })}</a>`}
</section>
</div>`;
  const title = fillText(pay.title, { amount: amountText(i18n, money), merchant: getDisplayName(merchant) });
  return {
    status: 200,
    title: formTitle(i18n, title, errors),
    main,
    merchant,
    mode: offer.mode,
    demo: merchant.demo,
  };
}
