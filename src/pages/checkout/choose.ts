import { amountText, fillText } from '../format.ts';
import { type Html, html } from '../html.ts';
import type { Page } from '../layout.ts';
import type { Reader } from '../reader.ts';
import { faultList, textField } from '../text-field.ts';
import { methodChoice } from './method-choice.ts';
import type { ChooseInput, Offer } from './offer.ts';
import { cancelForm, orderList, postForm, summary } from './parts.ts';
import type { View } from './view.ts';

/** The customer chooses a payment method and gives an e-mail address. */
export function choosePage(view: View, offer: Offer, input?: ChooseInput): Page {
  const { strings } = view.reader;
  const { merchant, money } = offer;
  const price = amountText(view.reader, money);
  const orders = orderList(view.reader, { orders: offer.orders, total: money, folded: false });
  const title = fillText(strings.pay.title, { amount: price, merchant: merchant.name });
  const main = html`<div class="columns">
${summary(view.reader, { merchant, money, orders })}
<section class="panel">
${faultList(strings.choose.problem, faultsOf(input))}
${postForm(
  view,
  'pay',
  html`${methodChoice(view.reader, offer, input)}${emailField(view.reader, offer, input)}
<button type="submit" class="button">${strings.choose.submit}</button>
<p class="hint">${strings.choose.next}</p>`,
)}
${offer.canCancel && cancelForm(view)}
</section>
</div>`;
  const fault = input === undefined ? '' : `${strings.choose.problem}: `;
  return { status: 200, title: fault + title, main, mode: offer.mode, demo: merchant.demo };
}

export function faultsOf(input: ChooseInput | undefined): { name?: string; text: string }[] {
  const { method, email, form } = input?.faults ?? {};
  return [
    ...(form === undefined ? [] : [{ text: form }]),
    ...(method === undefined ? [] : [{ name: 'methods', text: method }]),
    ...(email === undefined ? [] : [{ name: 'email', text: email }]),
  ];
}

/** `hint`: what the address is for, where that is more than questions. */
export function emailField(
  { strings: { choose } }: Reader,
  offer: Offer,
  input: ChooseInput | undefined,
  hint = choose.emailHint,
): Html {
  return textField({
    name: 'email',
    type: 'email',
    inputMode: 'email',
    autocomplete: 'email',
    maxLength: 254,
    label: choose.email,
    hint,
    fault: input?.faults.email,
    value: input?.email ?? offer.prefill?.email ?? '',
  });
}
