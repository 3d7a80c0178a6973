import { canCustomerCancel } from '../../domain/payments/charge/charge-state.ts';
import { getDisplayedOrders } from '../../domain/payments/charge/displayed-orders.ts';
import type { CheckoutCharge } from '../../domain/payments/checkout/get-checkout-charge.ts';
import {
  getOutstandingPayment,
  type OutstandingPayment,
} from '../../domain/payments/checkout/get-outstanding-payment.ts';

import { getDisplayName } from '../../kit/brand.ts';
import type { Decimal } from '../../kit/decimal.ts';
import { minuteMs } from '../../kit/duration.ts';
import type { Money } from '../../kit/money.ts';
import { fillText } from '../../language/fill-text.ts';
import { type MethodCode, paymentMethods } from '../../method/catalog.ts';
import { customerApps } from '../../method/customer-apps.ts';
import { amount, amountText, dateTime, fill, rateText } from '../format.ts';
import { type Html, type HtmlValue, html } from '../html.ts';
import type { PageI18n } from '../i18n.ts';
import type { PageContent } from '../layout.ts';
import { methodName } from '../parts/method-name.ts';
import { merchantName, orderList, summary } from '../parts/summary.ts';
import { toCheckoutUrl, toViewUrl } from './checkout-url.ts';
import { customerLine } from './customer.ts';
import { cancelForm, simulationForm } from './forms.ts';
import { paymentSteps, phoneFigure, qrFigure } from './pay-code.ts';
import { detailList, referenceBox } from './pay-details.ts';
import type { SubscriptionPageLink } from './subscription-page-link.ts';
import { unallocatedNotice } from './unallocated-notice.ts';
import type { CheckoutView } from './view.ts';

export type ChargeContent = {
  charge: CheckoutCharge;
  /** Whether this browser may view the customer details unmasked. */
  canViewDetails: boolean;
  canCancel: boolean;
  /** Whether the customer can choose another method or, after the expiry time, start again. */
  canReplace: boolean;
  /** Whether a mail server is set up. */
  canSendEmail?: boolean;
  /** The next page for the customer of a subscription. It is set only in the customer's own browser. */
  pageLink?: SubscriptionPageLink | undefined;
};

export function payPage(view: CheckoutView, content: ChargeContent): PageContent {
  const { i18n } = view;
  const { charge } = content;
  const outstanding = getOutstandingPayment(charge);
  const price = amountText(i18n, outstanding.money);
  const main = html`<div class="columns">
${paySummary(view, content, outstanding)}
<section class="panel" aria-labelledby="with">
${unallocatedNotice(i18n, charge, i18n.strings.arrived.earlier)}
${methodHeader(i18n, charge, outstanding)}
<div class="instructions">${instructions(view, charge, outstanding)}</div>
${phoneFigure(view)}
${waitingStatus(view, outstanding)}
${content.canReplace && html`<a class="button secondary" href="${toViewUrl(view.query, 'methods')}">${i18n.strings.change.link}</a>`}
${content.canCancel && canCustomerCancel(charge) && cancelForm(view)}
${charge.mode === 'sandbox' && content.canCancel && simulationForm(view)}
</section>
</div>`;
  const title = fillText(i18n.strings.pay.title, {
    amount: price,
    merchant: getDisplayName(charge.merchant),
  });
  return {
    status: 200,
    title,
    main,
    merchant: charge.merchant,
    mode: charge.mode,
    demo: charge.receivingAccount.demo,
  };
}

/** Renders the steps beside their subject: the QR code or, without one, the values that the customer types. */
function instructions(
  view: CheckoutView,
  charge: CheckoutCharge,
  outstanding: OutstandingPayment,
): HtmlValue[] {
  const { i18n } = view;
  const method = charge.method as MethodCode;
  const figure = qrFigure(view, charge, outstanding);
  const steps = paymentSteps(i18n, charge, outstanding);
  const reference = referenceBox(i18n, method, outstanding);
  const details = detailList(i18n, method, outstanding);
  // Bank apps ask for the reference last.
  return figure ? [figure, steps, reference, details] : [details, reference, steps];
}

function paySummary(view: CheckoutView, content: ChargeContent, outstanding: OutstandingPayment): Html {
  const { i18n } = view;
  const { charge } = content;
  const { strings } = i18n;
  const merchantMoney = { minor: charge.merchantAmount, currency: charge.merchantCurrency };
  const isPartiallyPaid = charge.amountReceived > 0n;
  return summary(i18n, {
    merchant: charge.merchant,
    money: outstanding.money,
    ...(isPartiallyPaid && {
      eyebrow: html`${strings.pay.remaining}\u00a0· ${merchantName(charge.merchant)}`,
    }),
    below: html`${isPartiallyPaid ? partialPaymentStatus(i18n, charge) : conversionLine(i18n, merchantMoney, charge)}
${isPartiallyPaid ? undefined : exactAmountLine(i18n, charge)}
${timeLeft(view, charge)}
${customerLine(i18n, charge, content.canViewDetails)}`,
    orders: orderList(i18n, {
      orders: getDisplayedOrders(charge, charge.subscription),
      total: merchantMoney,
      isCollapsed: true,
    }),
  });
}

function partialPaymentStatus(i18n: PageI18n, charge: CheckoutCharge): Html {
  const currency = charge.customerCurrency;
  const values = {
    received: amount(i18n, { minor: charge.amountReceived, currency }),
    requested: amount(i18n, { minor: charge.customerAmount, currency }),
  };
  const { received, receivedNoField } = i18n.strings.pay;
  const hasField = customerApps[charge.method as MethodCode].referenceField !== undefined;
  return html`<p class="partially-paid" role="status">${fill(hasField ? received : receivedNoField, values)}</p>`;
}

function conversionLine(i18n: PageI18n, merchantMoney: Money, charge: CheckoutCharge): Html | undefined {
  if (merchantMoney.currency === charge.customerCurrency) return undefined;
  return html`<p class="converted">${fill(i18n.strings.summary.converted, {
    amount: amount(i18n, merchantMoney),
    from: merchantMoney.currency,
    rate: rateText(i18n, charge.rate as Decimal),
    to: charge.customerCurrency,
  })}</p>`;
}

/** An amount is added to the price so that the exact amount identifies the payment. */
function exactAmountLine(i18n: PageI18n, charge: CheckoutCharge): Html | undefined {
  if (!charge.amountOffset) return undefined;
  const currency = charge.customerCurrency;
  return html`<p class="exact">${fill(i18n.strings.pay.exactAmount, {
    added: amount(i18n, { minor: charge.amountOffset, currency }),
    amount: amount(i18n, { minor: charge.customerAmount, currency }),
  })}</p>`;
}

/** Without scripts, the remaining minutes are as of page load. The expiry time beside them is always correct. */
function timeLeft(view: CheckoutView, charge: CheckoutCharge): Html {
  const { i18n } = view;
  const { pay } = i18n.strings;
  const expiresAtMs = charge.expiresAt.getTime();
  const leftMs = expiresAtMs - view.now.getTime();
  const minutes = Math.floor(leftMs / minuteMs);
  const duration = { hours: String(Math.floor(minutes / 60)), minutes: String(minutes % 60) };
  const text = fillText(minutes < 60 ? pay.minutes : pay.hours, duration);
  const windowMs = expiresAtMs - charge.createdAt.getTime();
  const until = dateTime(i18n, charge.expiresAt, charge.receivingAccount.timeZone);
  return html`<div class="time-left"><p><span>${pay.timeLeft}</span> <strong role="timer" data-countdown="${expiresAtMs}">${text}</strong>
<small>${fill(pay.until, { time: until })}</small></p>
<progress data-countdown-bar="${expiresAtMs}" max="${windowMs}" value="${leftMs}" aria-hidden="true"></progress></div>`;
}

function methodHeader(i18n: PageI18n, charge: CheckoutCharge, { destination }: OutstandingPayment): Html {
  const { icon, code } = paymentMethods[charge.method as MethodCode];
  const name = methodName(i18n, code, destination.rows);
  return html`<div class="method-head"><img src="${icon}" alt="" width="40" height="40">
<h2 id="with">${fill(i18n.strings.pay.payWith, { method: html`<span>${name}</span>` })}</h2></div>`;
}

/** Explains that the page updates automatically or, without scripts, how to reload it. */
function waitingStatus(view: CheckoutView, { referencePlacement }: OutstandingPayment): Html {
  const { pay, page } = view.i18n.strings;
  return html`<div class="waiting"><p data-offline hidden>${pay.reconnecting}</p><p><span class="pulse" aria-hidden="true"></span><strong>${pay.waiting}</strong></p>
<p data-script>${referencePlacement === 'by_merchant' ? pay.waitingByMerchant : pay.waitingText}</p>
<p data-unscripted>${pay.waitingReload}</p>
<p><a href="${toCheckoutUrl(view.query)}">${page.reload}</a></p></div>`;
}
