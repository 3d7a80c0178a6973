import type { InvoicePage } from '../../domain/billing/subscription/open-pages.ts';
import type { Order } from '../../domain/platform/order.ts';
import { amount, amountText, fill, fillText } from '../format.ts';
import { html } from '../html.ts';
import type { Page } from '../layout.ts';
import { type Fault, faultList, formTitle } from '../parts/faults.ts';
import { methodChoice } from '../parts/method-choice.ts';
import { notice } from '../parts/notice.ts';
import { type ChooseInput, faultsOf, type Offer } from '../parts/offer.ts';
import { backButton, merchantName, orderList, summary } from '../parts/summary.ts';
import type { Reader } from '../reader.ts';
import { pendingWay } from './pending-way.ts';
import { dayText } from './words.ts';

type Shown = { address: string; manage: string; pdf: string; now: Date };

/** An open invoice, and the form by which it is paid. */
export function unpaidInvoicePage(
  reader: Reader,
  opened: InvoicePage,
  shown: Shown & { offer: Offer | undefined; input: ChooseInput },
): Page {
  const { invoice, subscription, merchant } = opened;
  const { choose, subscription: words } = reader.strings;
  const money = { minor: invoice.amount, currency: invoice.currency };
  const values = { number: String(invoice.number), merchant: merchantName(merchant) };
  const due = { date: dayText(reader, invoice.dueOn), plan: invoice.planName };
  const { offer, input } = shown;
  const faults = offer ? faultsOf(input) : [];
  const main = html`<div class="columns">
${summary(reader, {
  merchant,
  money,
  eyebrow: fill(words.invoice.from, values),
  below: html`<p>${fill(subscription.status === 'active' ? words.invoice.due : words.invoice.overdue, due)}</p>`,
  orders: orderList(reader, { orders: invoice.orders as Order[], total: money, folded: false }),
})}
<section class="panel">
${faultList(reader, faults)}
${pendingWay(reader, opened, shown)}
${
  offer &&
  html`<form method="post" action="${shown.address}">
${methodChoice(reader, offer, input)}
<button type="submit" class="button">${words.pay}</button>
<p class="hint">${choose.next}</p>
</form>`
}
<p><a href="${shown.pdf}">${words.pdf}</a></p>
<p><a href="${shown.manage}">${words.manage}</a></p>
</section>
</div>`;
  return framed(reader, opened, { main, now: shown.now, faults });
}

/** A paid invoice, or one that is asked for no longer. */
export function closedInvoicePage(reader: Reader, opened: InvoicePage, shown: Shown): Page {
  const { invoice, merchant, subscription } = opened;
  const words = reader.strings.subscription;
  const isPaid = invoice.status === 'paid';
  const { title, text } = words.invoice[isPaid ? 'paid' : 'void'];
  const money = { minor: invoice.amount, currency: invoice.currency };
  const values = {
    number: String(invoice.number),
    merchant: merchantName(merchant),
    amount: amount(reader, money),
    date: dayText(reader, invoice.paidAt ?? invoice.updatedAt),
  };
  const { redirectUrl } = subscription;
  const body = html`<p>${fill(text, values)}</p><p><a href="${shown.pdf}">${words.pdf}</a></p><p><a href="${shown.manage}">${words.manage}</a></p>
${backButton(reader, { merchant, redirectUrl })}`;
  const main = notice({ tone: isPaid ? 'good' : 'calm', title, body });
  return framed(reader, opened, { main, now: shown.now });
}

function framed(
  reader: Reader,
  { invoice, merchant }: InvoicePage,
  { main, now, faults = [] }: Pick<Page, 'main'> & { now: Date; faults?: readonly Fault[] },
): Page {
  const price = amountText(reader, { minor: invoice.amount, currency: invoice.currency });
  const values = { number: String(invoice.number), merchant: merchant.name, amount: price };
  const title = formTitle(reader, fillText(reader.strings.subscription.invoice.title, values), faults);
  return { status: 200, title, main, now, mode: invoice.mode, demo: merchant.demo };
}
