import { amountText, fillText } from '../format.ts';
import { html } from '../html.ts';
import type { Page } from '../layout.ts';
import { customerFields } from '../parts/customer-fields.ts';
import { faultList, formTitle } from '../parts/faults.ts';
import { methodChoice } from '../parts/method-choice.ts';
import { type ChooseInput, faultsOf, type Offer } from '../parts/offer.ts';
import { orderList, summary } from '../parts/summary.ts';
import { cancelForm, postForm } from './forms.ts';
import type { View } from './view.ts';

/** The customer chooses a payment method and says who pays. */
export function choosePage(view: View, offer: Offer, input?: ChooseInput): Page {
  const { strings } = view.reader;
  const { merchant, money } = offer;
  const faults = faultsOf(input);
  const price = amountText(view.reader, money);
  const orders = orderList(view.reader, { orders: offer.orders, total: money, folded: false });
  const title = fillText(strings.pay.title, { amount: price, merchant: merchant.name });
  const main = html`<div class="columns">
${summary(view.reader, { merchant, money, orders })}
<section class="panel">
${faultList(view.reader, faults)}
${postForm(
  view,
  'pay',
  html`${methodChoice(view.reader, offer, input)}${customerFields(view.reader, offer, input)}
<button type="submit" class="button">${strings.choose.submit}</button>
<p class="hint">${strings.choose.next}</p>`,
)}
${offer.canCancel && cancelForm(view)}
</section>
</div>`;
  return {
    status: 200,
    title: formTitle(view.reader, title, faults),
    main,
    mode: offer.mode,
    demo: merchant.demo,
  };
}
