import {
  getAmountPaid,
  getPaymentState,
  getReceiptAmount,
} from '../../domain/payments/charge/charge-state.ts';
import { getDisplayedOrders } from '../../domain/payments/charge/displayed-orders.ts';
import {
  type CheckoutCharge,
  getPartialAmountReceived,
} from '../../domain/payments/checkout/get-checkout-charge.ts';
import { getClosedReason } from '../../domain/payments/checkout-link/open-checkout-link.ts';
import type { Money } from '../../kit/money.ts';
import { fillText } from '../../language/fill-text.ts';
import { formatDateTime } from '../../language/format.ts';
import type { MethodCode } from '../../method/catalog.ts';
import type { ReturnTarget } from '../error-page.ts';
import { amount, dateTime, fill, maskEmail } from '../format.ts';
import { type Html, html } from '../html.ts';
import type { PageI18n } from '../i18n.ts';
import type { PageContent } from '../layout.ts';
import { contactLink } from '../parts/contact-link.ts';
import { notice } from '../parts/notice.ts';
import { backButton, merchantName, orderLines } from '../parts/summary.ts';
import { toStartUrl, toViewUrl } from './checkout-url.ts';
import { customerText } from './customer.ts';
import { postForm } from './forms.ts';
import type { ChargeContent } from './pay-page.ts';
import { refundNotice, sumRefunds } from './refund-notice.ts';
import { renderPageLink } from './subscription-page-link.ts';
import { returnsNotice, unallocatedNotice } from './unallocated-notice.ts';
import type { CheckoutView } from './view.ts';

// The checkout pages without payment instructions.

export function paidPage(
  { i18n }: CheckoutView,
  { charge, canViewDetails, canSendEmail, pageLink }: ChargeContent,
): PageContent {
  const { paid } = i18n.strings;
  const requestedMinor = charge.customerAmount;
  const minor = getReceiptAmount(charge);
  if (minor <= 0n) return reversedPage(i18n, { charge, pageLink });
  const receivedMoney = toMoney(charge, minor);
  const merchant = merchantName(charge.merchant);
  const appliedMoney = minor < requestedMinor ? receivedMoney : toMoney(charge, requestedMinor);
  const { refundedMinor } = sumRefunds(charge);
  const heading = refundedMinor >= minor ? paid.refundedHeading : paid.heading;
  const body = html`<p>${fill(paid.text, { merchant, amount: amount(i18n, appliedMoney) })}</p>
${getPaymentState(charge) === 'over' && overpaid(i18n, charge)}
${refundNotice(i18n, charge)}
${receipt(i18n, charge, { receivedMoney, canViewDetails })}
${canSendEmail && charge.merchant.emailReceipts && charge.email !== null && html`<p>${fillText(paid.emailed, { email: canViewDetails ? charge.email : maskEmail(charge.email) })}</p>`}
<button type="button" class="button secondary" data-print data-script>${paid.print}</button>
${renderPageLink(i18n, pageLink)}
${backButton(i18n, charge)}`;
  const main = html`<p class="print-title">${fill(i18n.strings.mail.receipt.subject, { merchant })}</p>
${notice({ tone: 'success', title: heading, body })}`;
  return chargePage(charge, paid.title, main);
}

/**
 * No money is applied to the completed charge any longer: the bank reversed the transfer, or the merchant assigned it
 * to another charge.
 */
function reversedPage(
  i18n: PageI18n,
  { charge, pageLink }: Pick<ChargeContent, 'charge' | 'pageLink'>,
): PageContent {
  const { title, text } = i18n.strings.paid.reversed;
  const paymentReference = html`<code>${charge.paymentReference}</code>`;
  const body = html`<p>${fill(text, { merchant: merchantName(charge.merchant), reference: paymentReference })}</p>
${chargeContactLink(i18n, charge)}
${renderPageLink(i18n, pageLink)}
${backButton(i18n, charge)}`;
  return chargePage(charge, title, notice({ tone: 'error', title, body }));
}

function overpaid(i18n: PageI18n, charge: CheckoutCharge): Html {
  const excess = getAmountPaid(charge) - charge.customerAmount;
  return html`<p class="aside">${fill(i18n.strings.paid.overpaid, {
    received: amount(i18n, toMoney(charge, getAmountPaid(charge))),
    excess: amount(i18n, toMoney(charge, excess)),
    merchant: merchantName(charge.merchant),
  })}</p>`;
}

function receipt(
  i18n: PageI18n,
  charge: CheckoutCharge,
  options: { receivedMoney: Money; canViewDetails: boolean },
): Html {
  const { paid, methods, invoicePdf } = i18n.strings;
  const { postalAddress, taxNumber } = charge.merchant;
  const customer = customerText(charge, options.canViewDetails);
  const row = (name: string, value: Html | string) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`;
  const { timeZone } = charge.receivingAccount;
  const { refundedMinor } = sumRefunds(charge);
  const lines = orderLines(i18n, getDisplayedOrders(charge, charge.subscription), charge.merchantCurrency);
  return html`${lines && html`<div class="order receipt-lines">${lines}</div>`}
<dl class="receipt">
${row(paid.amount, amount(i18n, options.receivedMoney))}
${refundedMinor > 0n && row(paid.refundedAmount, amount(i18n, toMoney(charge, refundedMinor)))}
${row(paid.paidWith, methods[charge.method as MethodCode])}
${row(paid.reference, html`<code>${charge.paymentReference}</code>`)}
${customer !== undefined && row(paid.customer, customer)}
${charge.completedAt && row(paid.receivedAt, formatDateTime(i18n.locale, charge.completedAt, timeZone))}
${postalAddress !== '' && row(invoicePdf.from, html`${merchantName(charge.merchant)}${postalAddress.split('\n').map((line) => html`<br>${line}`)}`)}
${taxNumber !== '' && row(invoicePdf.taxNumber, taxNumber)}
</dl>`;
}

export function expiredPage(view: CheckoutView, content: ChargeContent): PageContent {
  const { i18n } = view;
  const { charge, pageLink } = content;
  const { expired } = i18n.strings;
  if (charge.unallocatedTransfers.length > 0) return unallocatedPage(view, content);
  const startUrl = getStartUrl(view, content);
  const merchant = merchantName(charge.merchant);
  const time = dateTime(i18n, charge.expiresAt, charge.receivingAccount.timeZone);
  const body = html`<p>${fill(expired.text, { merchant, amount: amount(i18n, toMoney(charge, charge.customerAmount)) })}</p>
${partialPaymentNotice(i18n, charge)}
${returnsNotice(i18n, charge)}
${renderPageLink(i18n, pageLink) ?? (startUrl === undefined && html`<p>${fill(expired.nextStep, { merchant })}</p>`)}
${startButton(i18n, startUrl)}
${backButton(i18n, toUnpaidTarget(charge), startUrl !== undefined)}
<section class="aside"><h2>${expired.alreadyPaid}</h2>
<p>${fill(expired.alreadyPaidText, { time, merchant, reference: html`<code>${charge.paymentReference}</code>` })}</p>
${chargeContactLink(i18n, charge)}</section>`;
  return chargePage(charge, expired.title, notice({ tone: 'info', title: expired.title, body }));
}

function partialPaymentNotice(i18n: PageI18n, charge: CheckoutCharge): Html | undefined {
  const receivedMinor = getPartialAmountReceived(charge);
  if (receivedMinor <= 0n) return undefined;
  const received = amount(i18n, toMoney(charge, receivedMinor));
  const text = fill(i18n.strings.expired.partialText, { received, merchant: merchantName(charge.merchant) });
  return html`<p class="aside">${text}</p>`;
}

/** Without `content`, the session was cancelled before it had a charge. */
export function cancelledPage(
  view: CheckoutView,
  target: ReturnTarget & { content?: ChargeContent },
): PageContent {
  const { i18n } = view;
  const { cancelled } = i18n.strings;
  const { content } = target;
  const charge = content?.charge;
  const returnTarget = charge ? toUnpaidTarget(charge) : target;
  if (content && content.charge.unallocatedTransfers.length > 0) return unallocatedPage(view, content);
  const startUrl = content && getStartUrl(view, content);
  const merchant = merchantName(target.merchant);
  const partialNotice = charge && partialPaymentNotice(i18n, charge);
  const fullText = startUrl === undefined ? cancelled.text : cancelled.textWithStart;
  const body = html`<p>${fill(partialNotice ? cancelled.partialText : fullText, { merchant })}</p>
${partialNotice}
${charge && returnsNotice(i18n, charge)}
${renderPageLink(i18n, content?.pageLink)}
${startButton(i18n, startUrl)}
${backButton(i18n, returnTarget, startUrl !== undefined)}
${
  charge &&
  html`<section class="aside"><h2>${cancelled.alreadyPaid}</h2>
<p>${fill(cancelled.alreadyPaidText, { merchant, reference: html`<code>${charge.paymentReference}</code>` })}</p>
${chargeContactLink(i18n, charge)}</section>`
}`;
  const main = notice({ tone: 'error', title: cancelled.title, body });
  return charge ? chargePage(charge, cancelled.title, main) : sessionPage(target, cancelled.title, main);
}

/** Returns the shop's URL for customers who have not paid. */
function toUnpaidTarget({ merchant, mode, session, redirectUrl }: CheckoutCharge): ReturnTarget {
  return { merchant, mode, redirectUrl: session?.cancelUrl ?? redirectUrl };
}

/** The charge has ended, and a later payment for it still needs the merchant's review. */
function unallocatedPage({ i18n }: CheckoutView, { charge, pageLink }: ChargeContent): PageContent {
  const { arrived } = i18n.strings;
  const body = html`${unallocatedNotice(i18n, charge, arrived.late)}
${returnsNotice(i18n, charge)}
<p>${fill(arrived.contact, { reference: html`<code>${charge.paymentReference}</code>` })}</p>
${chargeContactLink(i18n, charge)}
${renderPageLink(i18n, pageLink)}
${backButton(i18n, charge)}`;
  return chargePage(charge, arrived.title, notice({ tone: 'info', title: arrived.title, body }));
}

/** Returns the URL at which the customer can start the payment again, if that is possible. */
function getStartUrl(view: CheckoutView, { charge, canReplace }: ChargeContent): string | undefined {
  if (canReplace) return toViewUrl(view.query, 'methods');
  const { checkoutLink: link } = charge;
  if (charge.sessionId !== null || charge.subscriptionId !== null) return undefined;
  if (link && getClosedReason(link, view.now) !== undefined) return undefined;
  return toStartUrl(view.query, link?.id);
}

function startButton(i18n: PageI18n, url: string | undefined): Html | undefined {
  return url === undefined
    ? undefined
    : html`<a class="button" href="${url}">${i18n.strings.change.startAgain}</a>`;
}

/** The session expired before it had a charge. */
export function sessionExpiredPage({ i18n }: CheckoutView, content: ReturnTarget): PageContent {
  const { title, text, nextStep } = i18n.strings.sessionExpired;
  const body = html`<p>${text}</p><p>${fill(nextStep, { merchant: merchantName(content.merchant) })}</p>
${backButton(i18n, content)}`;
  return { ...sessionPage(content, title, notice({ tone: 'info', title, body })), status: 410 };
}

/** Another browser has claimed the session. This browser may take the session over while it has no charge. */
export function otherBrowserPage(view: CheckoutView, content: ReturnTarget): PageContent {
  const { title, text, submit } = view.i18n.strings.otherBrowser;
  const button = html`<button type="submit" class="button">${submit}</button>`;
  const body = html`<p>${text}</p>${postForm(view, 'take-over', button)}`;
  return sessionPage(content, title, notice({ tone: 'info', title, body }));
}

function chargeContactLink(i18n: PageI18n, { merchant, paymentReference }: CheckoutCharge): Html | undefined {
  return contactLink(i18n, { merchant, subject: paymentReference });
}

function toMoney(charge: CheckoutCharge, minor: bigint): Money {
  return { minor, currency: charge.customerCurrency };
}

function chargePage(charge: CheckoutCharge, title: string, main: Html): PageContent {
  return {
    status: 200,
    title,
    main,
    merchant: charge.merchant,
    mode: charge.mode,
    demo: charge.receivingAccount.demo,
  };
}

function sessionPage(content: ReturnTarget, title: string, main: Html): PageContent {
  return {
    status: 200,
    title,
    main,
    merchant: content.merchant,
    mode: content.mode,
    demo: content.merchant.demo,
  };
}
