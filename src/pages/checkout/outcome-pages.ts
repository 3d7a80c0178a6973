import { paymentState } from '../../domain/payments/charge/charge-state.ts';
import { arrivedInPart, type CheckoutCharge } from '../../domain/payments/checkout/get-checkout-charge.ts';
import type { Money } from '../../kit/money.ts';
import type { MethodCode } from '../../method/catalogue.ts';
import { amount, fill, moment } from '../format.ts';
import { type Html, html } from '../html.ts';
import type { Page } from '../layout.ts';
import { notice } from '../parts/notice.ts';
import { backButton, merchantName } from '../parts/summary.ts';
import type { Reader } from '../reader.ts';
import type { WayBack } from '../refused.ts';
import { customerText } from './customer.ts';
import { postForm } from './forms.ts';
import type { ChargeContent } from './pay-page.ts';
import { type SubscriptionWay, wayOn } from './subscription-way.ts';
import type { View } from './view.ts';

// The pages on which nothing more is to be paid.

export function paidPage({ reader }: View, { charge, isOwn, way }: ChargeContent): Page {
  const { paid } = reader.strings;
  const asked = charge.customerAmount;
  const isByHand = charge.amountReceived === 0n && charge.completedBy === 'hand';
  const minor = isByHand ? asked : charge.amountReceived;
  if (minor <= 0n) return takenBackPage(reader, { charge, way });
  const received = moneyOf(charge, minor);
  const merchant = merchantName(charge.merchant);
  const counted = minor < asked ? received : moneyOf(charge, asked);
  const body = html`<p>${fill(paid.text, { merchant, amount: amount(reader, counted) })}</p>
${paymentState(charge) === 'over' && overpaid(reader, charge)}
${receipt(reader, charge, { received, isOwn })}
${wayOn(reader, way)}
${backButton(reader, charge)}`;
  return chargePage(charge, paid.title, notice({ tone: 'good', title: paid.heading, body }));
}

/** Completed by money of which nothing is left: the bank took it back, or the merchant corrected what it counts for. */
function takenBackPage(reader: Reader, { charge, way }: Pick<ChargeContent, 'charge' | 'way'>): Page {
  const { title, text } = reader.strings.paid.takenBack;
  const nonce = html`<code>${charge.nonce}</code>`;
  const body = html`<p>${fill(text, { merchant: merchantName(charge.merchant), nonce })}</p>
${wayOn(reader, way)}
${backButton(reader, charge)}`;
  return chargePage(charge, title, notice({ tone: 'stop', title, body }));
}

function overpaid(reader: Reader, charge: CheckoutCharge): Html {
  const excess = charge.amountReceived - charge.customerAmount;
  return html`<p class="aside">${fill(reader.strings.paid.over, {
    received: amount(reader, moneyOf(charge, charge.amountReceived)),
    excess: amount(reader, moneyOf(charge, excess)),
    merchant: merchantName(charge.merchant),
  })}</p>`;
}

function receipt(reader: Reader, charge: CheckoutCharge, options: { received: Money; isOwn: boolean }): Html {
  const { paid, methods } = reader.strings;
  const customer = customerText(charge, options.isOwn);
  const row = (name: string, value: Html | string) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`;
  return html`<dl class="receipt">
${row(paid.amount, amount(reader, options.received))}
${row(paid.method, methods[charge.method as MethodCode].name)}
${row(paid.reference, html`<code>${charge.nonce}</code>`)}
${customer !== undefined && row(paid.customer, customer)}
${charge.completedAt && row(paid.at, moment(reader, charge.completedAt, charge.receivingAccount.timeZone))}
</dl>`;
}

export function expiredPage({ reader }: View, { charge, way }: ChargeContent): Page {
  const { expired } = reader.strings;
  const merchant = merchantName(charge.merchant);
  const time = moment(reader, charge.expiresAt, charge.receivingAccount.timeZone);
  const body = html`<p>${fill(expired.text, { merchant, amount: amount(reader, moneyOf(charge, charge.customerAmount)) })}</p>
${partArrived(reader, charge)}
${wayOn(reader, way) ?? html`<p>${fill(expired.again, { merchant })}</p>`}
${backButton(reader, charge)}
<section class="aside"><h2>${expired.paidAlready}</h2>
<p>${fill(expired.paidAlreadyText, { time, merchant, nonce: html`<code>${charge.nonce}</code>` })}</p></section>`;
  return chargePage(charge, expired.title, notice({ tone: 'calm', title: expired.title, body }));
}

function partArrived(reader: Reader, charge: CheckoutCharge): Html | undefined {
  const arrived = arrivedInPart(charge);
  if (arrived <= 0n) return undefined;
  const received = amount(reader, moneyOf(charge, arrived));
  const text = fill(reader.strings.expired.partText, { received, merchant: merchantName(charge.merchant) });
  return html`<p class="aside">${text}</p>`;
}

export function cancelledPage(
  { reader }: View,
  content: WayBack & { charge?: CheckoutCharge; way?: SubscriptionWay | undefined },
): Page {
  const { cancelled } = reader.strings;
  const { charge } = content;
  const merchant = merchantName(content.merchant);
  const part = charge && partArrived(reader, charge);
  const body = html`<p>${fill(part ? cancelled.textPart : cancelled.text, { merchant })}</p>
${part}
${wayOn(reader, content.way)}
${backButton(reader, content)}
${
  charge &&
  html`<section class="aside"><h2>${cancelled.paidAlready}</h2>
<p>${fill(cancelled.paidAlreadyText, { merchant, nonce: html`<code>${charge.nonce}</code>` })}</p></section>`
}`;
  const main = notice({ tone: 'stop', title: cancelled.title, body });
  return charge ? chargePage(charge, cancelled.title, main) : sessionPage(content, cancelled.title, main);
}

/** The session ran out before there was a charge: HTTP 410. */
export function sessionExpiredPage({ reader }: View, content: WayBack): Page {
  const { title, text, again } = reader.strings.sessionExpired;
  const body = html`<p>${text}</p><p>${fill(again, { merchant: merchantName(content.merchant) })}</p>
${backButton(reader, content)}`;
  return { ...sessionPage(content, title, notice({ tone: 'calm', title, body })), status: 410 };
}

/** Another browser holds the session; this one may take it over while there is no charge. */
export function elsewherePage(view: View, content: WayBack): Page {
  const { title, text, submit } = view.reader.strings.elsewhere;
  const button = html`<button type="submit" class="button">${submit}</button>`;
  const body = html`<p>${text}</p>${postForm(view, 'take-over', button)}`;
  return sessionPage(content, title, notice({ tone: 'calm', title, body }));
}

function moneyOf(charge: CheckoutCharge, minor: bigint): Money {
  return { minor, currency: charge.customerCurrency };
}

function chargePage(charge: CheckoutCharge, title: string, main: Html): Page {
  return { status: 200, title, main, mode: charge.mode, demo: charge.receivingAccount.demo };
}

/** Of a session that has no charge. */
function sessionPage(content: WayBack, title: string, main: Html): Page {
  return { status: 200, title, main, mode: content.mode, demo: content.merchant.demo };
}
