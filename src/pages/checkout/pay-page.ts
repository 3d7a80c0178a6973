import { canCustomerCancel } from '../../domain/payments/charge/charge-state.ts';
import type { CheckoutCharge } from '../../domain/payments/checkout/get-checkout-charge.ts';
import {
  type OutstandingPayment,
  outstandingPayment,
} from '../../domain/payments/checkout/outstanding-payment.ts';
import type { Order } from '../../domain/platform/order.ts';
import type { Decimal } from '../../kit/decimal.ts';
import { minuteMs } from '../../kit/duration.ts';
import type { Money } from '../../kit/money.ts';
import { type MethodCode, paymentMethods } from '../../method/catalogue.ts';
import { qrSvg } from '../../method/qr-svg.ts';
import { amount, amountText, fill, fillText, moment, rateText } from '../format.ts';
import { type Html, html, raw } from '../html.ts';
import type { Page } from '../layout.ts';
import { merchantName, orderList, summary } from '../parts/summary.ts';
import type { Reader } from '../reader.ts';
import { checkoutAddress } from './address.ts';
import { customerLine } from './customer.ts';
import { cancelForm } from './forms.ts';
import { detailList, nonceKeys, referenceBox } from './pay-details.ts';
import type { SubscriptionWay } from './subscription-way.ts';
import type { View } from './view.ts';

/** What the page of a charge is made of. */
export type ChargeContent = {
  charge: CheckoutCharge;
  /** Whether this browser may see the customer's details in full. */
  isOwn: boolean;
  canCancel: boolean;
  /** Where it leads on to, when it is a subscription's and the customer's own browser. */
  way?: SubscriptionWay | undefined;
};

/** The payment instructions, while the charge waits for its money. */
export function payPage(view: View, content: ChargeContent): Page {
  const { reader } = view;
  const { charge } = content;
  const outstanding = outstandingPayment(charge);
  const price = amountText(reader, outstanding.money);
  const main = html`<div class="columns">
${paySummary(view, content, outstanding)}
<section class="panel" aria-labelledby="with">
${methodHead(reader, charge)}
<div class="instructions">
${qrFigure(view, content, outstanding)}
${referenceBox(reader, outstanding)}
${detailList(reader, outstanding)}
${steps(reader, charge, outstanding)}
</div>
${waiting(view)}
${content.canCancel && canCustomerCancel(charge) && cancelForm(view)}
</section>
</div>`;
  const title = fillText(reader.strings.pay.title, { amount: price, merchant: charge.merchant.name });
  return { status: 200, title, main, mode: charge.mode, demo: charge.receivingAccount.demo };
}

function paySummary(view: View, content: ChargeContent, outstanding: OutstandingPayment): Html {
  const { reader } = view;
  const { charge } = content;
  const { strings } = reader;
  const merchantMoney = { minor: charge.merchantAmount, currency: charge.merchantCurrency };
  const isPart = charge.amountReceived > 0n;
  return summary(reader, {
    merchant: charge.merchant,
    money: outstanding.money,
    ...(isPart && { eyebrow: html`${strings.pay.stillToPay} · ${merchantName(charge.merchant)}` }),
    below: html`${isPart ? partPaid(reader, charge) : converted(reader, merchantMoney, charge)}
${isPart ? undefined : exactAmount(reader, charge)}
${timeLeft(view, charge)}
${customerLine(reader, charge, content.isOwn)}`,
    orders: orderList(reader, { orders: charge.orders as Order[], total: merchantMoney, folded: true }),
  });
}

function partPaid(reader: Reader, charge: CheckoutCharge): Html {
  const currency = charge.customerCurrency;
  const values = {
    received: amount(reader, { minor: charge.amountReceived, currency }),
    asked: amount(reader, { minor: charge.customerAmount, currency }),
  };
  return html`<p class="part-paid" role="status">${fill(reader.strings.pay.received, values)}</p>`;
}

function converted(reader: Reader, merchantMoney: Money, charge: CheckoutCharge): Html | undefined {
  if (merchantMoney.currency === charge.customerCurrency) return undefined;
  return html`<p class="converted">${fill(reader.strings.summary.converted, {
    amount: amount(reader, merchantMoney),
    from: merchantMoney.currency,
    rate: rateText(reader, charge.rate as Decimal),
    to: charge.customerCurrency,
  })}</p>`;
}

/** The amount is all that tells the payment from others: what was added for that, which nobody bought. */
function exactAmount(reader: Reader, charge: CheckoutCharge): Html | undefined {
  if (!charge.amountAdded) return undefined;
  const currency = charge.customerCurrency;
  return html`<p class="exact">${fill(reader.strings.pay.exact, {
    added: amount(reader, { minor: charge.amountAdded, currency }),
    amount: amount(reader, { minor: charge.customerAmount, currency }),
  })}</p>`;
}

/** Without script the minutes are those of when the page was loaded; the moment beside them always holds. */
function timeLeft(view: View, charge: CheckoutCharge): Html {
  const { reader } = view;
  const { pay } = reader.strings;
  const expires = charge.expiresAt.getTime();
  const leftMs = expires - view.now.getTime();
  const minutes = Math.floor(leftMs / minuteMs);
  const words = { hours: String(Math.floor(minutes / 60)), minutes: String(minutes % 60) };
  const text = fillText(minutes < 60 ? pay.minutes : pay.hours, words);
  const windowMs = expires - charge.createdAt.getTime();
  const until = moment(reader, charge.expiresAt, charge.receivingAccount.timeZone);
  return html`<div class="time-left"><p><span>${pay.timeLeft}</span> <strong role="timer" data-countdown="${expires}">${text}</strong>
<small>${fill(pay.until, { time: until })}</small></p>
<progress data-countdown-bar="${expires}" max="${windowMs}" value="${leftMs}" aria-hidden="true"></progress></div>`;
}

function methodHead(reader: Reader, charge: CheckoutCharge): Html {
  const { icon, code } = paymentMethods[charge.method as MethodCode];
  const { name } = reader.strings.methods[code];
  return html`<div class="method-head"><img src="${icon}" alt="" width="40" height="40">
<h2 id="with">${fill(reader.strings.pay.with, { method: html`<span>${name}</span>` })}</h2></div>`;
}

function qrFigure(view: View, content: ChargeContent, outstanding: OutstandingPayment): Html | undefined {
  const { charge } = content;
  const { destination, money } = outstanding;
  const { pay, methods } = view.reader.strings;
  if (destination.qrCode === '') return undefined;
  const names = { amount: amountText(view.reader, money), merchant: charge.merchant.name };
  const method = methods[charge.method as MethodCode];
  return html`<figure class="qr">
<div class="qr-code">${raw(qrSvg(destination.qrCode, fillText(pay.qrLabel, names)))}</div>
<figcaption>${charge.receivingAccount.demo ? html`<strong class="demo">${pay.qrDemo}</strong>` : pay.scan}</figcaption>
${destination.deepLink !== undefined && 'app' in method && html`<a class="button app" href="${destination.deepLink}">${method.app}</a>`}
<a class="button quiet" href="${checkoutAddress(view.query, '/qr.png')}" download="${destination.nonce}.png">${pay.qrSave}</a>
</figure>`;
}

function steps(reader: Reader, charge: CheckoutCharge, outstanding: OutstandingPayment): Html {
  const { strings } = reader;
  const method = strings.methods[charge.method as MethodCode];
  const last = fill(strings.steps[nonceKeys[outstanding.nonce]], {
    nonce: html`<code>${outstanding.destination.nonce}</code>`,
    amount: amount(reader, outstanding.money),
  });
  const [open, enter] = 'app' in method ? eitherWay(method) : [method.open, method.fill];
  return html`<section class="steps"><h3>${strings.pay.howTo}</h3><ol><li>${open}</li><li>${enter}</li><li>${last}</li></ol></section>`;
}

/** Where there is a button that opens the app, what it does; elsewhere how to scan. The style shows one of them. */
function eitherWay(method: Record<'app' | 'open' | 'fill' | 'openApp' | 'fillApp', string>): [Html, Html] {
  const { app } = method;
  const one = (here: string, elsewhere: string) =>
    html`<span class="with-app">${fillText(here, { app })}</span><span class="without-app">${elsewhere}</span>`;
  return [one(method.openApp, method.open), one(method.fillApp, method.fill)];
}

/** Says that the page watches; where it cannot, how the customer does. */
function waiting(view: View): Html {
  const { pay, page } = view.reader.strings;
  return html`<div class="waiting"><p><span class="pulse" aria-hidden="true"></span><strong>${pay.waiting}</strong></p>
<p data-script>${pay.waitingText}</p>
<p data-unscripted>${pay.waitingReload}</p>
<p><a href="${checkoutAddress(view.query)}">${page.reload}</a></p></div>`;
}
