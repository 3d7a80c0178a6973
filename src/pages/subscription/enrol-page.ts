import type { EnrolmentPage } from '../../domain/billing/subscription/open-pages.ts';
import { initialMoney, recurringMoney } from '../../domain/billing/subscription/terms.ts';
import type { Order } from '../../domain/platform/order.ts';
import { fill, fillText } from '../format.ts';
import { html } from '../html.ts';
import type { Page } from '../layout.ts';
import { customerFields } from '../parts/customer-fields.ts';
import { faultList, formTitle } from '../parts/faults.ts';
import { methodChoice } from '../parts/method-choice.ts';
import { notice } from '../parts/notice.ts';
import { type ChooseInput, faultsOf, type Offer } from '../parts/offer.ts';
import { backButton, merchantName, orderList, summary } from '../parts/summary.ts';
import type { Reader } from '../reader.ts';
import { planWords } from './words.ts';

/** The plan in plain words, and the form by which the customer enrols. */
export function enrolPage(
  reader: Reader,
  opened: EnrolmentPage,
  shown: { address: string; formToken: string; offer: Offer; now: Date; input?: ChooseInput | undefined },
): Page {
  const { plan, merchant } = opened;
  const { choose, subscription } = reader.strings;
  const money = initialMoney(plan);
  const isFree = money.minor === 0n;
  // The first payment has none.
  const isInvoiced = plan.sendEmail && (isFree || plan.numPayments !== 1);
  const { offer, input, now } = shown;
  const faults = faultsOf(input);
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
${faultList(reader, faults)}
<form method="post" action="${shown.address}">
<input type="hidden" name="form" value="${shown.formToken}">
${methodChoice(reader, offer, input)}${customerFields(reader, offer, input, isInvoiced ? subscription.emailHint : undefined)}
<button type="submit" class="button">${isFree ? subscription.begin : subscription.pay}</button>
<p class="hint">${isFree ? subscription.beginHint : choose.next}</p>
</form>
</section>
</div>`;
  const title = fillText(subscription.enrolTo, { plan: plan.name, merchant: merchant.name });
  return {
    status: 200,
    title: formTitle(reader, title, faults),
    main,
    now,
    mode: plan.mode,
    demo: merchant.demo,
  };
}

/** The plan takes no new subscriptions. */
export function planClosedPage(reader: Reader, { link, plan, merchant }: EnrolmentPage): Page {
  const { title, text } = reader.strings.subscription.closed;
  const body = html`<p>${fill(text, { merchant: merchantName(merchant) })}</p>
${backButton(reader, { merchant, redirectUrl: link.redirectUrl })}`;
  const main = notice({ tone: 'calm', title, body });
  return { status: 409, title, main, mode: plan.mode, demo: merchant.demo };
}
