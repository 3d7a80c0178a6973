import type { Order } from '../../domain/order.ts';
import type { EnrolmentPage } from '../../domain/subscription/open-pages.ts';
import { initialMoney, recurringMoney } from '../../domain/subscription/terms.ts';
import { emailField, faultsOf } from '../checkout/choose.ts';
import { methodChoice } from '../checkout/method-choice.ts';
import type { ChooseInput, Offer } from '../checkout/offer.ts';
import { merchantName, orderList, summary } from '../checkout/parts.ts';
import { fill, fillText } from '../format.ts';
import { html } from '../html.ts';
import type { Page } from '../layout.ts';
import { notice } from '../notice.ts';
import type { Reader } from '../reader.ts';
import { faultList } from '../text-field.ts';
import { planWords } from './words.ts';

/** The plan in plain words, and the form by which the customer enrols. */
export function enrolPage(
  reader: Reader,
  opened: EnrolmentPage,
  shown: { address: string; offer: Offer; now: Date; input?: ChooseInput | undefined },
): Page {
  const { plan, merchant } = opened;
  const { choose, subscription } = reader.strings;
  const money = initialMoney(plan);
  const isFree = money.minor === 0n;
  const { offer, input, now } = shown;
  const orders = orderList(reader, {
    orders: plan.orders as Order[],
    total: recurringMoney(plan),
    folded: false,
  });
  const main = html`<div class="columns">
${summary(reader, {
  merchant,
  money,
  eyebrow: fill(subscription.enrolTo, { plan: plan.name, merchant: merchantName(merchant) }),
  below: planWords(reader, plan, now),
  orders,
})}
<section class="panel">
${faultList(choose.problem, faultsOf(input))}
<form method="post" action="${shown.address}">
${methodChoice(reader, offer, input)}${emailField(reader, offer, input, plan.sendEmail ? subscription.emailHint : undefined)}
<button type="submit" class="button">${isFree ? subscription.begin : subscription.pay}</button>
<p class="hint">${isFree ? subscription.beginHint : choose.next}</p>
</form>
</section>
</div>`;
  const title = fillText(subscription.enrolTo, { plan: plan.name, merchant: merchant.name });
  const fault = input === undefined ? '' : `${choose.problem}: `;
  return { status: 200, title: fault + title, main, now, mode: plan.mode, demo: merchant.demo };
}

/** The plan takes no new subscriptions. */
export function planClosedPage(reader: Reader, { plan, merchant }: EnrolmentPage): Page {
  const { title, text } = reader.strings.subscription.closed;
  const body = html`<p>${fill(text, { merchant: merchantName(merchant) })}</p>`;
  const main = notice({ tone: 'calm', title, body });
  return { status: 409, title, main, mode: plan.mode, demo: merchant.demo };
}
